// The SQL of what rails reported and of what they are still to be given.
import { assert } from '../platform/assert.ts'
import type { Sql } from '../platform/db/pool.ts'
import { type Db, type Tx, withTx } from '../platform/db/tx.ts'
import { newId } from '../platform/ids.ts'
import type { RailFact, RefundRequest, SettleRequest } from '../rails/rail.ts'
import { readFact } from '../rails/report.store.ts'

/** Orders with facts that are due, those first that wait longest. One busy order fills at most one window. */
export async function listOrderRefsWithFacts(sql: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ orderRef: string }[]>`
    select order_ref as "orderRef" from (
      select order_ref, id from rail_facts where due_at <= ${now} order by due_at, id limit ${10 * limit}
    ) due group by order_ref order by min(id) limit ${limit}`
  return rows.map((row) => row.orderRef)
}

/** All facts of an order wait together, so their order stays. */
export function postponeFacts(sql: Sql, orderRef: string, until: Date): Promise<unknown> {
  return sql`update rail_facts set due_at = ${until} where order_ref = ${orderRef} and due_at < ${until}`
}

/** Facts of an order that was never written. @param before no request can still come that would write it. */
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

export interface HandOverWish {
  /** null: of every order. */
  orderNo: string | null
  now: Date
  limit: number
}

interface HandOverRow {
  rail: string
  orderRef: string
  legRef: string
  livemode: boolean
  chain: string
  asset: string
  contract: string | null
  decimals: number
  id: string
  amount: string
}

/** Money goes where its own leg says. A leg that older code wrote says nothing: its order's target. */
export async function listSettlementsToHandOver(
  sql: Sql,
  a: HandOverWish,
): Promise<{ rail: string; request: SettleRequest }[]> {
  const rows = await sql<
    (HandOverRow & {
      feeBps: number
      address: string
      toChain: string
      toAsset: string
      toContract: string | null
      toDecimals: number
    })[]
  >`
    select l.rail, o.order_ref as "orderRef", l.ref as "legRef", o.livemode, l.chain, l.asset, l.contract, l.decimals,
      s.id, s.gross::text as amount, s.fee_bps as "feeBps", coalesce(l.settle_address, o.settle_address) as address,
      coalesce(l.settle_chain, o.settle_chain) as "toChain", coalesce(l.settle_asset, o.settle_asset) as "toAsset",
      case when l.settle_address is null then o.settle_contract else l.settle_contract end as "toContract",
      coalesce(l.settle_decimals, o.settle_decimals) as "toDecimals"
    from settlements s join orders o using (order_no) join pay_legs l on l.id = s.pay_leg_id
    where s.handed_over_at is null and s.status = 'wanted' and s.hand_over_at <= ${a.now}
    ${a.orderNo === null ? sql`` : sql`and s.order_no = ${a.orderNo}`}
    order by s.hand_over_at limit ${a.limit}`
  return rows.map((row) => ({
    rail: row.rail,
    request: {
      settlementId: row.id,
      orderRef: row.orderRef,
      legRef: row.legRef,
      livemode: row.livemode,
      pay: { chain: row.chain, asset: row.asset, contract: row.contract, decimals: row.decimals },
      settle: { chain: row.toChain, asset: row.toAsset, contract: row.toContract, decimals: row.toDecimals },
      merchantAddress: row.address,
      gross: BigInt(row.amount),
      feeBps: row.feeBps,
    },
  }))
}

export async function listRefundsToHandOver(
  sql: Sql,
  a: HandOverWish,
): Promise<{ rail: string; request: RefundRequest }[]> {
  const rows = await sql<(HandOverRow & { address: string | null; boundTo: string | null })[]>`
    select l.rail, o.order_ref as "orderRef", l.ref as "legRef", o.livemode, r.chain, r.asset, r.contract, r.decimals,
      r.id, r.amount::text, r.address, l.bound_refund_address as "boundTo"
    from refunds r join orders o using (order_no) join pay_legs l on l.id = r.pay_leg_id
    where r.handed_over_at is null and r.status = 'sending' and r.hand_over_at <= ${a.now}
    ${a.orderNo === null ? sql`` : sql`and r.order_no = ${a.orderNo}`}
    order by r.hand_over_at limit ${a.limit}`
  return rows.map((row) => {
    assert(row.address !== null, `refund ${row.id} that is being sent has an address`)
    return {
      rail: row.rail,
      request: {
        refundId: row.id,
        orderRef: row.orderRef,
        legRef: row.legRef,
        livemode: row.livemode,
        asset: { chain: row.chain, asset: row.asset, contract: row.contract, decimals: row.decimals },
        amount: BigInt(row.amount),
        to: row.address,
        isBound: row.boundTo === row.address,
      },
    }
  })
}

export interface HandedOver {
  settlementIds: readonly string[]
  refundIds: readonly string[]
}

export function markHandedOver(sql: Sql, a: HandedOver, now: Date): Promise<void> {
  return withTx(sql, async (tx) => {
    await tx`update settlements set handed_over_at = ${now} where id = any(${a.settlementIds as string[]})`
    await tx`update refunds set handed_over_at = ${now} where id = any(${a.refundIds as string[]})`
    const causes = [...a.settlementIds, ...a.refundIds].map(causeOf)
    await tx`
      update attention set resolved_at = ${now}, resolved_by = 'system', resolution = 'the rail took the work'
      where cause = any(${causes}) and resolved_at is null`
  })
}

const causeOf = (id: string): string => `not_handed_over:${id}`

/** Tells people of work that its rail has not taken for long. One open item for each settlement or refund. */
export async function raiseNotHandedOver(
  sql: Sql,
  a: HandedOver & { rail: string; since: Date; now: Date },
): Promise<void> {
  const works = [
    { table: 'settlements', work: 'settlement', ids: a.settlementIds },
    { table: 'refunds', work: 'refund', ids: a.refundIds },
  ]
  for (const { table, work, ids } of works) {
    for (const id of ids) {
      await sql`
        insert into attention (id, merchant_id, livemode, order_no, kind, cause, evidence, actions, created_at)
        select ${newId('att', a.now)}, o.merchant_id, o.livemode, o.order_no, 'not_handed_over', ${causeOf(id)},
          ${sql.json({ work, id, rail: a.rail })}, '{dismiss}', ${a.now}
        from ${sql(table)} w join orders o using (order_no) where w.id = ${id} and w.created_at < ${a.since}
        on conflict (cause) where resolved_at is null do nothing`
    }
  }
}

export async function postponeHandOver(sql: Sql, a: HandedOver, until: Date): Promise<void> {
  await Promise.all([
    sql`update settlements set hand_over_at = ${until} where id = any(${a.settlementIds as string[]})`,
    sql`update refunds set hand_over_at = ${until} where id = any(${a.refundIds as string[]})`,
  ])
}
