// SQL of erasure: what a payer typed, or what tells who he is, beside his orders. It is no part of an order's state, so no
// version moves and nobody is told; amounts, addresses and transactions stay.

import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { firstIdAt } from '@florin/platform/ids'

/** What is erased beside email, name and note of the payer. */
export interface Reach {
  /** Email, name, details and note on the order's invoice: tax law wants them kept in most places. */
  withInvoices: boolean
  /** What the shop wrote of the order, which may name the payer: title, description, `external_id`, metadata, where payers
   * are led, why it paid back. */
  withTexts: boolean
}

/** In any case of letters. No index has emails: an erasure is rare and reads the table once. */
export async function listOrdersOf(sql: Sql, email: string, a: Pick<Reach, 'withTexts'>): Promise<string[]> {
  const inTexts = sql`or position(lower(${email}) in lower(concat_ws(' ', title, description, external_id, metadata::text))) > 0`
  const rows = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where lower(payer_email) = lower(${email}) ${a.withTexts ? inTexts : sql``}
    order by order_no`
  return rows.map((row) => row.orderNo)
}

const hasTexts = `num_nonnulls(title, description, external_id) > 0 or metadata::text <> '{}'`

/** Closed orders that changed last before `before` and still have anything to erase. */
export async function listOldPayers(
  sql: Sql,
  a: { after: string; before: Date; limit: number; withTexts: boolean },
): Promise<string[]> {
  const rows = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders
    where order_no > ${a.after} and order_no < ${firstIdAt('ord', a.before)} and updated_at < ${a.before}
      and status in ('success', 'refunded', 'expired', 'failed')
      and (num_nonnulls(payer_email, payer_name, payer_note) > 0 ${a.withTexts ? sql`or ${sql.unsafe(hasTexts)}` : sql``})
    order by order_no limit ${a.limit}`
  return rows.map((row) => row.orderNo)
}

/** Of the order itself; what else holds its payer is erased by its owners. @returns null: there is no such order. */
export async function erasePayer(
  tx: Tx,
  orderNo: string,
  a: Reach,
): Promise<{ merchantId: string; invoiceId: string | null } | null> {
  const [order] = await tx<{ merchantId: string; invoiceId: string | null }[]>`
    select merchant_id as "merchantId", invoice_id as "invoiceId" from orders where order_no = ${orderNo} for update`
  if (order === undefined) return null
  await tx`update orders set payer_email = null, payer_name = null, payer_note = null where order_no = ${orderNo}`
  if (a.withTexts) await eraseTexts(tx, orderNo)
  const answers = await tx<{ key: string; owner: string; answer: Uint8Array }[]>`
    select key, api_key_id as owner, answer from idempotency_keys where order_no = ${orderNo} and answer is not null`
  for (const row of answers) {
    await tx`
      update idempotency_keys set answer = ${withoutPayer(row.answer, a)} where api_key_id = ${row.owner} and key = ${row.key}`
  }
  return order
}

/** By its words and metadata the order is found no more: the trigger adds what is new and takes nothing away. */
async function eraseTexts(tx: Tx, orderNo: string): Promise<void> {
  await tx`
    delete from order_lookup l using orders o, order_keys(o.title, o.external_id, o.metadata) said
    where o.order_no = ${orderNo} and l.merchant_no = o.merchant_no and l.livemode = o.livemode and l.key = said
      and l.order_no = o.order_no`
  await tx`
    update orders set title = null, description = null, external_id = null, success_url = null, cancel_url = null, metadata = '{}'
    where order_no = ${orderNo}`
  await tx`update merchant_refunds set reason = null where order_no = ${orderNo}`
}

/** What is said twice is erased twice: an event has the order inside, an answer is one. */
export function withoutPayer(body: Uint8Array, a: Pick<Reach, 'withTexts'>): Uint8Array {
  const erase = (key: string, value: unknown): unknown => {
    if (/^payer_(email|name|note)$/.test(key)) return null
    if (!a.withTexts) return value
    if (/^(title|description|external_id|success_url|cancel_url)$/.test(key)) return null
    return key === 'metadata' ? {} : value
  }
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body), erase)))
}
