// The console's stream of changes (contract.md 5): what changed, never what it changed to, so a console reads it with
// its own rights. A stream ends with the session that opened it.

import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { type EventStream, makeEventStreams } from '../platform/http/event-stream.ts'
import type { App } from '../platform/http/server.ts'
import { makePoller } from '../platform/worker/poller.ts'
import { listLiveSessions } from './changes.store.ts'
import { changeFeed } from './changes.ts'

export const CHANGE_EVENT = 'change'

/** A person has a few tabs open, a merchant a few people. */
const STREAMS = { perHolder: { session: 10, merchant: 50 }, perProcess: 2_000 } as const
/** How long a stream may outlive its session. */
const SESSION_CHECK_MS = 3_000

export function streamRoutes(app: App, deps: Pick<Deps, 'sql' | 'clock' | 'log' | 'wake'>): void {
  const streams = makeEventStreams(app, deps.clock, STREAMS)
  const feed = changeFeed(deps)
  const bySession = new Map<string, Set<EventStream>>()
  const sessions = makePoller(deps, {
    name: 'end streams of ended sessions',
    everyMs: SESSION_CHECK_MS,
    wakes: [],
    async look() {
      // Of those who come while the question is asked nothing is known yet.
      const asked = [...bySession.keys()]
      const live = new Set(await listLiveSessions(deps.sql, asked, deps.clock.now()))
      for (const id of asked) if (!live.has(id)) for (const stream of bySession.get(id) ?? []) stream.end()
    },
  })
  app.addHook('onClose', async () => {
    await Promise.all([feed.close(), sessions.close()])
  })

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
      const { id, sessionId, isOperator } = merchant
      const send = (changes: readonly unknown[]): void => {
        for (const change of changes) stream.send(CHANGE_EVENT, JSON.stringify(change))
      }
      // Followed before the answer begins: whoever is told "connected" misses nothing from then on.
      const stop = await feed.follow({ merchantId: id, isOperator }, send)
      let stream: EventStream
      try {
        stream = streams.open(reply, { session: sessionId, merchant: id })
      } catch (error) {
        stop()
        throw error
      }
      const ofSession = bySession.get(sessionId) ?? new Set()
      bySession.set(sessionId, ofSession.add(stream))
      const release = sessions.hold()
      stream.onEnd(() => {
        stop()
        release()
        ofSession.delete(stream)
        if (ofSession.size === 0) bySession.delete(sessionId)
      })
      return reply
    },
  )
}
