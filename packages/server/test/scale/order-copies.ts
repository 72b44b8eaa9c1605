import type { Sql } from '@florin/platform/db/pool'

interface At {
  deps: { sql: Sql }
}

const AT_ONCE = 100

/**
 * Copies of an order, older by a second each, made in the database; by the hundred, as a statement may not take long however large the order.
 * @param first the number of the first copy: several orders of a test have copies of their own.
 */
export async function copies(at: At, orderNo: string, count: number, first = 1): Promise<void> {
  const last = first + count - 1
  for (let from = first; from <= last; from += AT_ONCE) {
    await copiesBetween(at, orderNo, from, Math.min(last, from + AT_ONCE - 1))
  }
}

async function copiesBetween(at: At, orderNo: string, from: number, to: number): Promise<void> {
  await at.deps.sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object(
      'order_no', 'ord_' || lpad(g::text, 26, '0'), 'order_ref', 'copy' || g, 'checkout_token', 'copy' || g,
      'external_id', 'copy-' || g, 'pay_leg_id', null, 'created_at', o.created_at - g * interval '1 second'))).*
    from orders o, generate_series(${from}::int, ${to}::int) g where o.order_no = ${orderNo}`
}
