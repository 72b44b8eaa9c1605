// Owns the passing of time: deadlines, lapsed quotes and the end of the day that late money has. Before an order
// expires its rail looks at the chain once more, so money that a watcher missed is found.
import { advanceOrder } from './advance.ts'
import { type SettleDeps, settleOrder } from './settle.ts'
import { listOrdersToLookAt } from './store.ts'

export async function expireDue(deps: SettleDeps): Promise<number> {
  const due = await listOrdersToLookAt(deps.sql, deps.clock.now(), 100)
  let did = 0
  for (const order of due) {
    try {
      // A rail that cannot look now lets the order wait: nothing expires unseen.
      await deps.rails.byKind(order.rail)?.lookAgain(order.orderRef)
      await settleOrder(deps, order)
      const { ignored } = await advanceOrder(deps, order.orderNo, [{ kind: 'time_passed' }])
      if (ignored[0] === null) did++
    } catch (error) {
      deps.log.warn({ err: error, order_no: order.orderNo }, 'time could not pass for an order; it will be tried again')
    }
  }
  return did
}
