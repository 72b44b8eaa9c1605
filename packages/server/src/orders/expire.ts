// Changes that time alone causes: deadlines, lapsed quotes and the end of the 24 hours for late money. Before an order
// expires, every rail that it was shown on checks the chain once more, so money that a watcher missed is found.

import { assert } from '@florin/platform/assert'
import { failureFields } from '@florin/platform/db/failures'
import { advanceOrder, type OrderDeps } from './advance.ts'
import { AGAIN_MS } from './inbox/inbox.ts'
import { settleOrder } from './rail-outbox.ts'
import { claimOrdersToLookAt, type OrderToLookAt } from './store.ts'

/** Bounds how long one slow node can hold up the rest. */
const BATCH = 50
const AT_ONCE = 5

export async function expireDue(deps: OrderDeps): Promise<number> {
  const now = deps.clock.now()
  // The lease also sets the time of the next check, for orders whose check failed or whose worker died.
  const leasedUntil = new Date(now.getTime() + AGAIN_MS)
  const due = await claimOrdersToLookAt(deps.sql, { now, leasedUntil, limit: BATCH })
  const queue = due.values()
  const looker = async (): Promise<void> => {
    for (const order of queue) await lookAt(deps, order)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, looker))
  return due.length
}

async function lookAt(deps: OrderDeps, order: OrderToLookAt): Promise<void> {
  try {
    for (const kind of order.rails) {
      const rail = deps.rails.byKind(kind)
      // While a rail cannot check, the order waits: nothing expires unseen.
      assert(rail !== null, `the rail ${kind} is not configured any more`)
      await rail.recheck(order.orderRef)
    }
    await settleOrder(deps, order)
    await advanceOrder(deps, order.orderNo, [{ kind: 'time_passed' }])
  } catch (error) {
    deps.log.warn({ ...failureFields(error), order_no: order.orderNo }, 'expiry check failed; will retry')
  }
}
