// Applies what rails report, each fact exactly once: its row is deleted in the commit that applied it. Facts that
// cannot be applied now are deferred, so that one order never holds up the others.
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS, SECOND_MS } from '@florin/protocol'
import { withTx } from '../platform/db/tx.ts'
import { advanceIn, type OrderDeps, wakeAfter } from './advance.ts'
import {
  deleteFacts,
  deleteLostFacts,
  findOrderNoByRef,
  listFacts,
  listOrderRefsWithFacts,
  postponeFacts,
} from './fact-inbox.store.ts'
import { lockOrder } from './store.ts'

const ORDERS_A_ROUND = 100
const FACTS_A_COMMIT = 200
/** How long to wait before a failed item is retried. */
export const AGAIN_MS = 30 * SECOND_MS

/** One round over orders with pending facts. @returns how many facts were applied. */
export async function applyDueFacts(deps: OrderDeps): Promise<number> {
  let did = 0
  for (const orderRef of await listOrderRefsWithFacts(deps.sql, deps.clock.now(), ORDERS_A_ROUND)) {
    try {
      did += await applyFacts(deps, orderRef)
    } catch (error) {
      deps.log.error({ err: error, order_ref: orderRef }, 'facts could not be applied; will retry')
      await postpone(deps, orderRef)
    }
  }
  return did
}

export async function applyFacts(deps: OrderDeps, orderRef: string): Promise<number> {
  const orderNo = await findOrderNoByRef(deps.sql, orderRef)
  // A rail can report on a leg before its order is written (a crash in between). The fact waits for the order as long
  // as the request can be retried; a leg whose order was never written was never shown to anyone.
  if (orderNo === null) {
    const lost = new Date(deps.clock.now().getTime() - IDEMPOTENCY_KEPT_MS - IDEMPOTENCY_LEASE_MS)
    await deleteLostFacts(deps.sql, orderRef, lost)
    await postpone(deps, orderRef)
    return 0
  }
  const done = await withTx(deps.sql, async (tx) => {
    const before = await lockOrder(tx, orderNo)
    const rows = await listFacts(tx, before.orderRef, FACTS_A_COMMIT)
    if (rows.length === 0) return null
    const { order: after } = await advanceIn(
      deps,
      tx,
      before,
      rows.map((row) => row.fact),
    )
    await deleteFacts(
      tx,
      rows.map((row) => row.id),
    )
    return { before, after, count: rows.length }
  })
  if (done === null) return 0
  wakeAfter(deps, done.before, done.after)
  return done.count
}

function postpone(deps: OrderDeps, orderRef: string): Promise<unknown> {
  return postponeFacts(deps.sql, orderRef, new Date(deps.clock.now().getTime() + AGAIN_MS))
}
