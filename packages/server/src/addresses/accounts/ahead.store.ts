// SQL of the addresses that are derived ahead of each holder's counter, so that no order waits for a derivation, and that are
// looked for on the chain before anybody was given them.
import type { Sql } from '../../platform/db/pool.ts'
import type { Db } from '../../platform/db/tx.ts'
import { type AccountRow, type Assigned, accountColumns } from './store.ts'

/** Holders whose look-ahead runs low: `from` is the first index that is missing. */
export function listThin(
  sql: Sql,
  a: { least: number; limit: number },
): Promise<(AccountRow & { merchantId: string; nextIndex: bigint; from: bigint })[]> {
  return sql<(AccountRow & { merchantId: string; nextIndex: bigint; from: bigint })[]>`
    select ${accountColumns(sql)}, h.merchant_id as "merchantId", h.next_index as "nextIndex",
      greatest(h.next_index, h.derived_to) as "from"
    from account_holders h join receiving_accounts r on r.id = h.account_id
    where h.derived_to < h.next_index + ${a.least}
    order by h.since limit ${a.limit}`
}

export function saveDerived(
  sql: Sql,
  a: { id: string; merchantId: string; from: bigint; to: bigint },
): Promise<unknown> {
  return sql`
    update account_holders set derived_to = ${a.to}
    where account_id = ${a.id} and merchant_id = ${a.merchantId} and greatest(next_index, derived_to) >= ${a.from}`
}

export function listLookAhead(
  sql: Sql,
  a: { chain: string; network: string; each: number; limit: number },
): Promise<{ account: string; index: bigint; script: string }[]> {
  return sql<{ account: string; index: bigint; script: string }[]>`
    select distinct r.id as account, d.index, d.script
    from account_holders h join receiving_accounts r on r.id = h.account_id
    join account_addresses d on d.account_id = r.id and d.index >= h.next_index and d.index < h.next_index + ${a.each}
    where r.chain = ${a.chain} and r.network = ${a.network} order by 1, 2 limit ${a.limit}`
}

/** The furthest counter of an account: what is looked for on the chain goes beyond it. */
export async function furthestOf(db: Db, id: string): Promise<bigint> {
  const [row] = await db<{ furthest: bigint | null }[]>`
    select max(next_index) as furthest from account_holders where account_id = ${id}`
  return row?.furthest ?? 0n
}

export function saveLookAhead(sql: Sql, id: string, rows: readonly Assigned[]): Promise<unknown> {
  return sql`
    insert into account_addresses (account_id, index, script)
    select ${id}, index, script from unnest(${rows.map((row) => row.index)}::bigint[], ${rows.map((row) => row.script)}::text[]) as t (index, script)
    on conflict on constraint one_address_per_index do nothing`
}
