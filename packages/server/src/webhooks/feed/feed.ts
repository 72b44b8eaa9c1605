// GET /v1/events and GET /v1/events/stream: what a receiver missed, and what florin listen follows. The bodies are
// the frozen bytes that webhooks carry.
import { DAY_MS, eventKinds, PAGE_MAX } from '@florin/protocol'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../platform/errors.ts'
import { sendJson } from '../../platform/http/json.ts'
import { PageQuery, readCursor, readLimit, writeCursor } from '../../platform/http/page.ts'
import type { App } from '../../platform/http/server.ts'
import { idPattern } from '../../platform/ids.ts'
import { eventsAfter, type FeedCursor, type FeedEvent, feedEnd, placeOf, type Reader } from './feed.store.ts'
import { makeStreams } from './stream.ts'

/** How far back events are served. */
const FEED_MS = 30 * DAY_MS
const BEGINNING: FeedCursor = { xid: '0', id: '' }

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
    order: Type.Object({}, { additionalProperties: true, description: 'The order as it was at this event' }),
  },
  { additionalProperties: false },
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

export function feedRoutes(app: App, deps: Pick<Deps, 'sql' | 'clock' | 'log' | 'wake'>): void {
  const since = (): Date => new Date(deps.clock.now().getTime() - FEED_MS)

  app.get(
    '/v1/events',
    {
      config: { scope: 'webhooks:read' },
      schema: {
        tags: ['events'],
        summary: 'Every event of the last 30 days, in the order of their commits',
        description: 'Keep next_cursor and ask with it again: no event can ever appear behind it.',
        security,
        querystring: Type.Object({ after, limit: PageQuery.limit }, { additionalProperties: false }),
        response: { 200: FeedPage },
      },
    },
    async (request, reply) => {
      const limit = readLimit(request.query)
      const from =
        request.query.after === undefined ? BEGINNING : await readPlace(deps, request.apiKey, request.query.after)
      const { merchantId, livemode } = request.apiKey
      const rows = await eventsAfter(deps.sql, { merchantId, livemode, after: from, since: since(), limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = last === undefined ? (request.query.after ?? null) : cursorOf(last)
      // The bodies are JSON already, and go out as the bytes they are.
      const data = shown.map((row) => Buffer.from(row.body).toString()).join(',')
      const hasMore = rows.length > limit
      return sendJson(reply, `{"data":[${data}],"has_more":${hasMore},"next_cursor":${JSON.stringify(next)}}`)
    },
  )

  const streams = makeStreams(app, deps)
  app.get(
    '/v1/events/stream',
    {
      config: { scope: 'webhooks:read' },
      schema: {
        tags: ['events'],
        summary: 'The same events as they happen, as server-sent events',
        description: 'Begins now, or behind Last-Event-ID. A comment every 15 s keeps the connection alive.',
        security,
        produces: ['text/event-stream'],
      },
    },
    async (request, reply) => {
      const last = request.headers['last-event-id']
      const from =
        typeof last === 'string' && last !== '' ? await readPlace(deps, request.apiKey, last) : await feedEnd(deps.sql)
      let at = from
      const { merchantId, livemode } = request.apiKey
      const next = async (): Promise<string[]> => {
        const rows = await eventsAfter(deps.sql, { merchantId, livemode, after: at, since: since(), limit: PAGE_MAX })
        at = rows.at(-1) ?? at
        return rows.map(frameOf)
      }
      await streams.open(request, reply, next)
      return reply
    },
  )
}

const cursorOf = (at: FeedCursor): string => writeCursor([at.xid, at.id])

/** JSON has no line breaks of its own, so one data line holds it. */
const frameOf = (row: FeedEvent): string =>
  `id: ${cursorOf(row)}\nevent: ${row.event}\ndata: ${Buffer.from(row.body).toString()}\n\n`

const eventIdPattern = new RegExp(idPattern('evt'))
const isPlace = (value: unknown): value is [string, string] =>
  Array.isArray(value) &&
  value.length === 2 &&
  /^\d{1,20}$/.test(String(value[0])) &&
  (value[1] === '' || eventIdPattern.test(String(value[1])))

async function readPlace(deps: Pick<Deps, 'sql'>, reader: Reader, text: string): Promise<FeedCursor> {
  if (eventIdPattern.test(text)) {
    const place = await placeOf(deps.sql, reader, text)
    if (place === null)
      throw new AppError('malformed_cursor', { param: 'after', message: 'There is no such event, or it is too old.' })
    return place
  }
  const [xid, id] = readCursor(text, isPlace) ?? []
  if (xid === undefined || id === undefined || BigInt(xid) >= 2n ** 64n)
    throw new AppError('malformed_cursor', { param: 'after' })
  return { xid, id }
}
