// SQL of the checkout, beyond what orders read.
import type { Sql } from '@florin/platform/db/pool'

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
