// SQL of the standing comparison: which orders are due, what they have booked, which differences are open.
import type { Db, Tx } from '../../platform/db/tx.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { AssetRef } from '../../rails/interface/asset.ts'
import type { BookLine, Compared, KnownDifference } from './compare.ts'

/**
 * Takes up orders made since the last look, and a little before: order numbers are made before their orders commit.
 * @returns how many.
 */
export async function enroll(db: Db, a: { overlapMs: number; since: Date; now: Date; limit: number }): Promise<number> {
  const [newest] = await db<{ orderNo: string; createdAt: Date }[]>`
    select r.order_no as "orderNo", o.created_at as "createdAt"
    from reconciliations r join orders o using (order_no) order by r.order_no desc limit 1`
  const from = newest === undefined ? a.since : new Date(newest.createdAt.getTime() - a.overlapMs)
  const rows = await db`
    insert into reconciliations (order_no, merchant_id, livemode, due_at)
    select order_no, merchant_id, livemode, ${a.now} from orders o
    where order_no >= ${firstIdAt('ord', from)}
      and not exists (select 1 from reconciliations r where r.order_no = o.order_no)
    order by order_no limit ${a.limit}
    on conflict (order_no) do nothing returning 1`
  return rows.length
}

export interface DueOrder {
  orderNo: string
  orderRef: string
  merchantId: string
  livemode: boolean
  status: string
  updatedAt: Date
  expiresAt: Date
}

/** Leases what is due, longest waiting first; rows that another process holds are skipped. */
export function claimDue(db: Db, a: { now: Date; leasedUntil: Date; limit: number }): Promise<DueOrder[]> {
  return db<DueOrder[]>`
    with due as (
      select order_no from reconciliations where due_at <= ${a.now} order by due_at limit ${a.limit}
      for update skip locked
    ), leased as (
      update reconciliations r set due_at = ${a.leasedUntil} from due where r.order_no = due.order_no returning r.order_no
    )
    select o.order_no as "orderNo", o.order_ref as "orderRef", o.merchant_id as "merchantId", o.livemode, o.status,
      o.updated_at as "updatedAt", o.expires_at as "expiresAt"
    from leased join orders o using (order_no)`
}

export interface OrderBookLine extends BookLine {
  orderNo: string
  orderRef: string
  rail: string
  /** Whether anything ever came in on it. */
  hasMoney: boolean
}

type BookRow = AssetRef &
  Pick<OrderBookLine, 'orderNo' | 'orderRef' | 'rail' | 'legId' | 'legRef' | 'hasMoney'> & { booked: string }

/**
 * The books of many orders, one line a leg and asset: what `legBalancesOf` calls held (a test compares the two). Each
 * leg has a line of its own asset, also where nothing ever came.
 */
export async function listBooks(db: Db, orderNos: readonly string[]): Promise<OrderBookLine[]> {
  const numbers = orderNos as string[]
  const rows = await db<BookRow[]>`
    select o.order_no as "orderNo", o.order_ref as "orderRef", l.rail, l.id as "legId", l.ref as "legRef", moved.chain,
      min(moved.asset) as asset, min(moved.contract) as contract, min(moved.decimals)::int as decimals,
      sum(moved.amount)::text as booked, bool_or(moved.amount > 0) as "hasMoney"
    from (
      select id as leg, chain, asset, contract, decimals, 0::numeric as amount from pay_legs
      where order_no = any(${numbers})
      union all
      select pay_leg_id, chain, asset, contract, decimals, amount from payments
      where order_no = any(${numbers}) and status in ('detected', 'confirmed')
      union all
      select s.pay_leg_id, l.chain, l.asset, l.contract, l.decimals, -s.gross
      from settlements s join pay_legs l on l.id = s.pay_leg_id
      where s.order_no = any(${numbers}) and s.status = 'final'
      union all
      select pay_leg_id, chain, asset, contract, decimals, -amount from refunds
      where order_no = any(${numbers}) and status = 'succeeded'
    ) moved join pay_legs l on l.id = moved.leg join orders o on o.order_no = l.order_no
    group by o.order_no, o.order_ref, l.rail, l.id, l.ref, moved.chain, lower(moved.contract)`
  return rows.map(({ orderNo, orderRef, rail, legId, legRef, hasMoney, booked, ...asset }) => ({
    ...{ orderNo, orderRef, rail, legId, legRef, hasMoney, asset, booked: BigInt(booked) },
  }))
}

export interface OpenDifference extends KnownDifference {
  id: string
  legId: string
  asset: AssetRef
}

type DifferenceRow = Omit<OpenDifference, 'asset' | 'booked' | 'found'> & AssetRef & { booked: string; found: string }

export async function listOpenDifferences(db: Db, orderNos: readonly string[]): Promise<OpenDifference[]> {
  const rows = await db<DifferenceRow[]>`
    select id, pay_leg_id as "legId", chain, asset, contract, decimals, booked::text, found::text, height,
      seen_at as "seenAt", told_at as "toldAt"
    from book_differences where order_no = any(${orderNos as string[]}) and resolved_at is null`
  return rows.map(({ chain, asset, contract, decimals, ...row }) => ({
    ...row,
    asset: { chain, asset, contract, decimals },
    booked: BigInt(row.booked),
    found: BigInt(row.found),
  }))
}

