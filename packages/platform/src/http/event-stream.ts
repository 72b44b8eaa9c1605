// Server-sent events: their bytes, their heartbeats, how many streams may be open to whom, and their end with the right
// that opened them and when the server stops. It knows nothing of what is sent.
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../worker/job.ts'
import type { App } from './server.ts'
import { type HeldRight, makeStreamRights, type Standing } from './stream-rights.ts'

/** Proxies close connections that are silent for a minute; the pages treat a minute of silence as a dead connection. */
export const HEARTBEAT_MS = 15_000

/** A client that leaves this much unread is cut off: it reconnects and gets the newest state. */
const UNREAD_MAX_BYTES = 512 * 1024
/** What all clients of one kind of stream leave unread in a process; beyond that those with the most are cut off. */
const UNREAD_OF_ALL_MAX_BYTES = 32 * 1024 * 1024
/** For senders that wait for their client: one that reads nothing for this long is gone. */
const STUCK_MS = 30_000
/** For a client to take what it was sent before the end; then its connection is cut. */
const LINGER_MS = 1_000

export interface EventStream {
  /**
   * @param data one line of text, such as JSON. It waits while it is not sure that the stream's right still stands.
   * What is sent after the end is dropped.
   */
  send(event: string, data: string): void
  /** As `send`, for states of one thing: of those that the client has not been sent yet, only the newest is kept. */
  show(event: string, data: string): void
  /**
   * Sends a message as it is written on the wire, once the client has taken those before it and the right is sure.
   * @returns false when the stream has ended, also because its client took nothing for half a minute.
   */
  deliver(message: string): Promise<boolean>
  /** Lets pending data arrive and ends the stream. */
  end(): void
  /** Called once, whichever side ended it; at once when it has ended already. */
  onEnd(act: () => void): void
}

export interface EventStreams<Kind extends string> {
  /**
   * Starts the answer; the handler then returns the reply.
   * @param a.holders whom the stream counts against, such as `{ order: 'ord_…', client: '192.0.2.1' }`.
   * @param a.right what the request was let in by, as `standing` knows it: the stream ends with it.
   * @throws AppError rate_limited when a holder has as many as it may, unavailable when the process has.
   */
  open(reply: FastifyReply, a: { holders: Readonly<Record<Kind, string>>; right: string }): EventStream
}

export interface StreamTerms<Kind extends string> {
  perHolder: Readonly<Record<Kind, number>>
  perProcess: number
  standing: Standing
  /** Default: 32 MiB. */
  unreadOfAllMaxBytes?: number
}

export function makeEventStreams<Kind extends string>(
  app: App,
  deps: { clock: Clock; log: Log },
  terms: StreamTerms<Kind>,
): EventStreams<Kind> {
  const rights = makeStreamRights(deps, terms.standing)
  const open = new Set<OpenStream>()
  const budget = makeBudget(open, terms.unreadOfAllMaxBytes ?? UNREAD_OF_ALL_MAX_BYTES)
  const counts = new Map<string, number>()
  let isClosing = false
  // Before the server waits for its connections: a stream would keep it waiting for ever.
  app.addHook('preClose', async () => {
    isClosing = true
    for (const stream of open) stream.end()
  })
  app.addHook('onClose', () => rights.close())

  return {
    open(reply, { holders, right }) {
      if (isClosing) throw new AppError('unavailable', { retryAfterS: 1 })
      const slots = (Object.keys(holders) as Kind[]).map((kind) => ({
        kind,
        name: `${kind} ${holders[kind]}`,
        max: terms.perHolder[kind],
      }))
      const full = slots.find(({ name, max }) => (counts.get(name) ?? 0) >= max)
      if (full !== undefined) {
        const message = `Too many streams are open: ${full.max} of one ${full.kind} at a time. Close some, or try again later.`
        throw new AppError('rate_limited', { message, retryAfterS: 10 })
      }
      // Nobody's fault who asks: another process may have room.
      if (open.size >= terms.perProcess) throw new AppError('unavailable', { retryAfterS: 10 })
      const held = rights.hold(right, { lost: () => stream.end(), confirmed: () => stream.goOn() })
      const stream = startStream(reply, deps.clock, held, budget)
      open.add(stream)
      for (const { name } of slots) counts.set(name, (counts.get(name) ?? 0) + 1)
      stream.onEnd(() => {
        open.delete(stream)
        held.release()
        for (const { name } of slots) {
          const left = (counts.get(name) ?? 1) - 1
          if (left === 0) counts.delete(name)
          else counts.set(name, left)
        }
      })
      return stream
    },
  }
}

