// SQL of settlements and refunds that are not yet handed to their rail.
import { leastToSettle } from '@florin/order-model/ledger'
import { assert } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { hasFacts } from '@florin/rail-kit/facts.store'
import type { EndedMoves, RefundRequest, SettleRequest } from '@florin/rail-kit/interface/moves'

/** Of one order, whoever has them: a rail takes a request once. Or those of all orders that are due, for as long as a lease. */
export type HandOverQuery = { orderNo: string } | { now: Date; leasedUntil: Date; limit: number }

export interface DueSettlement {
  rail: string
  orderNo: string
  isHeld: boolean
  /** The merchant wants it settled whatever the rail says. */
  isReleased: boolean
  request: SettleRequest
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

export interface OrderWork {
  /** Facts that are not applied. */
  hasFacts: boolean
  /** Settlements or refunds that are not handed over. */
  hasWork: boolean
}

export async function lookForWork(db: Db, order: { orderNo: string; orderRef: string }): Promise<OrderWork> {
  const [row] = await db<[OrderWork]>`
    select ${hasFacts(db, 'given.order_ref')} as "hasFacts",
      exists (select from settlements where order_no = ${order.orderNo} and handed_over_at is null and status = 'wanted')
        or exists (select from refunds where order_no = ${order.orderNo} and handed_over_at is null and status = 'sending')
        as "hasWork"
    from (select ${order.orderRef}::text as order_ref) given`
  return row
}

type Claim = Exclude<HandOverQuery, { orderNo: string }>

const settlementsOf = (db: Db, orderNo: string) => db`
  select * from settlements where order_no = ${orderNo} and handed_over_at is null and status = 'wanted'`

/** Rows that another process is claiming are skipped. A lease ends at the time of the next try. */
const claimedSettlements = (db: Db, a: Claim) => db`
  with due as materialized (
    select id from settlements s where s.handed_over_at is null and status = 'wanted' and hand_over_at <= ${a.now}
    order by hand_over_at limit ${a.limit} for no key update skip locked
  )
  update settlements set hand_over_at = ${a.leasedUntil} from due where settlements.id = due.id returning settlements.*`

/**
 * Of settlements and refunds, those that are over for their orders, also where the money went without their rail. While an order has
 * facts that are not applied, they may be opened again: `in_doubt`.
 */
export async function listEndedMoves(db: Db, ids: readonly string[]): Promise<EndedMoves> {
  const rows = await db<{ id: string; how: 'done' | 'failed' | 'in_doubt' }[]>`
    select m.id, case when ${hasFacts(db, 'o.order_ref')} then 'in_doubt'
      when m.status = 'failed' then 'failed' else 'done' end as how from (
      select id, order_no, status from settlements where id = any(${ids as string[]}) and status in ('final', 'failed')
      union all
      select id, order_no, status from refunds where id = any(${ids as string[]}) and status in ('succeeded', 'failed')
    ) m join orders o using (order_no)`
  return new Map(rows.map(({ id, how }) => [id, how]))
}

/** Money settles to the target of its own leg. */
export async function takeSettlements(sql: Sql, a: HandOverQuery): Promise<DueSettlement[]> {
  const rows = await sql<
    (HandOverRow & {
      feeBps: number
      address: string
      toChain: string
      toAsset: string
      toContract: string | null
      toDecimals: number
      amountDue: string
      least: string | null
      amountUsdMicros: bigint
      underpayToleranceBps: number
      orderNo: string
      hold: string | null
      isReleased: boolean
    })[]
  >`
    with taken as (${'orderNo' in a ? settlementsOf(sql, a.orderNo) : claimedSettlements(sql, a)})
    select l.rail, o.order_ref as "orderRef", l.ref as "legRef", o.livemode, l.chain, l.asset, l.contract, l.decimals,
      o.order_no as "orderNo", s.hold, s.is_released as "isReleased", s.id, s.gross::text as amount, s.fee_bps as "feeBps", l.settle_address as address,
      l.settle_chain as "toChain", l.settle_asset as "toAsset",
      l.settle_contract as "toContract",
      l.settle_decimals as "toDecimals",
      l.amount_due::text as "amountDue", l.least::text as least, o.amount_usd_micros as "amountUsdMicros",
      o.underpay_tolerance_bps as "underpayToleranceBps"
    from taken s join orders o using (order_no) join pay_legs l on l.id = s.pay_leg_id order by s.id`
  return rows.map((row) => ({
    ...{ rail: row.rail, orderNo: row.orderNo, isHeld: row.hold !== null, isReleased: row.isReleased },
    request: {
      settlementId: row.id,
      orderRef: row.orderRef,
      legRef: row.legRef,
      livemode: row.livemode,
      pay: { chain: row.chain, asset: row.asset, contract: row.contract, decimals: row.decimals },
      settle: { chain: row.toChain, asset: row.toAsset, contract: row.toContract, decimals: row.toDecimals },
      merchantAddress: row.address,
      gross: BigInt(row.amount),
      least: leastToSettle(
        row,
        { amountDue: BigInt(row.amountDue), least: row.least === null ? null : BigInt(row.least) },
        BigInt(row.amount),
      ),
      feeBps: row.feeBps,
    },
  }))
}

const refundsOf = (db: Db, orderNo: string) => db`
  select * from refunds r where order_no = ${orderNo} and handed_over_at is null and status = 'sending' and ${isFirst(db)}`

const claimedRefunds = (db: Db, a: Claim) => db`
  with due as materialized (
    select id from refunds r
    where handed_over_at is null and r.status = 'sending' and hand_over_at <= ${a.now} and ${isFirst(db)}
    order by hand_over_at limit ${a.limit} for no key update skip locked
  )
  update refunds set hand_over_at = ${a.leasedUntil} from due where refunds.id = due.id returning refunds.*`

/** Of one leg, asset and address one at a time: the next waits until the one before has ended. */
const isFirst = (db: Db) => db`
  not exists (
    select from refunds other
    where other.order_no = r.order_no and other.pay_leg_id = r.pay_leg_id and other.chain = r.chain
      and other.asset = r.asset and other.contract is not distinct from r.contract and other.address = r.address
      and other.id <> r.id and other.status in ('sending', 'proposed')
      and (other.handed_over_at is not null or other.id < r.id))`

export async function takeRefunds(sql: Sql, a: HandOverQuery): Promise<{ rail: string; request: RefundRequest }[]> {
  const rows = await sql<(HandOverRow & { address: string | null; boundTo: string | null })[]>`
    with taken as (${'orderNo' in a ? refundsOf(sql, a.orderNo) : claimedRefunds(sql, a)})
    select l.rail, o.order_ref as "orderRef", l.ref as "legRef", o.livemode, r.chain, r.asset, r.contract, r.decimals,
      r.id, r.amount::text, r.address, l.bound_refund_address as "boundTo"
    from taken r join orders o using (order_no) join pay_legs l on l.id = r.pay_leg_id order by r.id`
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

export async function markHandedOver(tx: Tx, a: HandedOver, now: Date): Promise<void> {
  if (a.settlementIds.length > 0)
    await tx`update settlements set handed_over_at = ${now} where id = any(${a.settlementIds as string[]})`
  if (a.refundIds.length > 0)
    await tx`update refunds set handed_over_at = ${now} where id = any(${a.refundIds as string[]})`
}

/** Which of these already existed at a given time, with their orders. */
export function listWaitingSince(
  db: Db,
  a: HandedOver,
  since: Date,
): Promise<{ id: string; work: string; merchantId: string; livemode: boolean; orderNo: string }[]> {
  return db`
    select w.id, w.work, o.merchant_id as "merchantId", o.livemode, o.order_no as "orderNo"
    from (
      select id, order_no, created_at, 'settlement' as work from settlements where id = any(${a.settlementIds as string[]})
      union all
      select id, order_no, created_at, 'refund' as work from refunds where id = any(${a.refundIds as string[]})
    ) w join orders o using (order_no) where w.created_at < ${since}`
}
