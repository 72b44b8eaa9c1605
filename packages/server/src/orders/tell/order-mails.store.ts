// The SQL of order_mails.
import type { Tx } from '@florin/platform/db/tx'

export type OrderMailKind = 'paid' | 'receipt' | 'refund'

export interface OrderMail {
  orderNo: string
  kind: OrderMailKind
  /** The refund; empty where it is about the order. */
  about: string
  merchantId: string
  createdAt: Date
}

/** In the commit of the change. What was asked for before is not asked for again. */
export async function insertOrderMails(
  tx: Tx,
  rows: readonly Omit<OrderMail, 'createdAt'>[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into order_mails (order_no, kind, about, merchant_id, created_at, due_at)
    select order_no, kind, about, merchant_id, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map((row) => row.orderNo)}::text[], ${rows.map((row) => row.kind)}::text[],
                ${rows.map((row) => row.about)}::text[], ${rows.map((row) => row.merchantId)}::text[])
         as r(order_no, kind, about, merchant_id)
    on conflict (order_no, kind, about) do nothing`
}

/** Oldest first; with two workers each row is written about once. */
export function claimOrderMails(tx: Tx, a: { now: Date; limit: number }): Promise<OrderMail[]> {
  return tx<OrderMail[]>`
    select order_no as "orderNo", kind, about, merchant_id as "merchantId", created_at as "createdAt" from order_mails
    where done_at is null and due_at <= ${a.now} order by due_at limit ${a.limit} for update skip locked`
}

/** How many mails a merchant got one by one since then; counted up to `max`. */
export async function countAlone(tx: Tx, a: { merchantId: string; since: Date; max: number }): Promise<number> {
  const rows = await tx`
    select 1 from order_mails where merchant_id = ${a.merchantId} and is_alone and done_at > ${a.since} limit ${a.max}`
  return rows.length
}

const keyed = (tx: Tx, rows: readonly OrderMail[]) => tx`
  (m.order_no, m.kind, m.about) in (
    select * from unnest(${rows.map((row) => row.orderNo)}::text[], ${rows.map((row) => row.kind)}::text[],
                         ${rows.map((row) => row.about)}::text[]))`

/** @param isAlone null: nobody wanted it. */
export function finishOrderMails(
  tx: Tx,
  rows: readonly OrderMail[],
  isAlone: boolean | null,
  now: Date,
): Promise<unknown> {
  return tx`update order_mails m set done_at = ${now}, is_alone = ${isAlone}::boolean where ${keyed(tx, rows)}`
}

export function postponeOrderMails(tx: Tx, rows: readonly OrderMail[], dueAt: Date): Promise<unknown> {
  return tx`update order_mails m set due_at = ${dueAt} where ${keyed(tx, rows)}`
}

/** What becomes due later of this merchant's paid orders, so that one digest takes all of it. */
export function claimWaitingPaid(tx: Tx, a: { merchantId: string; limit: number }): Promise<OrderMail[]> {
  return tx<OrderMail[]>`
    select order_no as "orderNo", kind, about, merchant_id as "merchantId", created_at as "createdAt" from order_mails
    where done_at is null and kind = 'paid' and merchant_id = ${a.merchantId}
    order by created_at limit ${a.limit} for update skip locked`
}
