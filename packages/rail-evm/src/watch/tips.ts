// The tips of the watched chains, for counting confirmations: read from the database periodically, kept in memory, so
// that showing an order costs nothing.
import type { Sql } from '@florin/platform/db/pool'
import { listCursors } from './cursors.store.ts'

export interface ChainTips {
  /** null: the chain is not watched in this mode. */
  tips(chain: string, livemode: boolean): bigint | null
  refresh(): Promise<void>
}

export function makeTips(sql: Sql): ChainTips {
  let known = new Map<string, bigint>()
  return {
    tips: (chain, livemode) => known.get(`${chain} ${livemode}`) ?? null,
    async refresh() {
      const rows = await listCursors(sql)
      known = new Map(rows.map((row) => [`${row.chain} ${row.livemode}`, row.height]))
    },
  }
}
