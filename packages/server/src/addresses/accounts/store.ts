// SQL of receiving_accounts, account_addresses and account_assignments. Only the row of an account is locked, and always
// first, so processes that assign at once wait for each other and never for a circle.
import { type Account, type AccountChain, changeOf, type Network, type ScriptType, walletMarks } from '@florin/accounts'
import type { Db, Tx } from '@florin/platform/db/tx'
import { addTasks } from '@florin/platform/tasks/store'
import { type AccountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import type { HistoryState, ToldBy } from './rules.ts'

export interface AccountRow {
  id: AccountRef
  /** The one merchant who may receive there. */
  merchantId: string
  chain: AccountChain
  network: Network
  script: ScriptType
  descriptor: string
  fingerprint: string | null
  examinedAt: Date | null
  toldBy: ToldBy[]
  history: HistoryState
  readTop: bigint | null
  readDownTo: bigint | null
  /** One above the highest index that coins or blocks showed used. */
  foundBelow: bigint
}

/** Of receiving_accounts as `r`. */
export const accountColumns = (db: Db) => db`
  r.id, r.merchant_id as "merchantId", r.chain, r.network, r.script, r.descriptor, r.fingerprint, r.examined_at as "examinedAt",
  r.told_by as "toldBy", r.history, r.read_top as "readTop",
  r.read_down_to as "readDownTo", r.found_below as "foundBelow"`

/** The task that learns which addresses of an account were used before it came here. */
export const ACCOUNT_USE = 'account-use'

/**
 * Adds an account for a merchant; set again, its settings stay, and a text that shows more of the wallet takes the place of one that
 * shows less. @returns whether it is new
 */
export async function saveAccount(
  tx: Tx,
  a: { id: AccountRef; account: Account; merchantId: string; from: bigint; toldBy: readonly ToldBy[] },
  now: Date,
): Promise<boolean> {
  const { chain, network, script, descriptor, fingerprint } = a.account
  const changeFrom = changeOf(a.account) === null ? null : descriptor
  const rows = await tx<{ isNew: boolean }[]>`
    insert into receiving_accounts as r (id, chain, network, script, descriptor, fingerprint, merchant_id, created_at, wallet_marks, change_from,
      start_index, told_by, next_index, seen_below)
    values (${a.id}, ${chain}, ${network}, ${script}, ${descriptor}, ${fingerprint}, ${a.merchantId}, ${now}, ${walletMarks(a.account)}, ${changeFrom},
      ${a.from}, ${a.toldBy as ToldBy[]}::text[], ${a.from}, ${a.from})
    on conflict (id) do update set descriptor = excluded.descriptor, fingerprint = excluded.fingerprint,
      change_from = coalesce(excluded.change_from, r.change_from),
      wallet_marks = array(select distinct mark from unnest(r.wallet_marks || excluded.wallet_marks) mark order by mark)
    where r.merchant_id = excluded.merchant_id
      and ((excluded.fingerprint is not null) > (r.fingerprint is not null) or (excluded.change_from is not null) > (r.change_from is not null))
    returning xmax = 0 as "isNew"`
  const isNew = rows[0]?.isNew === true
  if (isNew) await addTasks(tx, ACCOUNT_USE, [{ subject: a.id, runAt: now }], now)
  return isNew
}

/** Those that are named among these places, by id. */
export async function listAccounts(db: Db, places: readonly string[]): Promise<Map<string, AccountRow>> {
  const ids = places.filter(isAccountRef)
  if (ids.length === 0) return new Map()
  const rows = await db<AccountRow[]>`
    select ${accountColumns(db)} from receiving_accounts r where r.id = any(${[...new Set(ids)]}::text[]) limit 1000`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locked until the transaction ends. @returns null where there is no such account. */
export async function lockAccount(tx: Tx, id: AccountRef): Promise<AccountRow | null> {
  const [row] = await tx<AccountRow[]>`
    select ${accountColumns(tx)} from receiving_accounts r where r.id = ${id} for no key update`
  return row ?? null
}

/** The same for who needs nothing of it; outside a transaction it does nothing. */
export const lockRow = (db: Db, id: string): Promise<unknown> =>
  db`select from receiving_accounts where id = ${id} for no key update`

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

export interface Assignment extends Assigned {
  id: AccountRef
  merchantId: string
  orderRef: string
  byStranger: boolean
}

/**
 * Gives an index to an order; the counter goes on behind it, and never back. Under the account's lock.
 * @param a.isReused it was given out before, and the counter stays where it is.
 */
export function assign(tx: Tx, a: Assignment & { isReused: boolean }, now: Date): Promise<unknown> {
  return tx`
    with given as (
      insert into account_addresses as d (account_id, index, script, order_ref, merchant_id, assigned_at, by_stranger)
      values (${a.id}, ${a.index}, ${a.script}, ${a.orderRef}, ${a.merchantId}, ${now}, ${a.byStranger})
      on conflict on constraint one_address_per_index do update
        set order_ref = excluded.order_ref, merchant_id = excluded.merchant_id, assigned_at = excluded.assigned_at,
          by_stranger = excluded.by_stranger
    ), kept as (
      insert into account_assignments (account_id, order_ref, index, assigned_at)
      values (${a.id}, ${a.orderRef}, ${a.index}, ${now})
    )
    update receiving_accounts set next_index = ${a.index} + 1 where id = ${a.id} and not ${a.isReused}`
}

/**
 * The oldest of the merchant's own that no chain ever showed paid, and that was given out before `before`, or before `closedBefore`
 * to an order that is over since then. Under the account's lock.
 * @param a.ofStrangers of those in the row only what a payer started
 */
export async function findReusable(
  db: Db,
  a: { id: string; merchantId: string; before: Date; closedBefore: Date; ofStrangers: boolean; rowFrom: bigint },
): Promise<Assigned | null> {
  const [row] = await db<Assigned[]>`
    select d.index, d.script from account_addresses d left join order_summaries o on o.order_ref = d.order_ref
    where d.account_id = ${a.id} and d.seen_at is null and d.order_ref is not null and d.merchant_id = ${a.merchantId}
      and (d.assigned_at < ${a.before} or (o.status not in ('pending', 'processing') and o.updated_at < ${a.closedBefore}))
      and (not ${a.ofStrangers} or d.by_stranger or d.index < ${a.rowFrom})
    order by d.assigned_at, d.index limit 1`
  return row ?? null
}

/** The chain has seen these paid: wallets count on from there. */
export async function markPaid(db: Db, a: { id: string; indexes: readonly bigint[] }, now: Date): Promise<void> {
  await db`
    update account_addresses set seen_at = coalesce(seen_at, ${now}), is_paid = true
    where account_id = ${a.id} and index = any(${a.indexes}::bigint[])`
}

/** Somebody announced a payment to these: they are given to no other order, whatever becomes of it. */
export function markSeen(db: Db, a: { id: string; indexes: readonly bigint[] }, now: Date): Promise<unknown> {
  return db`
    update account_addresses set seen_at = ${now}
    where account_id = ${a.id} and index = any(${a.indexes}::bigint[]) and seen_at is null`
}

/** No block of the chain shows a payment to these any more. */
export async function unmarkPaid(tx: Tx, a: { id: string; indexes: readonly bigint[] }): Promise<void> {
  await tx`
    update account_addresses set is_paid = false
    where account_id = ${a.id} and index = any(${a.indexes}::bigint[])`
}

/** Of these scripts those that stand in an account. */
export function listByScripts(db: Db, scripts: readonly string[]): Promise<{ account: string; index: bigint }[]> {
  return db<{ account: string; index: bigint }[]>`
    select account_id as account, index from account_addresses where script = any(${scripts}::text[]) limit 10000`
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
    join receiving_addresses a on a.chain = r.chain and a.address = r.id and a.merchant_id = r.merchant_id and d.index >= r.next_index
    where d.script = any(${scripts}::text[]) and d.order_ref is null
    group by r.id, a.merchant_id, r.chain, r.network limit 1000`
}
