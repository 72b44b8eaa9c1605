// SQL of account_holders: what each merchant who set an account says of it, where its own next address is looked for, and how
// far its wallet sees. Nothing that one holder says is another's. Written under the account's lock.
import { type AccountRef, isAccountRef } from '../../account-ref.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { CLOSED_AFTER_MS, type Depth, REUSED_AFTER_MS, type ToldBy } from './rules.ts'
import { type AccountRow, accountColumns } from './store.ts'
import { sameWallet } from './wallets.store.ts'

/** An account as one merchant has it. */
export interface HeldAccount extends AccountRow {
  merchantId: string
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
  /** Another merchant has the account set, or another of its wallet. */
  isShared: boolean
}

/** Given to an order, or seen on the chain: `d` is a row of account_addresses. */
const taken = (db: Db) => db`(d.order_ref is not null or d.seen_at is not null)`

/** Of the holder `h`: the first index from its counter on that is not taken. One probe, and one for each in a row that is. */
const firstFree = (db: Db) => db`
  coalesce((
    select h.next_index where not exists (
      select from account_addresses d where d.account_id = h.account_id and d.index = h.next_index and ${taken(db)})
  ), (
    select d.index + 1 from account_addresses d
    where d.account_id = h.account_id and d.index >= h.next_index and ${taken(db)} and not exists (
      select from account_addresses n
      where n.account_id = d.account_id and n.index = d.index + 1 and (n.order_ref is not null or n.seen_at is not null))
    order by d.index limit 1))`

/** Of `h`: what payers started and nobody paid, in the row that its wallet has to look past. */
const byStrangers = (db: Db) => db`(
  select count(*) from account_addresses d
  where d.account_id = h.account_id and d.index >= h.seen_below and d.by_stranger and not d.is_paid)`

/** Of `h`: something of its own can be given out again at `now`. As `findReusable` says. */
const reusable = (db: Db, now: Date, onlyStrangers: boolean) => db`exists (
  select from account_addresses d left join orders o on o.order_ref = d.order_ref
  where d.account_id = h.account_id and d.seen_at is null and d.order_ref is not null and d.merchant_id = h.merchant_id
    and (d.assigned_at < ${new Date(now.getTime() - REUSED_AFTER_MS)} or (o.status not in ('pending', 'processing')
      and o.updated_at < ${new Date(now.getTime() - CLOSED_AFTER_MS)}))
    and (not ${onlyStrangers} or d.by_stranger or d.index < h.seen_below))`

/** Of `h` and `r`: another merchant receives there, or in the same wallet, or soon will. */
const isShared = (db: Db) => db`exists (
  select from account_holders o
  where o.account_id in ${sameWallet(db)} and o.merchant_id <> h.merchant_id and (
    exists (select from receiving_addresses a where a.merchant_id = o.merchant_id and a.chain = r.chain and a.address = o.account_id)
    or exists (select from waiting_addresses w where w.merchant_id = o.merchant_id and w.chain = r.chain and w.address = o.account_id)))`

const heldColumns = (db: Db, now: Date) => db`
  ${accountColumns(db)}, h.merchant_id as "merchantId", ${firstFree(db)} as "nextIndex", h.seen_below as "seenBelow",
  h.wallet_limit as "walletLimit", h.depths, h.said_below as "saidBelow", h.start_index as "startIndex",
  ${byStrangers(db)} as "byStrangers", ${reusable(db, now, false)} as "canReuse",
  ${reusable(db, now, true)} as "canReuseFromStrangers", ${isShared(db)} as "isShared", h.told_by as "toldByHolder"`

type Flat = Omit<HeldAccount, 'toldBy'> & { toldBy: ToldBy[]; toldByHolder: ToldBy[] }

const toHeld = ({ toldByHolder, ...row }: Flat): HeldAccount => ({
  ...row,
  toldBy: [...new Set([...row.toldBy, ...toldByHolder])].sort(),
})

