// SQL of the addresses that are derived ahead of each account's counter, so that no order waits for a derivation, and that are
// looked for on the chain before anybody was given them.
import type { Sql } from '@florin/platform/db/pool'
import type { Db } from '@florin/platform/db/tx'
import { type AccountRow, type Assigned, accountColumns } from './store.ts'

/** Accounts whose look-ahead runs low: `from` is the first index that is missing. */
export function listThin(
  sql: Sql,
  a: { least: number; limit: number },
): Promise<(AccountRow & { nextIndex: bigint; from: bigint; isFirst: boolean })[]> {
  return sql<(AccountRow & { nextIndex: bigint; from: bigint; isFirst: boolean })[]>`
    select ${accountColumns(sql)}, r.next_index as "nextIndex", greatest(r.next_index, r.derived_to) as "from", r.derived_to = 0 as "isFirst"
    from receiving_accounts r where r.derived_to < r.next_index + ${a.least}
    order by r.created_at limit ${a.limit}`
}

export function saveDerived(sql: Sql, a: { id: string; from: bigint; to: bigint }): Promise<unknown> {
  return sql`
    update receiving_accounts set derived_to = ${a.to} where id = ${a.id} and greatest(next_index, derived_to) >= ${a.from}`
}

export function listLookAhead(
  sql: Sql,
  a: { chain: string; network: string; each: number; limit: number },
): Promise<{ account: string; index: bigint; script: string }[]> {
  return sql<{ account: string; index: bigint; script: string }[]>`
    select r.id as account, d.index, d.script
    from receiving_accounts r
    join account_addresses d on d.account_id = r.id and d.index >= r.next_index and d.index < r.next_index + ${a.each}
    where r.chain = ${a.chain} and r.network = ${a.network} order by 1, 2 limit ${a.limit}`
}

export function saveLookAhead(db: Db, id: string, rows: readonly Assigned[]): Promise<unknown> {
  return db`
    insert into account_addresses (account_id, index, script)
    select ${id}, index, script from unnest(${rows.map((row) => row.index)}::bigint[], ${rows.map((row) => row.script)}::text[]) as t (index, script)
    on conflict on constraint one_address_per_index do nothing`
}