interface OpenStream extends EventStream {
  /** Its right stands after all. */
  goOn(): void
  unreadBytes(): number
  /** Ends it without waiting for what is unread. */
  drop(): void
}

/** @returns what is called with the bytes of each message that is kept for a client. */
function makeBudget(open: ReadonlySet<OpenStream>, maxBytes: number): (bytes: number) => void {
  // Counted too high between two looks, as what clients take is not seen here.
  let atMost = 0
  return (bytes) => {
    atMost += bytes
    if (atMost <= maxBytes) return
    const unread = [...open].map((stream) => ({ stream, bytes: stream.unreadBytes() }))
    atMost = unread.reduce((sum, one) => sum + one.bytes, 0)
    for (const one of unread.sort((a, b) => b.bytes - a.bytes)) {
      if (atMost <= maxBytes) return
      one.stream.drop()
      atMost -= one.bytes
    }
  }
}

function startStream(reply: FastifyReply, clock: Clock, right: HeldRight, keep: (bytes: number) => void): OpenStream {
  const ended = new AbortController()
  const body = new PassThrough()
  /** What waits for the right. */
  let unsure: string[] = []
  let unsureBytes = 0
  const sure = new EventTarget()
  /** The newest state that the client has no room for yet. */
  let newest: string | null = null
  const unreadBytes = (): number =>
    body.readableLength + body.writableLength + unsureBytes + (newest?.length ?? 0) + reply.raw.writableLength
  const write = (text: string): void => {
    if (ended.signal.aborted || body.destroyed) return
    body.write(text)
    if (body.readableLength + body.writableLength > UNREAD_MAX_BYTES) body.destroy()
    keep(text.length)
  }
  const showNewest = (): void => {
    if (newest === null || body.writableNeedDrain || !right.isSure()) return
    const message = newest
    newest = null
    write(message)
  }
  body.on('drain', showNewest)
  body.once('close', () => ended.abort())
  body.on('error', () => undefined)
  void beat()

  // The first bytes send the headers, so that the client knows that it is connected.
  write(': connected\n\n')
  reply
    .header('Content-Type', 'text/event-stream; charset=utf-8')
    .header('Cache-Control', 'no-store')
    // The connection ends with the stream: kept alive, it would hold up a server that is stopping.
    .header('Connection', 'close')
    // Some proxies buffer an answer unless they are told not to.
    .header('X-Accel-Buffering', 'no')
    .send(body)
  return {
    send(event, data) {
      const message = `event: ${event}\ndata: ${data}\n\n`
      if (unsure.length === 0 && right.isSure()) return write(message)
      unsure.push(message)
      unsureBytes += message.length
      // It comes back and is told the newest state.
      if (unsureBytes > UNREAD_MAX_BYTES) end()
      keep(message.length)
    },
    show(event, data) {
      if (ended.signal.aborted) return
      newest = `event: ${event}\ndata: ${data}\n\n`
      showNewest()
      if (newest !== null) keep(newest.length)
    },
    unreadBytes,
    drop: () => void body.destroy(),
    async deliver(message) {
      if (body.writableNeedDrain && !ended.signal.aborted) await untilTaken()
      while (!right.isSure() && !ended.signal.aborted) await untilSure()
      write(message)
      return !ended.signal.aborted && !body.destroyed
    },
    goOn() {
      for (const message of unsure) write(message)
      unsure = []
      unsureBytes = 0
      showNewest()
      sure.dispatchEvent(new Event('sure'))
    },
    end,
    onEnd(act) {
      if (ended.signal.aborted) act()
      else ended.signal.addEventListener('abort', act, { once: true })
    },
  }

  function end(): void {
    if (ended.signal.aborted) return
    body.end()
    ended.abort()
    void cutOff()
  }

  /** Of a client that reads no more the connection would stay open. */
  async function cutOff(): Promise<void> {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    await clock.sleep(LINGER_MS, gone.signal)
    if (!gone.signal.aborted) reply.raw.destroy()
  }

  function untilSure(): Promise<void> {
    return new Promise((resolve) => {
      const stop = (): void => {
        sure.removeEventListener('sure', stop)
        ended.signal.removeEventListener('abort', stop)
        resolve()
      }
      sure.addEventListener('sure', stop)
      ended.signal.addEventListener('abort', stop)
    })
  }

  async function untilTaken(): Promise<void> {
    const waiting = new AbortController()
    const stop = (): void => waiting.abort()
    body.once('drain', stop)
    ended.signal.addEventListener('abort', stop, { once: true })
    await clock.sleep(STUCK_MS, waiting.signal)
    body.off('drain', stop)
    ended.signal.removeEventListener('abort', stop)
    // Destroyed rather than ended: unread data must not keep the connection open.
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
