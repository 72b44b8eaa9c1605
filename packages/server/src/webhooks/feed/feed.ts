// GET /v1/events and GET /v1/events/stream: for receivers that missed events, and for `florin listen`. The bodies are
// the frozen bytes that webhooks carry.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { sendJson } from '@florin/platform/http/json'
import { PageQuery, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Log } from '@florin/platform/worker/job'
import { DAY_MS, eventKinds, type Scope } from '@florin/protocol'
import { Type } from 'typebox'
import type { Wakes } from '../../wakes.ts'
import { cursorOf, parseCursor } from './cursor.ts'
import type { FeedEvent } from './feed.store.ts'
import { follow } from './follow.ts'
import { BEGINNING, placeOf, readOn } from './read.ts'
import { makeStreams } from './stream.ts'

/** How far back events are served. */
const FEED_MS = 30 * DAY_MS

/** Events carry whole orders, so whoever reads them may read orders too. */
const scopes: readonly Scope[] = ['webhooks:read', 'orders:read']

const security = [{ apiKey: [] }, { apiKeyBearer: [] }]
const after = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'A next_cursor, or the id of an event',
  }),
)
const EventSchema = Type.Object(
  {
    id: Type.String(),
    event: Type.Enum([...eventKinds]),
    created_at: Type.String(),
    order: Type.Object(
      {},
      {
        ...{ additionalProperties: true, description: 'The order as it was at this event' },
        'x-document': { component: 'Order' },
      },
    ),
  },
  { additionalProperties: false, title: 'Event' },
)
const FeedPage = Type.Object(
  {
    data: Type.Array(EventSchema),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Where to go on; also given when there is nothing more yet',
    }),
  },
  { additionalProperties: false },
)

export function feedRoutes(app: App, deps: { sql: Sql; clock: Clock; log: Log; wake: Wakes }): void {
  const since = (): Date => new Date(deps.clock.now().getTime() - FEED_MS)

  app.get(
    '/v1/events',
    {
      config: { scope: scopes },
      schema: {
        tags: ['events'],
        summary: 'Every event of the last 30 days, in the order of their commits',
        description:
          'Keep next_cursor and ask with it again: no event can ever appear behind it. Needs the scopes webhooks:read and orders:read, since events carry whole orders.',
        security,
        querystring: Type.Object({ after, limit: PageQuery.limit }, { additionalProperties: false }),
        response: { 200: FeedPage },
      },
    },
    async (request, reply) => {
      const limit = readLimit(request.query)
      const { after } = request.query
      const reader = request.apiKey
      const behind = after === undefined ? BEGINNING : await placeOf(deps.sql, reader, parseCursor(after, 'after'))
      const rows = behind === null ? [] : await readOn(deps.sql, reader, { behind, since: since(), limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = last === undefined ? (after ?? null) : cursorOf(last)
      // The bodies are JSON already and are sent byte for byte.
      const data = shown.map((row) => Buffer.from(row.body).toString()).join(',')
      const hasMore = rows.length > limit
      return sendJson(reply, `{"data":[${data}],"has_more":${hasMore},"next_cursor":${JSON.stringify(next)}}`)
    },
  )

  const streams = makeStreams(app, deps, scopes)
  app.get(
    '/v1/events/stream',
    {
      // A HEAD request would open a stream that nobody reads.
      exposeHeadRoute: false,
      config: { scope: scopes, isStream: true },
      schema: {
        tags: ['events'],
        summary: 'The same events as they happen, as server-sent events',
        description:
          'Begins now, or behind Last-Event-ID. A comment every 15 s keeps the connection alive. Ends within 5 s of the right of the key that opened it. Needs webhooks:read and orders:read.',
        security,
        produces: ['text/event-stream'],
      },
    },
    async (request, reply) => {
      const last = request.headers['last-event-id']
      const cursor = typeof last === 'string' && last !== '' ? parseCursor(last, 'Last-Event-ID') : null
      const next = await follow(deps.sql, request.apiKey, { cursor, since })
      await streams.open(request, reply, async () => (await next()).map(frameOf))
      return reply
    },
  )
}

/** JSON has no line breaks of its own, so one data line holds it. */
const frameOf = (row: FeedEvent): string =>
  `id: ${cursorOf(row)}\nevent: ${row.event}\ndata: ${Buffer.from(row.body).toString()}\n\n`
