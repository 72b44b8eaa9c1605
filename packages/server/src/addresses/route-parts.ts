// What the routes of receiving addresses share.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { Type } from 'typebox'
import { listCounted } from './accounts/counter.store.ts'
import type { ChainAddressRow } from './waiting.ts'

export const security = [{ consoleToken: [] }]
export const tags = ['console: receiving addresses']
export const path = '/api/v1/boss/addresses'
export const ChainName = Type.String({ maxLength: 200, description: 'Id, alias or CAIP-2 id of a chain' })

/** What the view of these rows needs besides them. */
export async function shownWith(
  deps: { sql: Sql; clock: Clock },
  merchant: { id: string },
  rows: readonly ChainAddressRow[],
) {
  const places = rows.flatMap(({ address, waiting }) => [address ?? [], waiting?.address ?? []].flat())
  const now = deps.clock.now()
  return { now, accounts: await listCounted(deps.sql, { merchantId: merchant.id, places, now }) }
}
