// Copies of an order with all that hangs on it, made in the database: a long past of a shop.
import type { Sql } from '@florin/platform/db/pool'

/** Tables whose rows are copied, parents first. */
const tables = [
  ...['orders', 'pay_legs', 'payments', 'settlements', 'refunds', 'order_events', 'deliveries'],
  ...['sandbox_legs', 'sandbox_transfers', 'sandbox_settlements', 'sandbox_refunds', 'sandbox_outflows'],
]

/** Ids are told apart by their last five characters, so at most 99,999 of one order. @returns their numbers. */
export async function copiesOf(sql: Sql, orderNo: string, count: number, from = 1): Promise<string[]> {
  for (const table of tables) {
    const key = table.startsWith('sandbox_') ? 'order_ref' : 'order_no'
    const columns = await sql<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attidentity = '' and attname <> 'position'`
    const names = sql.unsafe(columns.map(({ name }) => `"${name}"`).join(', '))
    const copied = sql.unsafe(columns.map(({ name }) => `copy."${name}"`).join(', '))
    await sql`
      insert into ${sql(table)} (${names})
      select ${copied} from generate_series(${from}::int, ${from + count - 1}::int) m, orders o, ${sql(table)} t,
        lateral json_populate_record(null::${sql(table)}, regexp_replace(
          replace(replace(row_to_json(t)::text, o.order_ref, left(o.order_ref, 17) || lpad(m::text, 5, '0')),
            o.checkout_token, o.checkout_token || m),
          '"((?!mer_|key_)[a-z]{2,4}_[0-9a-z]{21})[0-9a-z]{5}(?=["@])', '"\\1' || lpad(m::text, 5, '0'), 'g')::json) copy
      where o.order_no = ${orderNo} and t.${sql(key)} = o.${sql(key)}`.catch((error: unknown) => {
      throw new Error(`copies of ${table}`, { cause: error })
    })
  }
  return Array.from({ length: count }, (_, n) => orderNo.slice(0, -5) + String(from + n).padStart(5, '0'))
}
