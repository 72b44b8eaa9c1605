// SQL of receiving_accounts, account_addresses and account_assignments. Only the row of an account is locked, and always
// first, so processes that assign at once wait for each other and never for a circle.
import type { Account, AccountChain, Network, ScriptType } from '@florin/accounts'
import { type AccountRef, isAccountRef } from '../../account-ref.ts'
import type { Sql } from '../../platform/db/pool.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { type Depth, type HistoryState, KEPT, type ToldBy } from './rules.ts'

export interface AccountRow {
  id: AccountRef
  chain: AccountChain
  network: Network
  script: ScriptType
  descriptor: string
  fingerprint: string | null
  nextIndex: bigint
  seenBelow: bigint
  walletLimit: number
  setBy: string
  examinedAt: Date | null
  depths: Depth[] | null
  saidBelow: bigint | null
  toldBy: ToldBy[]
  history: HistoryState
  readTop: bigint | null
  readDownTo: bigint | null
  /** When the oldest that nobody paid was given out. */
  oldestUnpaid: Date | null
}

/** Of the table by its name, or of an alias whose columns no other has. */
export const accountColumns = (db: Db) => db`
  id, chain, network, script, descriptor, fingerprint, next_index as "nextIndex", seen_below as "seenBelow",
  wallet_limit as "walletLimit", set_by as "setBy", examined_at as "examinedAt", depths, said_below as "saidBelow",
  told_by as "toldBy", history, read_top as "readTop", read_down_to as "readDownTo", (
    select min(assigned_at) from account_addresses
    where account_id = id and seen_at is null and order_ref is not null) as "oldestUnpaid"`

/**
 * Adds an account, or leaves the one that is there as it is: whoever set it before, its counter goes on, and nobody can move
 * it by setting the account again.
 */
export function saveAccount(
  tx: Tx,
  a: { id: AccountRef; account: Account; from: bigint; toldBy: readonly ToldBy[]; setBy: string },
  now: Date,
): Promise<unknown> {
  const { chain, network, script, descriptor, fingerprint } = a.account
  return tx`
    insert into receiving_accounts (id, chain, network, script, descriptor, fingerprint, next_index, seen_below,
      start_index, told_by, set_by, created_at)
    values (${a.id}, ${chain}, ${network}, ${script}, ${descriptor}, ${fingerprint}, ${a.from}, ${a.from},
      ${a.from}, ${a.toldBy as ToldBy[]}::text[], ${a.setBy}, ${now})
    on conflict (id) do nothing`
}

