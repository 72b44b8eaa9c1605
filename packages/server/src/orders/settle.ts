// The traffic between rails and orders: what rails report goes through the one door, and what orders decided
// (settlements, refunds) is handed to the rails. Everything here may be killed anywhere and run again; what cannot be
// done now waits for a while, so that one order or rail never holds up the others.
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import type { RefundRequest, SettleRequest } from '../rails/rail.ts'
import { type AdvanceDeps, advanceIn, wakeWorkers } from './advance.ts'
import type { OrderState } from './model/state.ts'
import {
  deleteFacts,
  deleteLostFacts,
  findOrderNoByRef,
  listFacts,
  listOrderRefsWithFacts,
  listRefundsToHandOver,
  listSettlementsToHandOver,
  markHandedOver,
  postponeFacts,
  postponeHandOver,
  raiseNotHandedOver,
} from './settle.store.ts'
import { lockOrder } from './store.ts'

export type SettleDeps = AdvanceDeps & Pick<Deps, 'log' | 'rails'>

const BATCH = 100
/** After this long, people are told that a rail does not take its work. */
const LONG_MS = 10 * MINUTE_MS
/** How long what could not be done waits before it is tried again. */
export const AGAIN_MS = 30 * SECOND_MS

/** One round over everything that waits. @returns how much was done. */
export async function settleDue(deps: SettleDeps): Promise<number> {
  let did = 0
  for (const orderRef of await listOrderRefsWithFacts(deps.sql, deps.clock.now(), BATCH)) {
    try {
      did += await applyFacts(deps, orderRef)
    } catch (error) {
      deps.log.error({ err: error, order_ref: orderRef }, 'facts could not be applied; they will be tried again')
      await postponeFacts(deps.sql, orderRef, again(deps))
    }
  }
  return did + (await handOver(deps, null))
}

/** Brings one order as far as it can go by itself, now: for calls that show the result at once. */
export async function settleOrder(deps: SettleDeps, order: { orderNo: string; orderRef: string }): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const did = (await applyFacts(deps, order.orderRef)) + (await handOver(deps, order.orderNo))
    if (did === 0) return
  }
}

async function applyFacts(deps: SettleDeps, orderRef: string): Promise<number> {
  const orderNo = await findOrderNoByRef(deps.sql, orderRef)
  // A leg can be reported on before its order is written (a crash in between). The fact waits for the order as long as
  // the request can be sent again; nobody but the rail ever knew of a leg whose order was not written.
  if (orderNo === null) {
    const lost = new Date(deps.clock.now().getTime() - IDEMPOTENCY_KEPT_MS - IDEMPOTENCY_LEASE_MS)
    await deleteLostFacts(deps.sql, orderRef, lost)
    await postponeFacts(deps.sql, orderRef, again(deps))
    return 0
  }
  const count = await withTx(deps.sql, async (tx) => (await applyFactsIn(deps, tx, await lockOrder(tx, orderNo))).count)
  if (count > 0) wakeWorkers(deps)
  return count
}

/** Applies what rails reported of an order: each fact exactly once, since it is deleted in the same commit. */
export async function applyFactsIn(
  deps: SettleDeps,
  tx: Tx,
  before: OrderState,
): Promise<{ order: OrderState; count: number }> {
  const rows = await listFacts(tx, before.orderRef, 200)
  if (rows.length === 0) return { order: before, count: 0 }
  const facts = rows.map((row) => row.fact)
  const { order } = await advanceIn(deps, tx, before, facts)
  await deleteFacts(
    tx,
    rows.map((row) => row.id),
  )
  return { order, count: rows.length }
}

interface Work {
  settlements: readonly SettleRequest[]
  refunds: readonly RefundRequest[]
}

/** Gives rails what they have not been given. A rail takes the same request twice as once. */
async function handOver(deps: SettleDeps, orderNo: string | null): Promise<number> {
  const wish = { orderNo, now: deps.clock.now(), limit: BATCH }
  const settlements = await listSettlementsToHandOver(deps.sql, wish)
  const refunds = await listRefundsToHandOver(deps.sql, wish)
  let did = 0
  for (const rail of new Set([...settlements, ...refunds].map((row) => row.rail))) {
    const of = <T>(rows: readonly { rail: string; request: T }[]): T[] =>
      rows.filter((row) => row.rail === rail).map((row) => row.request)
    did += await give(deps, rail, { settlements: of(settlements), refunds: of(refunds) })
  }
  return did
}

async function give(deps: SettleDeps, kind: string, work: Work): Promise<number> {
  const { settlements, refunds } = work
  const count = settlements.length + refunds.length
  const ids = {
    settlementIds: settlements.map((request) => request.settlementId),
    refundIds: refunds.map((request) => request.refundId),
  }
  const rail = deps.rails.byKind(kind)
  try {
    if (rail === null) throw new Error(`the rail ${kind} is not configured any more`)
    if (settlements.length > 0) await rail.settle(settlements)
    if (refunds.length > 0) await rail.refund(refunds)
    await markHandedOver(deps.sql, ids, deps.clock.now())
    return count
  } catch (error) {
    if (rail !== null && count > 1) return giveOneByOne(deps, kind, work)
    deps.log.error({ err: error, rail: kind, ...ids }, 'a rail did not take its work; it will be asked again')
    await postponeHandOver(deps.sql, ids, again(deps))
    const now = deps.clock.now()
    const since = new Date(now.getTime() - LONG_MS)
    await raiseNotHandedOver(deps.sql, { ...ids, rail: kind, since, now })
    return 0
  }
}

/** One request that the rail cannot take does not keep the others of its batch waiting. */
async function giveOneByOne(deps: SettleDeps, kind: string, { settlements, refunds }: Work): Promise<number> {
  let did = 0
  for (const request of settlements) did += await give(deps, kind, { settlements: [request], refunds: [] })
  for (const request of refunds) did += await give(deps, kind, { settlements: [], refunds: [request] })
  return did
}

const again = (deps: SettleDeps): Date => new Date(deps.clock.now().getTime() + AGAIN_MS)
