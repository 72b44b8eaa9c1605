// Open event streams: written as fast as the reader takes them and no faster, closed when the process stops, when
// the key is revoked and when a reader is stuck. A stream is a loop that asks; wakes only make it ask sooner.
import type { ServerResponse } from 'node:http'
import { SECOND_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyCaller } from '../../callers.ts'
import type { Deps } from '../../deps.ts'
import { findKey } from '../../keys/store.ts'
import { AppError } from '../../platform/errors.ts'
import type { App } from '../../platform/http/server.ts'

type StreamDeps = Pick<Deps, 'sql' | 'clock' | 'log' | 'wake'>

const POLL_MS = SECOND_MS
const COMMENT_MS = 15 * SECOND_MS
/** A revoked key's streams end within this time. */
const KEY_CHECK_MS = 5 * SECOND_MS
/** A reader that takes nothing for this long is gone. */
const STUCK_MS = 30 * SECOND_MS
const STREAMS_PER_MERCHANT_MAX = 20

export interface Streams {
  /** Takes the connection over; resolves when the stream has ended. `next` answers the frames since its last call. */
  open(request: FastifyRequest, reply: FastifyReply, next: () => Promise<string[]>): Promise<void>
}

export function makeStreams(app: App, deps: StreamDeps): Streams {
  const open = new Map<string, Set<AbortController>>()
  app.addHook('preClose', async () => {
    for (const streams of open.values()) for (const stream of streams) stream.abort()
  })
  return {
    async open({ apiKey }, reply, next) {
      const own = open.get(apiKey.merchantId) ?? new Set()
      if (own.size >= STREAMS_PER_MERCHANT_MAX) {
        throw new AppError('rate_limited', {
          message: `At most ${STREAMS_PER_MERCHANT_MAX} streams may be open.`,
          retryAfterS: 10,
        })
      }
      const ended = new AbortController()
      own.add(ended)
      open.set(apiKey.merchantId, own)
      reply.hijack()
      reply.raw.once('close', () => ended.abort())
      reply.raw.on('error', () => ended.abort())
      try {
        reply.raw.writeHead(200, {
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
          'X-Request-Id': reply.request.id,
        })
        await follow(deps, apiKey, reply.raw, next, ended.signal)
      } catch (error) {
        deps.log.warn({ err: error }, 'an event stream broke off')
      } finally {
        reply.raw.end()
        own.delete(ended)
        if (own.size === 0) open.delete(apiKey.merchantId)
      }
    },
  }
}

async function follow(
  deps: StreamDeps,
  key: KeyCaller,
  out: ServerResponse,
  next: () => Promise<string[]>,
  ended: AbortSignal,
): Promise<void> {
  let pause = new AbortController()
  let isWoken = false
  const wake = (): void => {
    if (isWoken) return
    isWoken = true
    pause.abort()
  }
  const off = deps.wake.orders.on(wake)
  ended.addEventListener('abort', wake, { once: true })
  let commentedAt = Number.NEGATIVE_INFINITY
  let checkedAt = deps.clock.now().getTime()
  try {
    while (!ended.aborted) {
      isWoken = false
      pause = new AbortController()
      const now = deps.clock.now().getTime()
      if (now - checkedAt >= KEY_CHECK_MS) {
        if (!(await isLive(deps, key))) return
        checkedAt = now
      }
      const frames = await next()
      // At once the first time, so that the reader sees the stream open.
      if (frames.length === 0 && now - commentedAt >= COMMENT_MS) frames.push(': here\n\n')
      if (frames.length > 0) commentedAt = now
      if (frames.length > 0 && !(await written(out, frames.join(''), ended))) return
      if (frames.length > 1 || isWoken) continue
      await deps.clock.sleep(POLL_MS, pause.signal)
    }
  } finally {
    off()
  }
}

async function isLive(deps: StreamDeps, caller: KeyCaller): Promise<boolean> {
  const key = await findKey(deps.sql, caller.merchantId, caller.id)
  return key !== null && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > deps.clock.now())
}

/** @returns false when the reader is gone. */
async function written(out: ServerResponse, text: string, ended: AbortSignal): Promise<boolean> {
  if (ended.aborted) return false
  if (out.write(text)) return true
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), STUCK_MS)
  const onDrain = (): void => resolve(true)
  const onEnd = (): void => resolve(false)
  out.once('drain', onDrain)
  ended.addEventListener('abort', onEnd, { once: true })
  const drained = await promise
  clearTimeout(timer)
  out.off('drain', onDrain)
  ended.removeEventListener('abort', onEnd)
  if (!drained) out.destroy()
  return drained
}
