// Owns the SQL of what rails reported and of what they are still to be given.
import { assert } from '../platform/assert.ts'
import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'
import type { RailFact, RefundRequest, SettleRequest } from '../rails/rail.ts'
import { readFact } from '../rails/report.store.ts'

/** Orders with facts to apply. The smallest fact of each comes first, so none waits behind a busy one. */
export async function listOrderRefsWithFacts(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql<{ orderRef: string }[]>`
    select order_ref as "orderRef" from rail_facts
    where exists (select 1 from orders o where o.order_ref = rail_facts.order_ref)
    group by order_ref order by min(id) limit ${limit}`
  return rows.map((row) => row.orderRef)
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

export async function listSettlementsToHandOver(
  sql: Sql,
  orderNo: string | null,
  limit: number,
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
      s.id, s.gross::text as amount, s.fee_bps as "feeBps", o.settle_address as address, o.settle_chain as "toChain",
      o.settle_asset as "toAsset", o.settle_contract as "toContract", o.settle_decimals as "toDecimals"
    from settlements s join orders o using (order_no) join pay_legs l on l.id = s.pay_leg_id
    where s.handed_over_at is null and s.status = 'wanted'
    ${orderNo === null ? sql`` : sql`and s.order_no = ${orderNo}`}
    order by s.created_at limit ${limit}`
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
  orderNo: string | null,
  limit: number,
): Promise<{ rail: string; request: RefundRequest }[]> {
  const rows = await sql<(HandOverRow & { address: string | null; boundTo: string | null })[]>`
    select l.rail, o.order_ref as "orderRef", l.ref as "legRef", o.livemode, r.chain, r.asset, r.contract, r.decimals,
      r.id, r.amount::text, r.address, l.bound_refund_address as "boundTo"
    from refunds r join orders o using (order_no) join pay_legs l on l.id = r.pay_leg_id
    where r.handed_over_at is null and r.status = 'sending'
    ${orderNo === null ? sql`` : sql`and r.order_no = ${orderNo}`}
    order by r.created_at limit ${limit}`
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

export async function markHandedOver(
  sql: Sql,
  a: { settlementIds: readonly string[]; refundIds: readonly string[]; now: Date },
): Promise<void> {
  await Promise.all([
    sql`update settlements set handed_over_at = ${a.now} where id = any(${a.settlementIds as string[]})`,
    sql`update refunds set handed_over_at = ${a.now} where id = any(${a.refundIds as string[]})`,
  ])
}
