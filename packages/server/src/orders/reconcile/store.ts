// SQL of the standing comparison: which orders are due, what they have booked, which differences are open.
import type { Db, Tx } from '@florin/platform/db/tx'
import {
  addTasks,
  askTasks,
  endTasks,
  findNextDue,
  findSubjects,
  postponeTasks,
  readTimes,
  type Task,
} from '@florin/platform/tasks/store'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { type BookLine, type Compared, type KnownDifference, ROUND_MAX_MS } from './compare.ts'

export interface DueOrder {
  orderNo: string
  orderRef: string
  merchantId: string
  livemode: boolean
  status: string
  updatedAt: Date
}

const dueColumns = (db: Db) => db`
  o.order_no as "orderNo", o.order_ref as "orderRef", o.merchant_id as "merchantId", o.livemode, o.status,
  o.updated_at as "updatedAt"`

/** The task by which an order has a look of its own. Its owner is the merchant. */
export const RECONCILE = 'reconcile'

export interface OwnLook {
  livemode: boolean
  /** null: it was not compared since it changed. */
  comparedAt: string | null
}

export function listOrders(db: Db, orderNos: readonly string[]): Promise<DueOrder[]> {
  return db<DueOrder[]>`select ${dueColumns(db)} from orders o where o.order_no = any(${orderNos as string[]})`
}

export interface RoundPart {
  /** Orders up to this number were compared in this round; empty: none yet. */
  after: string
  beganAt: Date
  /** Since when the round meets orders that cannot be read; null: it read all that it passed. */
  unreadSince: Date | null
}

/** Takes the next part of the round, or the first of a new one. @returns null where none is due, or another process is at it. */
export async function claimPart(db: Db, a: { now: Date; leasedUntil: Date }): Promise<RoundPart | null> {
  const [part] = await db<RoundPart[]>`
    insert into reconcile_rounds (after, began_at, due_at) values ('', ${a.now}, ${a.leasedUntil})
    on conflict (one) do update set due_at = excluded.due_at,
      began_at = case when reconcile_rounds.after = '' then excluded.began_at else reconcile_rounds.began_at end
    where reconcile_rounds.due_at <= ${a.now}
    returning after, began_at as "beganAt", unread_since as "unreadSince"`
  return part ?? null
}

export interface SavedPart {
  /** Empty: the round is over. */
  after: string
  dueAt: Date
  unreadSince: Date | null
  leasedUntil: Date
}

/** Fenced by the lease: a worker that took too long changes nothing. */
export async function savePart(db: Db, a: SavedPart): Promise<void> {
  const isOver = a.after === ''
  await db`
    update reconcile_rounds set after = ${a.after}, due_at = ${a.dueAt},
      unread_since = ${isOver ? null : a.unreadSince}::timestamptz,
      whole_since = case when ${isOver && a.unreadSince === null} then began_at else whole_since end
    where due_at = ${a.leasedUntil}`
}

/** Looks of their own for orders in which a round found something. An order that changed meanwhile has one already. */
export async function enroll(db: Db, orders: readonly DueOrder[], rows: readonly Planned[], now: Date): Promise<void> {
  const planned = new Map(rows.map((row) => [row.orderNo, row]))
  const tasks = orders.flatMap(({ orderNo: subject, merchantId: owner, livemode }) => {
    const { next = null, isCompared = false } = planned.get(subject) ?? {}
    const payload: OwnLook = { livemode, comparedAt: isCompared ? now.toISOString() : null }
    return next === null ? [] : [{ owner, subject, runAt: next, payload }]
  })
  await addTasks(db, RECONCILE, tasks, now)
}

/**
 * The next orders by their numbers. Those that have a look of their own ahead are left to it, as are those that neither changed
 * nor expired since `a.since`.
 */
export async function listPart(
  db: Db,
  a: { after: string; since: Date; limit: number },
): Promise<(DueOrder & { isCompared: boolean })[]> {
  const orders = await db<(DueOrder & { isRecent: boolean })[]>`
    select ${dueColumns(db)}, greatest(o.updated_at, o.expires_at) > ${a.since} as "isRecent"
    from orders o where o.order_no > ${a.after} order by o.order_no limit ${a.limit}`
  const recent = orders.filter((order) => order.isRecent)
  const keys = recent.map(({ merchantId: owner, orderNo: subject }) => ({ owner, subject }))
  const busy = await findSubjects(db, RECONCILE, keys)
  return orders.map((order) => ({ ...order, isCompared: order.isRecent && !busy.has(order.orderNo) }))
}

