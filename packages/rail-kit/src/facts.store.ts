// SQL of reported facts that are not applied to their order yet.
import type { Sql } from '@florin/platform/db/pool'
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { RailFact } from './interface/fact.ts'
import { readFact } from './report.store.ts'

/** Orders looked at for one that is due: others may be deferred. */
const LOOKED_AT_MAX = 1_000

/**
 * Looks at the next merchants with facts, and finds `each` of a merchant's orders with facts that are due; a merchant
 * without such an order is named all the same, so that the next look begins after it. Every step is one probe of rail_facts_by_merchant, so the cost
 * does not depend on how many facts an order has, nor on how many orders a merchant has.
 */
export async function lookForFacts(
  sql: Sql,
  a: {
    now: Date
    turn: { merchantNo: number; after: Readonly<Record<number, string>> }
    merchants: number
    each: number
  },
): Promise<{ merchants: number[]; found: { merchantNo: number; orderRef: string }[] }> {
  const rows = await sql<{ merchantNo: number; orderRef: string | null }[]>`
    with recursive m(merchant_no) as (
      (select f.merchant_no from rail_facts f where f.merchant_no > ${a.turn.merchantNo}::int
       order by f.merchant_no limit 1)
      union all
      select (select f.merchant_no from rail_facts f where f.merchant_no > m.merchant_no order by f.merchant_no limit 1)
      from m where m.merchant_no is not null
    )
    select m.merchant_no as "merchantNo", waiting.order_ref as "orderRef"
    from (select merchant_no from m where merchant_no is not null limit ${a.merchants}) m left join lateral (
      with recursive r(order_ref, n) as (
        (select f.order_ref, 1 from rail_facts f
         where f.merchant_no = m.merchant_no
           and f.order_ref > coalesce(${sql.json(a.turn.after)}::jsonb ->> m.merchant_no::text, '') collate "C"
         order by f.order_ref limit 1)
        union all
        select (select f.order_ref from rail_facts f where f.merchant_no = m.merchant_no and f.order_ref > r.order_ref
                order by f.order_ref limit 1), r.n + 1
        from r where r.order_ref is not null and r.n < ${LOOKED_AT_MAX}
      )
      select order_ref from r
      where order_ref is not null and exists (
        select from rail_facts f
        where f.merchant_no = m.merchant_no and f.order_ref = r.order_ref and f.due_at <= ${a.now})
      limit ${a.each}
    ) waiting on true`
  return {
    merchants: [...new Set(rows.map((row) => row.merchantNo))],
    found: rows.flatMap(({ merchantNo, orderRef }) => (orderRef === null ? [] : [{ merchantNo, orderRef }])),
  }
}

/** Defers all facts of an order together, so that their sequence is kept. */
export function postponeFacts(sql: Sql, orderRef: string, until: Date): Promise<unknown> {
  return sql`update rail_facts set due_at = ${until} where order_ref = ${orderRef} and due_at < ${until}`
}

/** Facts of an order that was never written. @param before older than any request that could still write the order. */
export function deleteLostFacts(sql: Sql, orderRef: string, before: Date): Promise<unknown> {
  return sql`delete from rail_facts where order_ref = ${orderRef} and created_at < ${before}`
}

export async function listFacts(tx: Tx, orderRef: string, limit: number): Promise<{ id: bigint; fact: RailFact }[]> {
  const rows = await tx<{ id: bigint; fact: Record<string, unknown> }[]>`
    select id, fact from rail_facts where order_ref = ${orderRef} order by id limit ${limit}`
  return rows.map((row) => ({ id: row.id, fact: readFact(row.fact) }))
}

export async function deleteFacts(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await tx`delete from rail_facts where id = any(${ids.map(String)}::bigint[])`
}

/** Whether facts of an order wait, as a part of a statement. @param orderRef a column. */
export const hasFacts = (db: Db, orderRef: string): Query<Row[]> =>
  db`exists (select from rail_facts f where f.order_ref = ${db.unsafe(orderRef)})`

/**
 * The same of facts that are due, true or null: a scalar, so that each order costs one probe of rail_facts_of_order, however many facts
 * there are.
 */
export const hasDueFact = (db: Db, orderRef: string, now: Date): Query<Row[]> =>
  db`(select true from rail_facts f where f.order_ref = ${db.unsafe(orderRef)} and f.due_at <= ${now} limit 1)`

/** How many facts wait, and since when. */
export const factQueue = (db: Db, max: number): Query<Row[]> => db`
  select 'facts' as queue, count(*)::int as count, min(due_at) as since
  from (select due_at from rail_facts order by due_at, id limit ${max}) q`
