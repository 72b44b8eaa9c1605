// SQL of who started an order: the merchant's server, or a payer from a page of the shop's.
import type { Db } from '@florin/platform/db/tx'

/** Who started an order, where a page did and not the merchant's server. */
export async function findStarter(db: Db, orderRef: string): Promise<{ client: string | null } | null> {
  const [row] = await db<{ client: string | null }[]>`
    select s.client from order_summaries o left join order_starters s on s.order_no = o.order_no
    where o.order_ref = ${orderRef} and (o.payment_link_id is not null or o.invoice_id is not null)`
  return row ?? null
}

/** Places of the row that one client holds: of orders that are open, or were until lately. */
export async function countOfClient(
  db: Db,
  a: { id: string; merchantId: string; client: string; rowFrom: bigint; closedBefore: Date },
): Promise<bigint> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) as count from account_addresses d
    join order_summaries o on o.order_ref = d.order_ref join order_starters s on s.order_no = o.order_no
    where d.account_id = ${a.id} and d.index >= ${a.rowFrom} and d.by_stranger and not d.is_paid
      and d.merchant_id = ${a.merchantId} and s.client = ${a.client}
      and (o.status in ('pending', 'processing') or o.updated_at >= ${a.closedBefore})`
  return row?.count ?? 0n
}
