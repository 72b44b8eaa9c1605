// The console's stream of changes (contract.md 5): names what changed, never its new value, so that a console reads it
// with its own rights. A stream ends with the session that opened it.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type EventStream, makeEventStreams } from '@florin/platform/http/event-stream'
import type { App } from '@florin/platform/http/server'
import type { Log } from '@florin/platform/worker/job'
import { Type } from 'typebox'
import { listOpenSessions } from '../login/store.ts'
import type { Wakes } from '../wakes.ts'
import { changeFeed } from './changes.ts'

export const CHANGE_EVENT = 'change'

/** A person has a few tabs open, a merchant a few people. */
const STREAMS = { perHolder: { session: 10, merchant: 50 }, perProcess: 2_000 } as const

export function streamRoutes(app: App, deps: { sql: Sql; clock: Clock; log: Log; wake: Wakes }): void {
  const streams = makeEventStreams(app, deps, {
    ...STREAMS,
    async standing(rights) {
      const open = await listOpenSessions(deps.sql, rights.map(sessionOf), deps.clock.now())
      return open.map(rightOf)
    },
  })
  const feed = changeFeed(deps)
  app.addHook('onClose', () => feed.close())

  app.get(
    '/api/v1/boss/stream',
    {
      // A HEAD request would open a stream that nobody reads.
      exposeHeadRoute: false,
      schema: {
        tags: ['console: reports'],
        summary: 'Follow what changes',
        description: `Server-sent events: "${CHANGE_EVENT}" with {kind, livemode, order_no} after each commit, and comments in between.`,
        security: [{ consoleToken: [] }],
        response: { 200: Type.String({ description: 'text/event-stream' }) },
      },
    },
    async ({ merchant }, reply) => {
      const { id, sessionId, email, isOperator } = merchant
      const send = (changes: readonly unknown[]): void => {
        for (const change of changes) stream.send(CHANGE_EVENT, JSON.stringify(change))
      }
      // Subscribed before the answer begins: a client that reads "connected" misses nothing from then on.
      const stop = await feed.follow({ merchantId: id, isOperator }, send)
      let stream: EventStream
      try {
        const right = rightOf({ id: sessionId, email })
        stream = streams.open(reply, { holders: { session: sessionId, merchant: id }, right })
      } catch (error) {
        stop()
        throw error
      }
      stream.onEnd(stop)
      return reply
    },
  )
}

/** Whoever has another email since may be an operator no longer, so the right is of both. */
const rightOf = (session: { id: string; email: string }): string => `${session.id} ${session.email}`
const sessionOf = (right: string): string => right.split(' ', 1).join()
