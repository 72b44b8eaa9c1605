// Open event streams: written at the reader's pace; closed when the process stops, when the right to read the feed ends
// and when a reader is stuck. A stream is a polling loop; wakes only make it poll sooner.

import type { Clock } from '@florin/platform/clock'
import { failureFields } from '@florin/platform/db/failures'
import type { Sql } from '@florin/platform/db/pool'
import { type EventStream, makeEventStreams } from '@florin/platform/http/event-stream'
import type { App } from '@florin/platform/http/server'
import type { Log } from '@florin/platform/worker/job'
import { type Scope, SECOND_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listOpenHashes } from '../../keys/store.ts'
import type { Wakes } from '../../wakes.ts'

type StreamDeps = { sql: Sql; clock: Clock; log: Log; wake: Wakes }

const POLL_MS = SECOND_MS
/** Between two looks, however often a stream is woken: many commits a second are one look at all of them. */
const BREATHER_MS = 20
/** One key leaves the merchant's other keys half of them. */
const STREAMS = { perHolder: { key: 10, merchant: 20 }, perProcess: 5_000 } as const

export interface Streams {
  /** Answers the request; resolves when the stream has ended. `next` returns the frames since its last call. */
  open(request: FastifyRequest, reply: FastifyReply, next: () => Promise<string[]>): Promise<void>
}

/** @param scopes what a key needs to open a stream, and to keep it. */
export function makeStreams(app: App, deps: StreamDeps, scopes: readonly Scope[]): Streams {
  const streams = makeEventStreams(app, deps, {
    ...STREAMS,
    async standing(rights) {
      const hashes = rights.map((right) => Buffer.from(right, 'hex'))
      const open = await listOpenHashes(deps.sql, { hashes, scopes, now: deps.clock.now() })
      return open.map(nameOf)
    },
  })
  return {
    async open({ apiKey, keyHash }, reply, next) {
      const stream = streams.open(reply, {
        holders: { key: apiKey.id, merchant: apiKey.merchantId },
        right: nameOf(keyHash),
      })
      try {
        await follow(deps, stream, next)
      } catch (error) {
        deps.log.warn(failureFields(error), 'an event stream failed')
      } finally {
        stream.end()
      }
    },
  }
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

async function follow(deps: StreamDeps, stream: EventStream, next: () => Promise<string[]>): Promise<void> {
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
  try {
    while (!hasEnded) {
      isWoken = false
      pause = new AbortController()
      const frames = await next()
      for (const frame of frames) if (!(await stream.deliver(frame))) return
      if (frames.length > 1 || isWoken) {
        await deps.clock.sleep(BREATHER_MS)
        continue
      }
      await deps.clock.sleep(POLL_MS, pause.signal)
    }
  } finally {
    off()
  }
}
