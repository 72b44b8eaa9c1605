// SQL of what belongs to one wallet: accounts whose keys are one another's, the chain of a wallet's own change, and whose
// the scripts are that a transaction spends.
import type { Sql } from '../../platform/db/pool.ts'
import type { Db } from '../../platform/db/tx.ts'
import { type AccountRow, accountColumns } from './store.ts'

/** Of the account `r`: itself, and those of the same wallet. */
export const sameWallet = (db: Db) => db`(
  select r.id union
  select s.id from receiving_accounts s
  where s.wallet_marks && r.wallet_marks and s.chain = r.chain and s.network = r.network)`

/** Accounts of before marks were kept. */
export function listUnmarked(sql: Sql, limit: number): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    select ${accountColumns(sql)} from receiving_accounts r where wallet_marks is null order by id limit ${limit}`
}

export function saveMarks(
  sql: Sql,
  a: { id: string; marks: readonly string[]; changeFrom: string | null },
): Promise<unknown> {
  return sql`
    update receiving_accounts set wallet_marks = ${a.marks as string[]}::text[], change_from = ${a.changeFrom}
    where id = ${a.id} and wallet_marks is null`
}

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

export interface WalletOf {
  id: string
  /** false: the address was given to an order of another merchant who has the same wallet. */
  isOwn: boolean
}

/**
 * Of these scripts, those whose wallets they are: to whose orders they were given, or who has the account whose receiving or
 * change addresses they are. Only who was paid into that account: to have set it proves nothing, anybody may who has the key.
 */
export function listMerchantsOf(db: Db, scripts: readonly string[]): Promise<WalletOf[]> {
  const some = scripts as string[]
  return db<WalletOf[]>`
    select m.id, bool_or(m.is_own) as "isOwn" from (
      select d.account_id, h.merchant_id as id, coalesce(d.merchant_id = h.merchant_id, true) as is_own
      from account_addresses d join account_holders h using (account_id) where d.script = any(${some}::text[])
      union
      select c.account_id, h.merchant_id, true from account_change c join account_holders h using (account_id)
      where c.script = any(${some}::text[])) m
    where exists (
      select from account_addresses p where p.account_id = m.account_id and p.merchant_id = m.id and p.is_paid)
    group by m.id limit 1000`
}
