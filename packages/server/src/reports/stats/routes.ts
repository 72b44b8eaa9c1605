// HTTP routes of statistics (contract.md 5).
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import type { App } from '@florin/platform/http/server'
import { findZone } from '@florin/platform/merchants.store'
import { deliveryStatuses, orderStatuses, statsBuckets, statsMetrics } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { readRange } from './range.ts'
import { seriesOf, summarize } from './stats.ts'
import type { Asked } from './store.ts'

const closed = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const Moment = Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; up to 400 days, 30 when left out' }))
const RangeQuery = { ...LivemodeQuery, from: Moment, to: Moment }
const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Figure = Nullable(Type.Number())
const CountBy = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])), closed)

const SummarySchema = Type.Object(
  {
    from: Time,
    to: Time,
    orders_total: Type.Integer(),
    orders_by_status: CountBy(orderStatuses),
    volume_usd: Type.Number({ description: 'US dollars of the orders made in the range' }),
    settled_usd: Type.Number({ description: 'US dollars of the orders settled in the range' }),
    left_chain_usd: Type.Number({
      description:
        'Of settled_usd, orders whose settlement the chain took back since: they stay success, and the merchant does not have all of it',
    }),
    left_chain_orders: Type.Integer({ description: 'How many those are' }),
    by_currency: Type.Array(
      Type.Object(
        { currency: Type.String(), orders: Type.Integer(), volume: Type.String(), settled: Type.String() },
        closed,
      ),
      { description: 'The same orders in the currencies that they were asked for in, exactly.' },
    ),
    display: Nullable(
      Type.Object(
        {
          currency: Type.String(),
          volume: Type.String(),
          settled: Type.String(),
          is_estimate: Type.Boolean({ description: 'Some of it was asked for in other currencies' }),
          rate: Type.String({ description: 'Units for one dollar, by which those are told' }),
          observed_at: Time,
        },
        {
          ...closed,
          description: 'All of it in the display currency; null: that is dollars, or no rate of it is known.',
        },
      ),
    ),
    success_rate: Figure,
    time_to_pay_p50_s: Figure,
    time_to_pay_p95_s: Figure,
    deliveries_by_status: CountBy(deliveryStatuses),
    deliveries_late: Type.Integer({ description: 'Due for more than a minute and not sent; at most 1000' }),
    deliveries_late_since: Nullable(Time),
    webhook_success_rate: Figure,
    attention_open: Type.Integer(),
  },
  closed,
)

const SeriesSchema = Type.Object(
  {
    metric: Type.Enum([...statsMetrics]),
    bucket: Type.Enum([...statsBuckets]),
    time_zone: Type.String({ description: 'The zone that the days, weeks and months of the buckets belong to' }),
    currency: Type.String({ description: 'Of the values of volume and settled' }),
    points: Type.Array(Type.Object({ at: Time, value: Figure }, closed)),
  },
  closed,
)

export function statsRoutes(app: App, deps: { sql: Sql; clock: Clock }): void {
  const about = (summary: string, description: string) => ({
    tags: ['console: reports'],
    summary,
    description,
    security: [{ consoleToken: [] }],
  })
  const asked = (request: {
    merchant: { id: string; no: number }
    query: { livemode: 'true' | 'false'; from?: string; to?: string }
  }): Asked => ({
    ...readRange(request.query, deps.clock.now()),
    merchantId: request.merchant.id,
    merchantNo: request.merchant.no,
    livemode: readLivemode(request.query),
  })

  app.get(
    '/api/v1/boss/stats/summary',
    {
      schema: {
        ...about('Figures of a range of time', 'Orders count by when they were made, settlements by when they were.'),
        querystring: Type.Object(RangeQuery, closed),
        response: { 200: Envelope(SummarySchema) },
      },
    },
    async (request) => envelope(await summarize(deps.sql, asked(request), deps.clock.now())),
  )

  app.get(
    '/api/v1/boss/stats/series',
    {
      schema: {
        ...about(
          'A figure over time',
          'One point a bucket, empty ones too: days, weeks from Monday on, and months of the time zone that the merchant set; else of UTC.',
        ),
        querystring: Type.Object(
          {
            ...RangeQuery,
            metric: Type.Enum([...statsMetrics]),
            bucket: Type.Enum([...statsBuckets]),
            in: Type.Optional(
              Type.Enum(['usd', 'display'], { description: 'Which currency volume and settled are told in; usd' }),
            ),
          },
          closed,
        ),
        response: { 200: Envelope(SeriesSchema) },
      },
    },
    async (request) => {
      const { metric, bucket } = request.query
      const zone = await findZone(deps.sql, request.merchant.id)
      const isDisplay = request.query.in === 'display'
      return envelope(await seriesOf(deps.sql, asked(request), metric, bucket, { zone, isDisplay }))
    },
  )
}