export function insertDifference(
  tx: Tx,
  order: DueOrder,
  a: { id: string; line: Compared; now: Date },
): Promise<unknown> {
  const { legId, asset, booked, found, height } = a.line
  return tx`
    insert into book_differences (id, order_no, merchant_id, livemode, pay_leg_id, chain, asset, contract, decimals,
      booked, found, height, seen_at)
    values (${a.id}, ${order.orderNo}, ${order.merchantId}, ${order.livemode}, ${legId}, ${asset.chain}, ${asset.asset},
      ${asset.contract}, ${asset.decimals}, ${booked.toString()}, ${found.toString()}, ${height?.toString() ?? null},
      ${a.now})
    on conflict do nothing`
}

/** It is another one now: it has to be seen twice again before it is told, unless it was. */
export function changeDifference(tx: Tx, id: string, line: Compared, now: Date): Promise<unknown> {
  return tx`
    update book_differences set booked = ${line.booked.toString()}, found = ${line.found.toString()},
      height = ${line.height?.toString() ?? null}, seen_at = ${now}
    where id = ${id} and resolved_at is null`
}

/** @returns whether it was not told before. */
export async function markTold(tx: Tx, id: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update book_differences set told_at = ${now} where id = ${id} and told_at is null and resolved_at is null returning 1`
  return rows.length === 1
}

/** What nobody was told of leaves no trace. */
export async function endDifference(tx: Tx, id: string, now: Date): Promise<void> {
  await tx`delete from book_differences where id = ${id} and told_at is null`
  await tx`update book_differences set resolved_at = ${now} where id = ${id} and resolved_at is null`
}

/** An order that closed is compared soon: what people take for settled should be so. */
export function compareSoon(tx: Tx, orderNo: string, at: Date): Promise<unknown> {
  return tx`update reconciliations set due_at = ${at} where order_no = ${orderNo} and due_at > ${at}`
}

/** @param next null: never compared again. */
export async function schedule(
  db: Db,
  rows: readonly { orderNo: string; next: Date | null; isCompared: boolean }[],
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<void> {
  const kept = rows.filter((row) => row.next !== null)
  const gone = rows.filter((row) => row.next === null).map((row) => row.orderNo)
  await db`
    update reconciliations r set
      -- What closed meanwhile is due sooner.
      due_at = case when r.due_at < ${leasedUntil} then r.due_at else given.due_at end,
      compared_at = case when given.is_compared then ${now} else compared_at end
    from unnest(${kept.map((row) => row.orderNo)}::text[], ${kept.map((row) => row.next?.toISOString() ?? '')}::timestamptz[],
      ${kept.map((row) => row.isCompared)}::boolean[]) as given (order_no, due_at, is_compared)
    where r.order_no = given.order_no`
  if (gone.length > 0) await db`delete from reconciliations where order_no = any(${gone})`
}

export interface Progress {
  /** Differences that people were told of and that are open. */
  differences: bigint
  /** The longest time that an order waits to be compared, in seconds. */
  behindS: number
}

export async function readProgress(db: Db, now: Date): Promise<Progress> {
  const [row] = await db<{ differences: bigint; due: Date | null }[]>`
    select (select count(*) from book_differences where resolved_at is null and told_at is not null) as differences,
      (select min(due_at) from reconciliations) as due`
  const due = row?.due ?? now
  return { differences: row?.differences ?? 0n, behindS: Math.max(0, (now.getTime() - due.getTime()) / 1000) }
}

export interface ToldDifference {
  id: string
  livemode: boolean
  orderNo: string
  merchantId: string
  merchantEmail: string
  asset: AssetRef
  booked: string
  found: string
  height: bigint | null
  toldAt: Date
  resolvedAt: Date | null
}

/** Newest first. @param a.merchantId null: of all merchants. @param a.open null: open and resolved. */
export async function listDifferences(
  db: Db,
  a: { merchantId: string | null; livemode: boolean; open: boolean | null; before: string | null; limit: number },
): Promise<ToldDifference[]> {
  const rows = await db<(Omit<ToldDifference, 'asset'> & AssetRef)[]>`
    select d.id, d.livemode, d.order_no as "orderNo", d.merchant_id as "merchantId", m.email as "merchantEmail", d.chain,
      d.asset, d.contract, d.decimals, d.booked::text, d.found::text, d.height, d.told_at as "toldAt",
      d.resolved_at as "resolvedAt"
    from book_differences d join merchants m on m.id = d.merchant_id
    where d.livemode = ${a.livemode} and d.told_at is not null
    ${a.merchantId === null ? db`` : db`and d.merchant_id = ${a.merchantId}`}
    ${a.open === null ? db`` : a.open ? db`and d.resolved_at is null` : db`and d.resolved_at is not null`}
    ${a.before === null ? db`` : db`and d.id < ${a.before}`}
    order by d.id desc limit ${a.limit}`
  return rows.map(({ chain, asset, contract, decimals, ...row }) => ({
    ...row,
    asset: { chain, asset, contract, decimals },
  }))
}

/** Counted no further than this. */
export const WAITING_MAX = 1_000

/** @param a.merchantId null: of all merchants. */
export async function readCoverage(
  db: Db,
  a: { merchantId: string | null; livemode: boolean },
): Promise<{ comparedSince: Date | null; waiting: number }> {
  const own = a.merchantId === null ? db`` : db`and merchant_id = ${a.merchantId}`
  const [row] = await db<{ comparedSince: Date | null; waiting: bigint }[]>`
    select
      (select min(compared_at) from reconciliations where livemode = ${a.livemode} ${own}) as "comparedSince",
      (select count(*) from (
        select 1 from reconciliations where livemode = ${a.livemode} ${own} and compared_at is null
        limit ${WAITING_MAX}) waiting) as waiting`
  return { comparedSince: row?.comparedSince ?? null, waiting: Number(row?.waiting ?? 0) }
}
