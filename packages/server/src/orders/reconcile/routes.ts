// HTTP routes of the comparison of books and chain (contract.md 5): for a merchant's server, and for the console, where
// operators see every merchant's.
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { BookDifference, Reconciliation } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import { listDifferences, readCoverage, type ToldDifference } from './store.ts'

const closed = { additionalProperties: false }
const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = Type.String()
const Time = Type.String({ format: 'date-time' })

const DifferenceSchema = Type.Object(
  {
    ...{ id: Text, livemode: Type.Boolean(), order_no: Text, merchant: Nullable(Text) },
    ...{ chain: Text, asset: Text, contract: Nullable(Text), decimals: Type.Integer() },
    ...{ booked: Text, found: Text, block: Nullable(Text), told_at: Time, resolved_at: Nullable(Time) },
  },
  { ...closed, title: 'BookDifference' },
)
const ReconciliationSchema = Type.Object(
  { compared_since: Nullable(Time), waiting: Type.Integer(), differences: Page(DifferenceSchema) },
  { ...closed, title: 'Reconciliation' },
)
const Status = { status: Type.Optional(Type.Enum(['open', 'resolved'])) }
type Query = { status?: string; limit?: string; cursor?: string }

const about = {
  summary: 'How the books compare with the chain',
  description:
    'For every order and asset, received - settled - fee - refunded is compared with what lies on its addresses at a final block. A difference is listed once it was seen at two final blocks; newest first.',
}

export function reconcileRoutes(app: App, { sql }: { sql: Sql }): void {
  app.get(
    '/v1/reconciliation',
    {
      config: { scope: 'orders:read' },
      schema: {
        ...{ ...about, tags: ['orders'], security: [{ apiKey: [] }, { apiKeyBearer: [] }] },
        querystring: Type.Object({ ...PageQuery, ...Status }, closed),
        response: { 200: ReconciliationSchema },
      },
    },
    ({ apiKey: { merchantId, livemode }, query }) => read({ merchantId, sees: merchantId, livemode, query }),
  )

  app.get(
    '/api/v1/boss/reconciliation',
    {
      schema: {
        ...{ ...about, tags: ['console: reports'], security: [{ consoleToken: [] }] },
        querystring: Type.Object({ ...LivemodeQuery, ...PageQuery, ...Status }, closed),
        response: { 200: Envelope(ReconciliationSchema) },
      },
    },
    async ({ merchant: { id: merchantId, isOperator }, query }) => {
      const livemode = readLivemode(query)
      return envelope(await read({ merchantId, sees: isOperator ? null : merchantId, livemode, query }))
    },
  )

  /** @param a.sees null: every merchant's. */
  async function read(a: {
    merchantId: string
    sees: string | null
    livemode: boolean
    query: Query
  }): Promise<Reconciliation> {
    const { sees, livemode, query } = a
    const limit = readLimit(query)
    const before = readIdCursor(query.cursor, 'dif')
    const open = query.status === undefined ? null : query.status === 'open'
    const [coverage, rows] = await Promise.all([
      readCoverage(sql, { merchantId: sees, livemode }),
      listDifferences(sql, { merchantId: sees, livemode, open, before, limit: limit + 1 }),
    ])
    return {
      compared_since: coverage.comparedSince?.toISOString() ?? null,
      waiting: coverage.waiting,
      differences: pageOf(
        rows,
        limit,
        (row) => viewDifference(row, a.merchantId),
        (row) => [row.id],
      ),
    }
  }
}

function viewDifference(row: ToldDifference, reader: string): BookDifference {
  return {
    ...{ id: row.id, livemode: row.livemode, order_no: row.orderNo, ...row.asset },
    merchant: row.merchantId === reader ? null : row.merchantEmail,
    ...{ booked: row.booked, found: row.found, block: row.height?.toString() ?? null },
    ...{ told_at: row.toldAt.toISOString(), resolved_at: row.resolvedAt?.toISOString() ?? null },
  }
}
