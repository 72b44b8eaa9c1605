// SQL of what one client has open of what strangers may start from pages.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'

/** Pieces that open payments of this client hold on this page; an invoice is one. The caller holds the lock of the page. */
export async function countOpen(tx: Tx, a: { page: string; client: string }): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select coalesce(sum(coalesce(o.quantity, 1)), 0)::int as n from page_starts s join order_summaries o on o.order_no = s.order_no
    where s.page = ${a.page} and s.client = ${a.client} and o.status = 'pending'`
  return row?.n ?? 0
}

export function insertStart(tx: Tx, a: { orderNo: string; page: string; client: string; now: Date }): Promise<unknown> {
  return tx`
    insert into page_starts (order_no, page, client, created_at) values (${a.orderNo}, ${a.page}, ${a.client}, ${a.now})`
}

/** Clients whose orders are over. @returns how many rows went. */
export async function deleteOldStarts(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`
    delete from page_starts where order_no in (
      select order_no from page_starts where created_at < ${before} order by created_at limit 1000)
    returning 1`
  return rows.length
}
