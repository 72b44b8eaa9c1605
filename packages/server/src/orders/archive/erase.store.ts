// SQL of erasure: what a payer typed, or what tells who he is, beside his orders. It is no part of an order's state, so no
// version moves and nobody is told; amounts, addresses and transactions stay.
import type { Sql } from '../../platform/db/pool.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { firstIdAt } from '../../platform/ids.ts'

/** In any case of letters. No index has emails: an erasure is rare and reads the table once. */
export async function listOrdersOf(sql: Sql, email: string): Promise<string[]> {
  const rows = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where lower(payer_email) = lower(${email}) order by order_no`
  return rows.map((row) => row.orderNo)
}

/** Closed orders that changed last before `before` and still have anything of a payer. */
export async function listOldPayers(sql: Sql, a: { after: string; before: Date; limit: number }): Promise<string[]> {
  const rows = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders
    where order_no > ${a.after} and order_no < ${firstIdAt('ord', a.before)} and updated_at < ${a.before}
      and status in ('success', 'refunded', 'expired', 'failed')
      and num_nonnulls(payer_email, payer_name, payer_note) > 0
    order by order_no limit ${a.limit}`
  return rows.map((row) => row.orderNo)
}

/** @returns whose order it is; null: there is none. */
export async function erasePayer(tx: Tx, orderNo: string, a: { withInvoices: boolean }): Promise<string | null> {
  const [order] = await tx<{ merchantId: string; invoiceId: string | null }[]>`
    select merchant_id as "merchantId", invoice_id as "invoiceId" from orders where order_no = ${orderNo} for update`
  if (order === undefined) return null
  await tx`update orders set payer_email = null, payer_name = null, payer_note = null where order_no = ${orderNo}`
  const bodies = await tx<{ id: string; createdAt: Date; body: Uint8Array }[]>`
    select id, created_at as "createdAt", body from order_events where order_no = ${orderNo} and body is not null`
  for (const row of bodies) {
    await tx`
      update order_events set body = ${withoutPayer(row.body)} where id = ${row.id} and created_at = ${row.createdAt}`
  }
  const answers = await tx<{ key: string; owner: string; answer: Uint8Array }[]>`
    select key, api_key_id as owner, answer from idempotency_keys where order_no = ${orderNo} and answer is not null`
  for (const row of answers) {
    await tx`
      update idempotency_keys set answer = ${withoutPayer(row.answer)} where api_key_id = ${row.owner} and key = ${row.key}`
  }
  await tx`delete from page_starts where order_no = ${orderNo}`
  await tx`
    update delivery_attempts set response_excerpt = null, detail = null
    where delivery_id in (select id from deliveries where order_no = ${orderNo})`
  if (a.withInvoices && order.invoiceId !== null) {
    await tx`
      update invoices set payer_email = null, payer_name = null, payer_details = null, note = null where id = ${order.invoiceId}`
  }
  return order.merchantId
}

/** What is said twice is erased twice: an event has the order inside, an answer is one. */
export function withoutPayer(body: Uint8Array): Uint8Array {
  const erase = (key: string, value: unknown): unknown => (/^payer_(email|name|note)$/.test(key) ? null : value)
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body), erase)))
}
