// SQL of what strangers may start from pages: counts of a clock hour, and what one client has open.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'

/** Counts one more where the hour has room for it: judged and counted in one statement. @returns whether it had. */
export async function countStart(tx: Tx, a: { scope: string; hour: Date; max: number }): Promise<boolean> {
  const rows = await tx`
    insert into start_counts as c (scope, hour, n) values (${a.scope}, ${a.hour}, 1)
    on conflict (scope, hour) do update set n = c.n + 1 where c.n < ${a.max}
    returning 1`
  return rows.length === 1
}

/** Pieces that open payments of this client hold on this page; an invoice is one. The caller holds the lock of the page. */
export async function countOpen(tx: Tx, a: { page: string; client: string }): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select coalesce(sum(coalesce(o.quantity, 1)), 0)::int as n from page_starts s join orders o on o.order_no = s.order_no
    where s.page = ${a.page} and s.client = ${a.client} and o.status = 'pending'`
  return row?.n ?? 0
}

export function insertStart(tx: Tx, a: { orderNo: string; page: string; client: string; now: Date }): Promise<unknown> {
  return tx`
    insert into page_starts (order_no, page, client, created_at) values (${a.orderNo}, ${a.page}, ${a.client}, ${a.now})`
}

/** Counts of past hours, and clients whose orders are over. @returns how many rows went. */
export async function deleteOldStarts(sql: Sql, a: { hoursBefore: Date; startsBefore: Date }): Promise<number> {
  const counts = await sql`
    delete from start_counts where (scope, hour) in (
      select scope, hour from start_counts where hour < ${a.hoursBefore} order by hour limit 1000)
    returning 1`
  const starts = await sql`
    delete from page_starts where order_no in (
      select order_no from page_starts where created_at < ${a.startsBefore} order by created_at limit 1000)
    returning 1`
  return counts.length + starts.length
}
