// SQL of reported rail facts that are not applied to their order yet.
import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'
import type { RailFact } from '../rails/rail.ts'
import { readFact } from '../rails/report.store.ts'

/** Orders with facts that are due, longest waiting first. One busy order fills at most one window. */
export async function listOrderRefsWithFacts(sql: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ orderRef: string }[]>`
    select order_ref as "orderRef" from (
      select order_ref, id from rail_facts where due_at <= ${now} order by due_at, id limit ${10 * limit}
    ) due group by order_ref order by min(id) limit ${limit}`
  return rows.map((row) => row.orderRef)
}

/** Defers all facts of an order together, so that their sequence is kept. */
export function postponeFacts(sql: Sql, orderRef: string, until: Date): Promise<unknown> {
  return sql`update rail_facts set due_at = ${until} where order_ref = ${orderRef} and due_at < ${until}`
}

/** Facts of an order that was never written. @param before older than any request that could still write the order. */
export function deleteLostFacts(sql: Sql, orderRef: string, before: Date): Promise<unknown> {
  return sql`delete from rail_facts where order_ref = ${orderRef} and created_at < ${before}`
}

export async function findOrderNoByRef(db: Db, orderRef: string): Promise<string | null> {
  const [row] = await db<{ orderNo: string }[]>`select order_no as "orderNo" from orders where order_ref = ${orderRef}`
  return row?.orderNo ?? null
}

export async function listFacts(tx: Tx, orderRef: string, limit: number): Promise<{ id: bigint; fact: RailFact }[]> {
  const rows = await tx<{ id: bigint; fact: Record<string, unknown> }[]>`
    select id, fact from rail_facts where order_ref = ${orderRef} order by id limit ${limit}`
  return rows.map((row) => ({ id: row.id, fact: readFact(row.fact) }))
}

export function deleteFacts(tx: Tx, ids: readonly bigint[]): Promise<unknown> {
  return tx`delete from rail_facts where id = any(${ids.map(String)}::bigint[])`
}
