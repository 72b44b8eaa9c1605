// Open event streams: written as fast as the reader takes them and no faster, closed when the process stops, when
// the key is revoked and when a reader is stuck. A stream is a loop that asks; wakes only make it ask sooner.
import { SECOND_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyCaller } from '../../callers.ts'
import type { Deps } from '../../deps.ts'
import { isKeyLive } from '../../keys/store.ts'
import { type EventStream, makeEventStreams } from '../../platform/http/event-stream.ts'
import type { App } from '../../platform/http/server.ts'

type StreamDeps = Pick<Deps, 'sql' | 'clock' | 'log' | 'wake'>

const POLL_MS = SECOND_MS
/** A revoked key's streams end within this time. */
const KEY_CHECK_MS = 5 * SECOND_MS
const STREAMS = { perHolder: { merchant: 20 }, perProcess: 5_000 } as const

export interface Streams {
  /** Answers the request; resolves when the stream has ended. `next` answers the frames since its last call. */
  open(request: FastifyRequest, reply: FastifyReply, next: () => Promise<string[]>): Promise<void>
}

export function makeStreams(app: App, deps: StreamDeps): Streams {
  const streams = makeEventStreams(app, deps.clock, STREAMS)
  return {
    async open({ apiKey }, reply, next) {
      const stream = streams.open(reply, { merchant: apiKey.merchantId })
      try {
        await follow(deps, apiKey, stream, next)
      } catch (error) {
        deps.log.warn({ err: error }, 'an event stream broke off')
      } finally {
        stream.end()
      }
    },
  }
}

async function follow(
  deps: StreamDeps,
  key: KeyCaller,
  stream: EventStream,
  next: () => Promise<string[]>,
): Promise<void> {
  let pause = new AbortController()
  let isWoken = false
  let hasEnded = false
  const wake = (): void => {
    if (isWoken) return
    isWoken = true
    pause.abort()
  }
  const off = deps.wake.positions.on(wake)
  stream.onEnd(() => {
    hasEnded = true
    wake()
  })
  let checkedAt = deps.clock.now().getTime()
  try {
    while (!hasEnded) {
      isWoken = false
      pause = new AbortController()
      const now = deps.clock.now().getTime()
      if (now - checkedAt >= KEY_CHECK_MS) {
        if (!(await isKeyLive(deps.sql, key, deps.clock.now()))) return
        checkedAt = now
      }
      const frames = await next()
      for (const frame of frames) if (!(await stream.deliver(frame))) return
      if (frames.length > 1 || isWoken) continue
      await deps.clock.sleep(POLL_MS, pause.signal)
    }
  } finally {
    off()
  }
}
