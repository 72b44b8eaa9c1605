// SQL of the chain of a wallet's own change, and of whose the scripts are that a transaction spends.
import type { Sql } from '@florin/platform/db/pool'
import type { Db } from '@florin/platform/db/tx'
import { type AccountRow, accountColumns } from './store.ts'

/** Accounts that were paid and whose chain of change is derived less far than `ahead` beyond the counter, the least far first. */
export function listThinChange(
  sql: Sql,
  a: { ahead: bigint; limit: number },
): Promise<(AccountRow & { changeFrom: string; from: bigint })[]> {
  return sql<(AccountRow & { changeFrom: string; from: bigint })[]>`
    select ${accountColumns(sql)}, r.change_from as "changeFrom", r.change_to as "from" from receiving_accounts r
    where r.change_from is not null and r.change_to < r.next_index + ${a.ahead}
      and exists (select from account_addresses d where d.account_id = r.id and d.is_paid)
    order by r.change_to, r.id limit ${a.limit}`
}

export function saveChange(sql: Sql, a: { id: string; from: bigint; scripts: readonly string[] }): Promise<unknown> {
  return sql`
    with kept as (
      insert into account_change (account_id, index, script)
      select ${a.id}, ${a.from}::bigint + n - 1, script
      from unnest(${a.scripts as string[]}::text[]) with ordinality as t (script, n)
      on conflict on constraint one_change_per_index do nothing)
    update receiving_accounts set change_to = greatest(change_to, ${a.from + BigInt(a.scripts.length)})
    where id = ${a.id}`
}

export interface Owned {
  script: string
  merchantId: string
}

/**
 * Of these scripts those that are an account's, its change too, and whose account that is. Only of accounts into which an order was
 * paid: setting one proves nothing, anybody who has the key may.
 */
export function listOwners(db: Db, scripts: readonly string[]): Promise<Owned[]> {
  const some = scripts as string[]
  return db<Owned[]>`
    select distinct m.script, r.merchant_id as "merchantId" from (
      select account_id, script from account_addresses where script = any(${some}::text[])
      union all
      select account_id, script from account_change where script = any(${some}::text[])) m
    join receiving_accounts r on r.id = m.account_id
    where exists (select from account_addresses p where p.account_id = r.id and p.order_ref is not null and p.is_paid) limit 1000`
}
