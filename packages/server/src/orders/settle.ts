// Owns the traffic between rails and orders: what rails report goes through the one door, and what orders decided
// (settlements, refunds) is handed to the rails. Everything here may be killed anywhere and run again.
import type { Deps } from '../deps.ts'
import { withTx } from '../platform/db/tx.ts'

import { type AdvanceDeps, advanceIn, wakeWorkers } from './advance.ts'
import {
  deleteFacts,
  findOrderNoByRef,
  listFacts,
  listOrderRefsWithFacts,
  listRefundsToHandOver,
  listSettlementsToHandOver,
  markHandedOver,
} from './settle.store.ts'
import { lockOrder } from './store.ts'

export type SettleDeps = AdvanceDeps & Pick<Deps, 'log' | 'rails'>

/** One round over everything that waits. @returns how much was done. */
export async function settleDue(deps: SettleDeps): Promise<number> {
  const refs = await listOrderRefsWithFacts(deps.sql, 100)
  let did = 0
  for (const orderRef of refs) {
    // One order that cannot be advanced never stops the others; its facts stay and are tried again.
    did += await applyFacts(deps, orderRef).catch((error: unknown) => {
      deps.log.error({ err: error, order_ref: orderRef }, 'facts could not be applied')
      return 0
    })
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

/** Applies what rails reported of one order: each fact exactly once, since it is deleted in the same commit. */
async function applyFacts(deps: SettleDeps, orderRef: string): Promise<number> {
  const orderNo = await findOrderNoByRef(deps.sql, orderRef)
  // A leg can be reported on before its order is written (a crash in between); the fact waits for the order.
  if (orderNo === null) return 0
  const count = await withTx(deps.sql, async (tx) => {
    const before = await lockOrder(tx, orderNo)
    const rows = await listFacts(tx, orderRef, 200)
    if (rows.length === 0) return 0
    await advanceIn(
      deps,
      tx,
      before,
      rows.map((row) => row.fact),
    )
    await deleteFacts(
      tx,
      rows.map((row) => row.id),
    )
    return rows.length
  })
  if (count > 0) wakeWorkers(deps)
  return count
}

/** Gives rails what they have not been given. A rail takes the same request twice as once. */
async function handOver(deps: SettleDeps, orderNo: string | null): Promise<number> {
  const settlements = await listSettlementsToHandOver(deps.sql, orderNo, 100)
  const refunds = await listRefundsToHandOver(deps.sql, orderNo, 100)
  let did = 0
  for (const kind of new Set([...settlements, ...refunds].map((row) => row.rail))) {
    const rail = deps.rails.byKind(kind)
    const toSettle = settlements.filter((row) => row.rail === kind)
    const toRefund = refunds.filter((row) => row.rail === kind)
    try {
      if (rail === null) throw new Error(`the rail ${kind} is not configured any more`)
      if (toSettle.length > 0) await rail.settle(toSettle.map((row) => row.request))
      if (toRefund.length > 0) await rail.refund(toRefund.map((row) => row.request))
      await markHandedOver(deps.sql, {
        settlementIds: toSettle.map((row) => row.request.settlementId),
        refundIds: toRefund.map((row) => row.request.refundId),
        now: deps.clock.now(),
      })
      did += toSettle.length + toRefund.length
    } catch (error) {
      deps.log.error({ err: error, rail: kind }, 'a rail did not take its work; it will be asked again')
    }
  }
  return did
}
