// SQL of what a database that was restored has.
import type { Sql } from '@florin/platform/db/pool'

/** @returns the number of the newest order, which holds its time. */
export async function findNewestOrder(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ no: string }[]>`select order_no as no from order_summaries order by order_no desc limit 1`
  return row?.no ?? null
}