/** Sets an account for a merchant; set again, what was said of it stays as it is. @returns whether it is the first time. */
export async function saveHolder(
  tx: Tx,
  a: { id: AccountRef; merchantId: string; from: bigint; toldBy: readonly ToldBy[] },
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    insert into account_holders (account_id, merchant_id, start_index, told_by, next_index, seen_below, since)
    select id, ${a.merchantId}, ${a.from}, ${a.toldBy as ToldBy[]}::text[], greatest(${a.from}::bigint, found_below),
      greatest(${a.from}::bigint, found_below), ${now}
    from receiving_accounts where id = ${a.id}
    on conflict on constraint one_holder_per_merchant do nothing returning 1`
  if (rows.length === 1) await lookOn(tx, a.id, { fromStart: true })
  return rows.length === 1
}

/** Who else receives there, or in the same wallet, now; `account` is theirs. */
export function listOtherHolders(
  db: Db,
  a: { id: string; merchantId: string },
): Promise<{ merchantId: string; account: string; chain: string; network: string }[]> {
  return db<{ merchantId: string; account: string; chain: string; network: string }[]>`
    select h.merchant_id as "merchantId", h.account_id as account, r.chain, r.network
    from receiving_accounts r join account_holders h on h.account_id in ${sameWallet(db)}
    join receiving_addresses a on a.merchant_id = h.merchant_id and a.chain = r.chain and a.address = h.account_id
    where r.id = ${a.id} and h.merchant_id <> ${a.merchantId} limit 1000`
}

/** Those of a merchant that are named among these places, by id. */
export async function listHeld(
  db: Db,
  a: { merchantId: string; places: readonly string[]; now: Date },
): Promise<Map<string, HeldAccount>> {
  const ids = a.places.filter(isAccountRef)
  if (ids.length === 0) return new Map()
  const rows = await db<Flat[]>`
    select ${heldColumns(db, a.now)} from account_holders h join receiving_accounts r on r.id = h.account_id
    where h.account_id = any(${[...new Set(ids)]}::text[]) and h.merchant_id = ${a.merchantId} limit 1000`
  return new Map(rows.map((row) => [row.id, toHeld(row)]))
}

/** @returns null where the merchant never set it. */
export async function findHeld(
  db: Db,
  a: { merchantId: string; id: AccountRef; now: Date },
): Promise<HeldAccount | null> {
  return (await listHeld(db, { ...a, places: [a.id] })).get(a.id) ?? null
}

export async function findDepths(db: Db, a: { id: string; merchantId: string }): Promise<Depth[] | null> {
  const [row] = await db<{ depths: Depth[] | null }[]>`
    select depths from account_holders where account_id = ${a.id} and merchant_id = ${a.merchantId}`
  return row?.depths ?? null
}

type Of = { id: string; merchantId: string }

export async function saveWalletLimit(tx: Tx, a: Of & { walletLimit: number }): Promise<void> {
  await tx`
    update account_holders set wallet_limit = ${a.walletLimit}
    where account_id = ${a.id} and merchant_id = ${a.merchantId}`
  await lookOn(tx, a.id, { fromStart: true })
}

/** @param a.depths null: as the operator says. */
export function saveDepths(tx: Tx, a: Of & { depths: readonly Depth[] | null }): Promise<unknown> {
  const text = a.depths === null ? null : JSON.stringify(a.depths)
  return tx`
    update account_holders set depths = ${text}::text::jsonb
    where account_id = ${a.id} and merchant_id = ${a.merchantId}`
}

/**
 * What the merchant says of the last address that was used; null takes that back. Said again it may move back: what was given
 * out or seen used is passed over one by one, and the free ones between are given out.
 * @param a.next where the counter goes on; left out, behind what is said
 */
export async function saveSaid(tx: Tx, a: Of & { below: bigint | null; next?: bigint }): Promise<void> {
  await tx`
    update account_holders h set said_below = ${a.below},
      told_by = array(select distinct who from unnest(case when ${a.below}::bigint is null then array_remove(told_by, 'merchant')
        else array_append(told_by, 'merchant') end) who order by who),
      next_index = greatest(h.start_index, ${a.next ?? a.below}::bigint, (select found_below from receiving_accounts where id = h.account_id))
    where account_id = ${a.id} and merchant_id = ${a.merchantId}`
  // Derived again from where the counter stands now.
  await tx`
    update account_holders set derived_to = next_index where account_id = ${a.id} and merchant_id = ${a.merchantId}`
  await lookOn(tx, a.id, { fromStart: true })
}

/** What blocks showed used moves every holder's counter forward, and never back. */
export async function countFrom(tx: Tx, id: string): Promise<void> {
  await tx`
    update account_holders h set next_index = greatest(h.next_index, r.found_below)
    from receiving_accounts r where r.id = h.account_id and h.account_id = ${id} and h.next_index < r.found_below`
  await lookOn(tx, id, { fromStart: true })
}

/**
 * Of `h` and `r`: what the merchant and the wallet's file tell of the last that was used, less what stands right below it and was
 * given out and not paid. That is known here: a wallet that was told to go on behind it has to look past it all the same.
 */
const toldBelow = (db: Db) => db`(
  select told.below - (
    select count(*) from (
      select d.index, row_number() over (order by d.index desc) as n from account_addresses d
      where d.account_id = h.account_id and d.index < told.below and d.order_ref is not null and not d.is_paid
      order by d.index desc limit 10000) unpaid
    where unpaid.index = told.below - unpaid.n)
  from (select greatest(case when r.history = 'whole' then 0 else h.start_index end, h.said_below) as below) told)`

/**
 * How far each holder's wallet sees now: from one paid address to the next that is within its limit. What is paid beyond is not
 * seen, so it moves nothing: whoever knows the key could else pay far ahead and have orders follow there. What another wallet
 * gave out and the merchant's sees now, the counter goes on behind.
 * @param a.fromStart payments may have left, or the start or the limit is another
 */
export function lookOn(db: Db, id: string, a: { fromStart: boolean }): Promise<unknown> {
  return db`
    with recursive walk as (
      select h.merchant_id, h.wallet_limit, h.seen_below as before, case when not ${a.fromStart} then h.seen_below else greatest(
        r.found_below, ${toldBelow(db)}) end as below
      from account_holders h join receiving_accounts r on r.id = h.account_id where h.account_id = ${id}
      union all
      select w.merchant_id, w.wallet_limit, w.before, n.index + 1 from walk w cross join lateral (
        select d.index from account_addresses d
        where d.account_id = ${id} and d.is_paid and d.index >= w.below and d.index < w.below + w.wallet_limit
        order by d.index desc limit 1) n
    )
    update account_holders h set seen_below = m.below, next_index = greatest(h.next_index, (
      select max(d.index) + 1 from account_addresses d
      where d.account_id = h.account_id and d.is_paid and d.order_ref is null and d.index >= m.before and d.index < m.below))
    from (select merchant_id, before, max(below) as below from walk group by merchant_id, before) m
    where h.account_id = ${id} and h.merchant_id = m.merchant_id and h.seen_below <> m.below`
}

/** Accounts in use whose row or strangers' part of it is nearly taken, of each merchant who receives there. */
export async function listInUse(db: Db, now: Date): Promise<HeldAccount[]> {
  const rows = await db<Flat[]>`
    select ${heldColumns(db, now)} from account_holders h join receiving_accounts r on r.id = h.account_id
    join receiving_addresses a on a.merchant_id = h.merchant_id and a.chain = r.chain and a.address = r.id
    where (r.examined_at is not null or h.said_below is not null)
      and exists (
        select from account_addresses d
        where d.account_id = h.account_id and d.index >= h.seen_below and d.order_ref is not null and not d.is_paid)
    order by r.id, h.merchant_id limit 5000`
  return rows.map(toHeld)
}