export interface OrderBookLine extends BookLine {
  orderNo: string
  orderRef: string
  rail: string
}

type BookRow = AssetRef & Pick<OrderBookLine, 'orderNo' | 'orderRef' | 'rail' | 'legId' | 'legRef'> & { booked: string }

/**
 * The books of many orders, one line a leg and asset: what `legBalancesOf` calls held (a test compares the two). Each
 * leg has a line of its own asset, also where nothing ever came.
 */
export async function listBooks(db: Db, orderNos: readonly string[]): Promise<OrderBookLine[]> {
  const numbers = orderNos as string[]
  const rows = await db<BookRow[]>`
    select o.order_no as "orderNo", o.order_ref as "orderRef", l.rail, l.id as "legId", l.ref as "legRef", moved.chain,
      min(moved.asset) as asset, min(moved.contract) as contract, min(moved.decimals)::int as decimals,
      sum(moved.amount)::text as booked
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
  return rows.map(({ orderNo, orderRef, rail, legId, legRef, booked, ...asset }) => ({
    ...{ orderNo, orderRef, rail, legId, legRef, asset, booked: BigInt(booked) },
  }))
}

export interface OpenDifference extends KnownDifference {
  id: string
  orderNo: string
  legId: string
  asset: AssetRef
}

type DifferenceRow = Omit<OpenDifference, 'asset' | 'booked' | 'found'> & AssetRef & { booked: string; found: string }

export async function listOpenDifferences(db: Db, orderNos: readonly string[]): Promise<OpenDifference[]> {
  const rows = await db<DifferenceRow[]>`
    select id, order_no as "orderNo", pay_leg_id as "legId", chain, asset, contract, decimals, booked::text, found::text, height,
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

/** Written in the commit that closed the order, or that changed it afterwards: no closed order is left out. */
export function compareSoon(
  db: Db,
  { orderNo: subject, merchantId: owner, livemode }: Pick<DueOrder, 'orderNo' | 'merchantId' | 'livemode'>,
  at: Date,
): Promise<void> {
  const payload: OwnLook = { livemode, comparedAt: null }
  return askTasks(db, RECONCILE, [{ owner, subject, runAt: at, payload }], at)
}

export interface Planned {
  orderNo: string
  /** null: no further look of its own. */
  next: Date | null
  /** Every line of it could be read. */
  isCompared: boolean
}

/** Writes what claimed looks were good for. Orders that changed meanwhile keep the looks that their changes asked for. */
export async function plan(
  db: Db,
  tasks: readonly Task<OwnLook>[],
  rows: readonly Planned[],
  now: Date,
): Promise<void> {
  const planned = new Map(rows.map((row) => [row.orderNo, row]))
  const next = (task: Task<OwnLook>): Date | null => planned.get(task.subject)?.next ?? null
  await endTasks(
    db,
    tasks.filter((task) => next(task) === null),
  )
  await postponeTasks(
    db,
    tasks.flatMap((task) => {
      const [runAt, isCompared] = [next(task), planned.get(task.subject)?.isCompared]
      return runAt === null ? [] : [{ ...task, runAt, change: isCompared ? { comparedAt: now.toISOString() } : {} }]
    }),
  )
}

export interface Progress {
  /** Differences that people were told of and that are open. */
  differences: bigint
  /** How late the look is that is due longest, and how late the round is; in seconds. */
  behindS: number
}

export async function readProgress(db: Db, now: Date): Promise<Progress> {
  const [row] = await db<{ differences: bigint; due: Date | null }[]>`
    select (select count(*) from book_differences where resolved_at is null and told_at is not null) as differences,
      least(
        ${await findNextDue(db, RECONCILE)}::timestamptz, (select due_at from reconcile_rounds),
        (select began_at + ${ROUND_MAX_MS / 1000} * interval '1 second' from reconcile_rounds where after <> ''),
        -- The round after it may take as long.
        (select whole_since + ${(2 * ROUND_MAX_MS) / 1000} * interval '1 second' from reconcile_rounds)) as due`
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
    from book_differences d join merchant_accounts m on m.id = d.merchant_id
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
  const { missing, earliest } = await readTimes(db, RECONCILE, {
    ...{ owner: a.merchantId, having: { livemode: a.livemode }, time: 'comparedAt' },
  })
  // In the last whole round, or by a look of its own.
  const [row] = await db<{ comparedSince: Date }[]>`
    select least(whole_since, ${earliest}::timestamptz) as "comparedSince" from reconcile_rounds where whole_since is not null`
  return { comparedSince: row?.comparedSince ?? null, waiting: Math.min(missing, WAITING_MAX) }
}