/** Those that are named among these places, by id. */
export async function listAccounts(db: Db, places: readonly string[]): Promise<Map<string, AccountRow>> {
  const ids = places.filter(isAccountRef)
  if (ids.length === 0) return new Map()
  const rows = await db<AccountRow[]>`
    select ${accountColumns(db)}
    from receiving_accounts where id = any(${[...new Set(ids)]}::text[]) limit 1000`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locked until the transaction ends. @returns null where there is no such account. */
export async function lockAccount(tx: Tx, id: AccountRef): Promise<AccountRow | null> {
  const [row] = await tx<AccountRow[]>`
    select ${accountColumns(tx)}
    from receiving_accounts where id = ${id} for no key update`
  return row ?? null
}

export interface Assigned {
  index: bigint
  script: string
}

/** What an order has already. */
export async function findAssigned(db: Db, a: { id: string; orderRef: string }): Promise<Assigned | null> {
  const [row] = await db<Assigned[]>`
    select s.index, d.script from account_assignments s
    join account_addresses d using (account_id, index)
    where s.account_id = ${a.id} and s.order_ref = ${a.orderRef}`
  return row ?? null
}

/** The look-ahead's, if it has come so far. */
export async function findScript(db: Db, a: { id: string; index: bigint }): Promise<string | null> {
  const [row] = await db<{ script: string }[]>`
    select script from account_addresses where account_id = ${a.id} and index = ${a.index}`
  return row?.script ?? null
}

/** Gives an index to an order and moves the counter behind it. Under the account's lock. */
export function assign(
  tx: Tx,
  a: { id: AccountRef; index: bigint; script: string; orderRef: string; nextIndex: bigint },
  now: Date,
): Promise<unknown> {
  return tx`
    with given as (
      insert into account_addresses as d (account_id, index, script, order_ref, assigned_at)
      values (${a.id}, ${a.index}, ${a.script}, ${a.orderRef}, ${now})
      on conflict on constraint one_address_per_index do update set order_ref = excluded.order_ref, assigned_at = excluded.assigned_at
    ), kept as (
      insert into account_assignments (account_id, order_ref, index, assigned_at)
      values (${a.id}, ${a.orderRef}, ${a.index}, ${now})
    )
    update receiving_accounts set next_index = ${a.nextIndex} where id = ${a.id}`
}

/** The oldest that was given out before `before` and that no chain ever showed paid. Under the account's lock. */
export async function findReusable(tx: Tx, a: { id: AccountRef; before: Date }): Promise<Assigned | null> {
  const [row] = await tx<Assigned[]>`
    select index, script from account_addresses
    where account_id = ${a.id} and seen_at is null and order_ref is not null and assigned_at < ${a.before}
    order by assigned_at, index limit 1`
  return row ?? null
}

/** The chain has seen these paid: the wallet counts on from there, and so does the counter, whoever gave them out. */
export function markPaid(db: Db, a: { id: string; indexes: readonly bigint[] }, now: Date): Promise<unknown> {
  const behind = a.indexes.reduce((most, index) => (index >= most ? index + 1n : most), 0n)
  return db`
    with marked as (
      update account_addresses set seen_at = coalesce(seen_at, ${now}), is_paid = true
      where account_id = ${a.id} and index = any(${a.indexes}::bigint[])
    )
    update receiving_accounts set seen_below = greatest(seen_below, ${behind}), next_index = greatest(next_index, ${behind})
    where id = ${a.id} and (seen_below < ${behind} or next_index < ${behind})`
}

/** Somebody announced a payment to these: they are given to no other order, whatever becomes of it. */
export function markSeen(db: Db, a: { id: string; indexes: readonly bigint[] }, now: Date): Promise<unknown> {
  return db`
    update account_addresses set seen_at = ${now}
    where account_id = ${a.id} and index = any(${a.indexes}::bigint[]) and seen_at is null`
}

/** No block of the chain shows a payment to these any more: the wallet looks on from the last that is left. */
export async function unmarkPaid(tx: Tx, a: { id: string; indexes: readonly bigint[] }): Promise<void> {
  await tx`
    update account_addresses set is_paid = false
    where account_id = ${a.id} and index = any(${a.indexes}::bigint[])`
  await tx`
    update receiving_accounts r set seen_below = ${usedBelow(tx)} where id = ${a.id}`
}

/**
 * Of the account `r`: one above the last index that was used, as far as it is known. Where the counter began counts until
 * the whole chain was read.
 */
export const usedBelow = (db: Db) => db`greatest(
  case when history = 'whole' then found_below else greatest(start_index, found_below) end, said_below,
  (select max(d.index) + 1 from account_addresses d where d.account_id = r.id and d.is_paid))`

export function saveLookAhead(sql: Sql, id: string, rows: readonly Assigned[]): Promise<unknown> {
  return sql`
    insert into account_addresses (account_id, index, script)
    select ${id}, index, script from unnest(${rows.map((row) => row.index)}::bigint[], ${rows.map((row) => row.script)}::text[]) as t (index, script)
    on conflict on constraint one_address_per_index do nothing`
}

/** Scripts above the counter, of accounts that some merchant uses or used: `from` is the first index that is missing. */
export async function listThin(
  sql: Sql,
  a: { least: number; limit: number },
): Promise<(AccountRow & { from: bigint })[]> {
  return sql<(AccountRow & { from: bigint })[]>`
    select ${accountColumns(sql)},
           greatest(next_index, coalesce((select max(index) + 1 from account_addresses d where d.account_id = r.id), 0)) as "from"
    from receiving_accounts r
    where coalesce((select max(index) from account_addresses d where d.account_id = r.id), -1) < next_index + ${a.least}
    order by created_at limit ${a.limit}`
}

export async function listLookAhead(
  sql: Sql,
  a: { chain: string; network: string; each: number; limit: number },
): Promise<{ account: string; index: bigint; script: string }[]> {
  return sql<{ account: string; index: bigint; script: string }[]>`
    select r.id as account, d.index, d.script from receiving_accounts r
    join account_addresses d on d.account_id = r.id and d.index >= r.next_index and d.index < r.next_index + ${a.each}
    where r.chain = ${a.chain} and r.network = ${a.network} limit ${a.limit}`
}

/** Of these scripts those that stand in an account. */
export function listByScripts(db: Db, scripts: readonly string[]): Promise<{ account: string; index: bigint }[]> {
  return db<{ account: string; index: bigint }[]>`
    select account_id as account, index from account_addresses where script = any(${scripts}::text[]) limit 10000`
}

export interface NearLimit {
  id: string
  merchantId: string
  chain: string
  network: Network
  nextIndex: bigint
  seenBelow: bigint
  walletLimit: number
}

/** Accounts in use three quarters of whose row is taken, with every merchant who receives there. */
export function listNearLimit(tx: Tx): Promise<NearLimit[]> {
  return tx<NearLimit[]>`
    select r.id, a.merchant_id as "merchantId", r.chain, r.network, r.next_index as "nextIndex",
      r.seen_below as "seenBelow", r.wallet_limit as "walletLimit"
    from receiving_accounts r join receiving_addresses a on a.chain = r.chain and a.address = r.id
    where r.examined_at is not null and (r.next_index - r.seen_below) * 4 >= (r.wallet_limit - ${Number(KEPT)}) * 3
    order by r.id, a.merchant_id limit 5000`
}

export interface ForeignUse {
  account: string
  merchantId: string
  chain: string
  network: Network
  index: bigint
}

/** Of these scripts those of accounts in use that no order was ever given, the highest of each. */
export function listForeignUse(db: Db, scripts: readonly string[]): Promise<ForeignUse[]> {
  return db<ForeignUse[]>`
    select r.id as account, a.merchant_id as "merchantId", r.chain, r.network, max(d.index) as index
    from account_addresses d join receiving_accounts r on r.id = d.account_id
    join receiving_addresses a on a.chain = r.chain and a.address = r.id
    where d.script = any(${scripts}::text[]) and d.order_ref is null and d.index >= r.next_index
    group by r.id, a.merchant_id, r.chain, r.network limit 1000`
}

export function saveWalletLimit(tx: Tx, a: { id: string; walletLimit: number }): Promise<unknown> {
  return tx`update receiving_accounts set wallet_limit = ${a.walletLimit} where id = ${a.id}`
}

export async function findDepths(db: Db, id: string): Promise<Depth[] | null> {
  const [row] = await db<{ depths: Depth[] | null }[]>`select depths from receiving_accounts where id = ${id}`
  return row?.depths ?? null
}

/** @param a.depths null: as the operator says. */
export function saveDepths(tx: Tx, a: { id: string; depths: readonly Depth[] | null }): Promise<unknown> {
  const text = a.depths === null ? null : JSON.stringify(a.depths)
  return tx`update receiving_accounts set depths = ${text}::text::jsonb where id = ${a.id}`
}
