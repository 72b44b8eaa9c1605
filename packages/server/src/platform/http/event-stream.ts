// Server-sent events: their bytes, their heartbeats, how many streams may be open to whom, and their end when the
// server stops. It knows nothing of what is sent.
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { App } from './server.ts'

/** Proxies close what is silent for a minute; the pages take a minute of silence for a dead line. */
export const HEARTBEAT_MS = 15_000

/** A client that leaves this much unread is cut off: it comes back and is told the newest state. */
const UNREAD_MAX_BYTES = 512 * 1024
/** Of a sender that waits for its client: a client that takes nothing for this long is gone. */
const STUCK_MS = 30_000

export interface EventStream {
  /** @param data one line of text, such as JSON. What is sent after the end is dropped. */
  send(event: string, data: string): void
  /**
   * Sends a message as it is written on the wire, once the client has taken those before it.
   * @returns false when the stream has ended, also because its client took nothing for half a minute.
   */
  deliver(message: string): Promise<boolean>
  /** Lets what was sent arrive and ends the stream. */
  end(): void
  /** Called once, whoever ended it; at once when it has ended already. */
  onEnd(act: () => void): void
}

export interface EventStreams<Kind extends string> {
  /**
   * Starts the answer; the handler then returns the reply.
   * @param holders whom the stream counts against, such as `{ order: 'ord_…', client: '192.0.2.1' }`.
   * @throws AppError rate_limited when one of them, or the process, has as many as it may.
   */
  open(reply: FastifyReply, holders: Readonly<Record<Kind, string>>): EventStream
}

export interface StreamLimits<Kind extends string> {
  perHolder: Readonly<Record<Kind, number>>
  perProcess: number
}

export function makeEventStreams<Kind extends string>(
  app: App,
  clock: Clock,
  limits: StreamLimits<Kind>,
): EventStreams<Kind> {
  const open = new Set<EventStream>()
  const held = new Map<string, number>()
  let isClosing = false
  // Before the server waits for its connections: a stream would keep it waiting for ever.
  app.addHook('preClose', async () => {
    isClosing = true
    for (const stream of open) stream.end()
  })

  return {
    open(reply, holders) {
      if (isClosing) throw new AppError('unavailable', { retryAfterS: 1 })
      const slots = (Object.keys(holders) as Kind[]).map((kind) => ({
        name: `${kind} ${holders[kind]}`,
        max: limits.perHolder[kind],
      }))
      if (open.size >= limits.perProcess || slots.some(({ name, max }) => (held.get(name) ?? 0) >= max)) {
        throw new AppError('rate_limited', {
          message: 'Too many streams are open. Close some, or try again later.',
          retryAfterS: 10,
        })
      }
      const stream = startStream(reply, clock)
      open.add(stream)
      for (const { name } of slots) held.set(name, (held.get(name) ?? 0) + 1)
      stream.onEnd(() => {
        open.delete(stream)
        for (const { name } of slots) {
          const left = (held.get(name) ?? 1) - 1
          if (left === 0) held.delete(name)
          else held.set(name, left)
        }
      })
      return stream
    },
  }
}

function startStream(reply: FastifyReply, clock: Clock): EventStream {
  const ended = new AbortController()
  const body = new PassThrough()
  const write = (text: string): void => {
    if (ended.signal.aborted || body.destroyed) return
    body.write(text)
    if (body.readableLength + body.writableLength > UNREAD_MAX_BYTES) body.destroy()
  }
  body.once('close', () => ended.abort())
  body.on('error', () => undefined)
  void beat()

  // The first bytes carry the headers out, so that the client knows that it is connected.
  write(': connected\n\n')
  reply
    .header('Content-Type', 'text/event-stream; charset=utf-8')
    .header('Cache-Control', 'no-store')
    // What ends a stream ends its connection: kept alive, it would hold up a server that is stopping.
    .header('Connection', 'close')
    // Some proxies gather an answer before they pass it on, unless they are told not to.
    .header('X-Accel-Buffering', 'no')
    .send(body)
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`),
    async deliver(message) {
      if (body.writableNeedDrain && !ended.signal.aborted) await untilTaken()
      write(message)
      return !ended.signal.aborted && !body.destroyed
    },
    end() {
      if (ended.signal.aborted) return
      body.end()
      ended.abort()
    },
    onEnd(act) {
      if (ended.signal.aborted) act()
      else ended.signal.addEventListener('abort', act, { once: true })
    },
  }

  async function untilTaken(): Promise<void> {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort()
    body.once('drain', stop)
    ended.signal.addEventListener('abort', stop, { once: true })
    await clock.sleep(STUCK_MS, waiting.signal)
    body.off('drain', stop)
    ended.signal.removeEventListener('abort', stop)
    // Destroyed rather than ended: what it left unread must not keep the connection.
    if (!waiting.signal.aborted) body.destroy()
  }

  async function beat(): Promise<void> {
    for (;;) {
      await clock.sleep(HEARTBEAT_MS, ended.signal)
      if (ended.signal.aborted) return
      write(': still here\n\n')
    }
  }
}
