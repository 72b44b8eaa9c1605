// HTTP route of the fees that are owed to the operator (contract.md 5): of orders that were paid to the merchant's own wallet,
// nothing is taken on the way, so the operator asks for it afterwards.
import { findAsset, findChain } from '@florin/chains'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import type { App } from '@florin/platform/http/server'
import { findZone } from '@florin/platform/merchants.store'
import { addMonths, dayOf, type FeesOwed, startOfDay } from '@florin/protocol'
import { Type } from 'typebox'
import { listFeesOwed, type OwedRow } from '../orders/fees-owed.store.ts'

const closed = { additionalProperties: false }
const Text = Type.String()

const FeesOwedSchema = Type.Object(
  {
    month: Text,
    data: Type.Array(
      Type.Object(
        {
          ...{ merchant: Type.Union([Text, Type.Null()]), chain: Text, asset: Text, decimals: Type.Integer() },
          ...{ orders: Type.Integer(), amount: Text },
        },
        closed,
      ),
      { description: 'By merchant and coin, the most first' },
    ),
  },
  { ...closed, title: 'FeesOwed' },
)

export function feesOwedRoutes(app: App, { sql, clock }: { sql: Sql; clock: Clock }): void {
  app.get(
    '/api/v1/boss/fees-owed',
    {
      schema: {
        tags: ['console: reports'],
        summary: 'Fees that are owed to the operator',
        description:
          'Of orders whose money went straight to the merchant’s own wallet (Bitcoin, Litecoin), in one month of the reader’s time zone, by the time of their settlement. A merchant sees what is owed, operators see every merchant’s. Florin collects none of it.',
        security: [{ consoleToken: [] }],
        querystring: Type.Object(
          {
            ...LivemodeQuery,
            month: Type.Optional(Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: 'YYYY-MM' })),
          },
          closed,
        ),
        response: { 200: Envelope(FeesOwedSchema) },
      },
    },
    async ({ merchant: { id, isOperator }, query }) => {
      const zone = await findZone(sql, id)
      const month = query.month ?? dayOf(clock.now(), zone).slice(0, 7)
      const from = startOfDay(`${month}-01`, zone)
      const to = startOfDay(addMonths(`${month}-01`, 1), zone)
      const sees = { merchantId: isOperator ? null : id, livemode: readLivemode(query) }
      const rows = await listFeesOwed(sql, { ...sees, from, to })
      return envelope({ month, data: rows.map((row) => viewOwed(row, id)) })
    },
  )
}

function viewOwed(row: OwedRow, reader: string): FeesOwed['data'][number] {
  const chain = findChain(row.chain)
  const asset = row.chain.toUpperCase()
  const decimals = chain === null ? undefined : findAsset(chain, asset)?.decimals
  if (decimals === undefined) throw new AppError('internal')
  const { orders, amount } = row
  const merchant = row.merchantId === reader ? null : row.merchantEmail
  return { merchant, chain: row.chain, asset, decimals, orders, amount }
}
