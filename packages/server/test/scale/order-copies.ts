import type { Sql } from '../../src/platform/db/pool.ts'

interface At {
  deps: { sql: Sql }
}

/** Copies of an order, older by a second each, made in the database; by a thousand, as a statement may not take long. */
export async function copies(at: At, orderNo: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 1000) {
    await copiesBetween(at, orderNo, from, Math.min(count, from + 999))
  }
}

async function copiesBetween(at: At, orderNo: string, from: number, to: number): Promise<void> {
  await at.deps.sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object(
      'order_no', 'ord_' || lpad(g::text, 26, '0'), 'order_ref', 'copy' || g, 'checkout_token', 'copy' || g,
      'external_id', 'copy-' || g, 'pay_leg_id', null, 'created_at', o.created_at - g * interval '1 second'))).*
    from orders o, generate_series(${from}::int, ${to}::int) g where o.order_no = ${orderNo}`
}
