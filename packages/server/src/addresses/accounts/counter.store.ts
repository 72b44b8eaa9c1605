// SQL of an account's counter: where the next address is looked for, how far its merchant's wallet sees, and what the merchant set.
// Written under the account's lock.
import type { Db, Tx } from '@florin/platform/db/tx'
import { type AccountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import { CLOSED_AFTER_MS, type Depth, REUSED_AFTER_MS } from './rules.ts'
import { type AccountRow, accountColumns } from './store.ts'

/** An account with its counter. */
export interface CountedAccount extends AccountRow {
  /** The next free index. */
  nextIndex: bigint
  /** One above the highest paid index that the merchant's wallet sees. */
  seenBelow: bigint
  walletLimit: number
  depths: Depth[] | null
  saidBelow: bigint | null
  startIndex: bigint
  /** Of the row's places those that payers started and nobody paid. */
  byStrangers: bigint
  /** An address may be given out again now; `fromStrangers`: one that takes nothing of the shop's own part. */
  canReuse: boolean
  canReuseFromStrangers: boolean
}

/** Given to an order, or seen on the chain: `d` is a row of account_addresses. */
const taken = (db: Db) => db`(d.order_ref is not null or d.seen_at is not null)`

/** Of `r`: the first index from its counter on that is not taken. One probe, and one for each in a row that is. */
const firstFree = (db: Db) => db`
  coalesce((
    select r.next_index where not exists (
      select from account_addresses d where d.account_id = r.id and d.index = r.next_index and ${taken(db)})
  ), (
    select d.index + 1 from account_addresses d
    where d.account_id = r.id and d.index >= r.next_index and ${taken(db)} and not exists (
      select from account_addresses n
      where n.account_id = d.account_id and n.index = d.index + 1 and (n.order_ref is not null or n.seen_at is not null))
    order by d.index limit 1))`

/** Of `r`: what payers started and nobody paid, in the row that its wallet has to look past. */
const byStrangers = (db: Db) => db`(
  select count(*) from account_addresses d
  where d.account_id = r.id and d.index >= r.seen_below and d.by_stranger and not d.is_paid)`

/** Of `r`: something of its own can be given out again at `now`. As `findReusable` says. */
const reusable = (db: Db, now: Date, onlyStrangers: boolean) => db`exists (
  select from account_addresses d left join order_summaries o on o.order_ref = d.order_ref
  where d.account_id = r.id and d.seen_at is null and d.order_ref is not null and d.merchant_id = r.merchant_id
    and (d.assigned_at < ${new Date(now.getTime() - REUSED_AFTER_MS)} or (o.status not in ('pending', 'processing')
      and o.updated_at < ${new Date(now.getTime() - CLOSED_AFTER_MS)}))
    and (not ${onlyStrangers} or d.by_stranger or d.index < r.seen_below))`

const countedColumns = (db: Db, now: Date) => db`
  ${accountColumns(db)}, ${firstFree(db)} as "nextIndex", r.seen_below as "seenBelow", r.wallet_limit as "walletLimit", r.depths,
  r.said_below as "saidBelow", r.start_index as "startIndex", ${byStrangers(db)} as "byStrangers",
  ${reusable(db, now, false)} as "canReuse", ${reusable(db, now, true)} as "canReuseFromStrangers"`

/** Those of a merchant that are named among these places, by id. */
export async function listCounted(
  db: Db,
  a: { merchantId: string; places: readonly string[]; now: Date },
): Promise<Map<string, CountedAccount>> {
  const ids = a.places.filter(isAccountRef)
  if (ids.length === 0) return new Map()
  const rows = await db<CountedAccount[]>`
    select ${countedColumns(db, a.now)} from receiving_accounts r
    where r.id = any(${[...new Set(ids)]}::text[]) and r.merchant_id = ${a.merchantId} limit 1000`
  return new Map(rows.map((row) => [row.id, row]))
}

/** @returns null where it is not the merchant's. */
export async function findCounted(
  db: Db,
  a: { merchantId: string; id: AccountRef; now: Date },
): Promise<CountedAccount | null> {
  return (await listCounted(db, { ...a, places: [a.id] })).get(a.id) ?? null
}

export async function findCounter(db: Db, id: string): Promise<bigint | null> {
  const [row] = await db<{ next: bigint }[]>`select next_index as next from receiving_accounts where id = ${id}`
  return row?.next ?? null
}

export async function findDepths(db: Db, a: { id: string; merchantId: string }): Promise<Depth[] | null> {
  const [row] = await db<{ depths: Depth[] | null }[]>`
    select depths from receiving_accounts where id = ${a.id} and merchant_id = ${a.merchantId}`
  return row?.depths ?? null
}

export async function saveWalletLimit(tx: Tx, a: { id: string; walletLimit: number }): Promise<void> {
  await tx`
    update receiving_accounts set wallet_limit = ${a.walletLimit} where id = ${a.id}`
  await lookOn(tx, a.id, { fromStart: true })
}

/** @param a.depths null: as the operator says. */
export function saveDepths(tx: Tx, a: { id: string; depths: readonly Depth[] | null }): Promise<unknown> {
  const text = a.depths === null ? null : JSON.stringify(a.depths)
  return tx`
    update receiving_accounts set depths = ${text}::text::jsonb where id = ${a.id}`
}

/**
 * What the merchant says of the last address that was used; null takes that back. Said again it may move back: what was given
 * out or seen used is passed over one by one, and the free ones between are given out.
 * @param a.next where the counter goes on; left out, behind what is said
 */
export async function saveSaid(tx: Tx, a: { id: string; below: bigint | null; next?: bigint }): Promise<void> {
  await tx`
    update receiving_accounts r set said_below = ${a.below},
      told_by = array(select distinct who from unnest(case when ${a.below}::bigint is null then array_remove(told_by, 'merchant')
        else array_append(told_by, 'merchant') end) who order by who),
      next_index = greatest(r.start_index, ${a.next ?? a.below}::bigint, r.found_below)
    where id = ${a.id}`
  // Derived again from where the counter stands now.
  await tx`
    update receiving_accounts set derived_to = next_index where id = ${a.id}`
  await lookOn(tx, a.id, { fromStart: true })
}

/** What blocks showed used moves the counter forward, and never back. */
export async function countFrom(tx: Tx, id: string): Promise<void> {
  await tx`
    update receiving_accounts set next_index = greatest(next_index, found_below) where id = ${id}`
  await lookOn(tx, id, { fromStart: true })
}

/**
 * Of `r`: what the merchant and the wallet's file tell of the last that was used, less what stands right below it and was
 * given out and not paid. That is known here: a wallet that was told to go on behind it has to look past it all the same.
 */
const toldBelow = (db: Db) => db`(
  select told.below - (
    select count(*) from (
      select d.index, row_number() over (order by d.index desc) as n from account_addresses d
      where d.account_id = r.id and d.index < told.below and d.order_ref is not null and not d.is_paid
      order by d.index desc limit 10000) unpaid
    where unpaid.index = told.below - unpaid.n)
  from (select greatest(case when r.history = 'whole' then 0 else r.start_index end, r.said_below) as below) told)`

/**
 * How far the merchant's wallet sees now: from one paid address to the next that is within its limit. What is paid beyond is not
 * seen, so it moves nothing: whoever knows the key could else pay far ahead and have orders follow there. What another wallet
 * gave out and the merchant's sees now, the counter goes on behind.
 * @param a.fromStart payments may have left, or the start or the limit is another
 */
export function lookOn(db: Db, id: string, a: { fromStart: boolean }): Promise<unknown> {
  return db`
    with recursive walk as (
      select r.wallet_limit, r.seen_below as before, case when not ${a.fromStart} then r.seen_below else greatest(
        r.found_below, ${toldBelow(db)}) end as below
      from receiving_accounts r where r.id = ${id}
      union all
      select w.wallet_limit, w.before, n.index + 1 from walk w cross join lateral (
        select d.index from account_addresses d
        where d.account_id = ${id} and d.is_paid and d.index >= w.below and d.index < w.below + w.wallet_limit
        order by d.index desc limit 1) n
    )
    update receiving_accounts r set seen_below = m.below, next_index = greatest(r.next_index, (
      select max(d.index) + 1 from account_addresses d
      where d.account_id = r.id and d.is_paid and d.order_ref is null and d.index >= m.before and d.index < m.below))
    from (select before, max(below) as below from walk group by before) m
    where r.id = ${id} and r.seen_below <> m.below`
}

/** Accounts that a merchant receives at, and whose addresses wait for a payment. */
export function listInUse(db: Db, now: Date): Promise<CountedAccount[]> {
  return db<CountedAccount[]>`
    select ${countedColumns(db, now)} from receiving_accounts r
    join receiving_addresses a on a.merchant_id = r.merchant_id and a.chain = r.chain and a.address = r.id
    where (r.examined_at is not null or r.said_below is not null)
      and exists (
        select from account_addresses d
        where d.account_id = r.id and d.index >= r.seen_below and d.order_ref is not null and not d.is_paid)
    order by r.id limit 5000`
}
