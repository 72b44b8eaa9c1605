// SQL of orders and their child rows. Only orders/advance and orders/create call the functions that write.
import type { FoldedTransfer, OrderState } from '@florin/order-model/state'
import { assert } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { childColumns, type OrderRow, orderColumns, toOrder } from './rows.store.ts'

/**
 * A merchant's order of one mode; another's does not exist.
 * @param a.merchantId null: of any merchant, for operators. @param a.livemode null: of either mode.
 */
export async function findOrder(
  db: Db,
  a: { orderNo: string; merchantId: string | null; livemode: boolean | null },
): Promise<OrderState | null> {
  const [row] = await db<OrderRow[]>`
    select ${db.unsafe(orderColumns)}, ${db.unsafe(childColumns)} from orders o
    where o.order_no = ${a.orderNo}
    ${a.merchantId === null ? db`` : db`and o.merchant_id = ${a.merchantId}`}
    ${a.livemode === null ? db`` : db`and o.livemode = ${a.livemode}`}`
  return row ? toOrder(row) : null
}

/** The order behind a checkout link. */
export async function findOrderByToken(db: Db, checkoutToken: string): Promise<OrderState | null> {
  const [row] = await db<OrderRow[]>`
    select ${db.unsafe(orderColumns)}, ${db.unsafe(childColumns)} from orders o where o.checkout_token = ${checkoutToken}`
  return row ? toOrder(row) : null
}

/** For callers that have already checked access. */
export async function getOrder(db: Db, orderNo: string): Promise<OrderState> {
  const [row] = await db<
    OrderRow[]
  >`select ${db.unsafe(orderColumns)}, ${db.unsafe(childColumns)} from orders o where o.order_no = ${orderNo}`
  assert(row !== undefined, `order ${orderNo} exists`)
  return toOrder(row)
}

/**
 * Locks an order and then reads it. Two statements on purpose: a statement that waits for the lock would go on with
 * the child rows of its old snapshot.
 */
export async function lockOrder(tx: Tx, orderNo: string): Promise<OrderState> {
  await lockOrderRow(tx, orderNo)
  return getOrder(tx, orderNo)
}

/** Waits until no other transaction has the order. */
export function lockOrderRow(tx: Tx, orderNo: string): Promise<unknown> {
  return tx`select 1 from orders where order_no = ${orderNo} for update`
}

/** The transfers among `keys` that stand in a row with others. */
export async function listFolded(tx: Tx, orderNo: string, keys: readonly string[]): Promise<FoldedTransfer[]> {
  if (keys.length === 0) return []
  const rows = await tx<(Omit<FoldedTransfer, 'amount'> & { amount: string })[]>`
    select key, fold, tx_hash as "txHash", output_index as "outputIndex", amount::text, from_address as "from", height,
      status, seen_at as "seenAt"
    from folded_payments where key = any(${keys}::text[]) and order_no = ${orderNo}`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

export interface OrderToLookAt {
  orderNo: string
  orderRef: string
  /** Kinds of the rails that its legs are on. */
  rails: string[]
}

/** Leases orders that are due, oldest first; rows that another process holds are skipped. */
export function claimOrdersToLookAt(
  sql: Sql,
  a: { now: Date; leasedUntil: Date; limit: number },
): Promise<OrderToLookAt[]> {
  return sql<OrderToLookAt[]>`
    with due as (
      select order_no from orders where look_at <= ${a.now} order by look_at limit ${a.limit}
      for no key update skip locked
    )
    update orders o set look_at = ${a.leasedUntil} from due where o.order_no = due.order_no
    returning o.order_no as "orderNo", o.order_ref as "orderRef",
      array(select distinct l.rail from pay_legs l where l.order_no = o.order_no) as rails`
}

/** The versions of these orders, each found by its key: one query for all streams of a process. */
export function listVersions(sql: Sql, orderNos: readonly string[]): Promise<{ orderNo: string; version: number }[]> {
  return sql<{ orderNo: string; version: number }[]>`
    select order_no as "orderNo", version from orders where order_no = any(${orderNos as string[]})`
}

/** Which of these tokens still lead to an order. */
export async function listTokens(sql: Sql, tokens: readonly string[]): Promise<string[]> {
  const rows = await sql<{ token: string }[]>`
    select checkout_token as token from orders where checkout_token = any(${tokens as string[]})`
  return rows.map((row) => row.token)
}
