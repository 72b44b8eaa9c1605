// Applies what rails report, each fact exactly once: its row is deleted in the commit that applied it. Facts that
// cannot be applied now are deferred, so that one order never holds up the others.
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS, SECOND_MS } from '@florin/protocol'
import { withTx } from '../../platform/db/tx.ts'
import { tracedAbout } from '../../platform/trace/subjects.ts'
import { advanceIn, type OrderDeps, wakeAfter } from '../advance.ts'
import { bringBack } from '../archive/bring-back.ts'
import { isPaymentFact } from '../model/payments.ts'
import { listFolded, lockOrder } from '../store.ts'
import { deleteFacts, deleteLostFacts, findOrderByRef, listFacts, lookForFacts, postponeFacts } from './store.ts'
import { A_ROUND, firstTurn, inTurns, isLast, nextTurn, type WaitingOrder } from './turns.ts'

/** A commit of so many keeps the next order, and this thread, waiting for a few hundredths of a second. */
const FACTS_A_COMMIT = 500
/** A round ends at either, so that who comes meanwhile is seen soon. */
const FACTS_A_ROUND = 2_000
const ORDERS_A_ROUND = 100
/** How long to wait before a failed item is retried. */
export const AGAIN_MS = 30 * SECOND_MS

/**
 * Rounds over orders with pending facts: one commit of each order, and an order of every merchant before a second one of
 * any. Whose turn it is is only fairness: a process that forgets it begins anew.
 * @returns a function that does one round and tells how many facts were applied.
 */
export function factRounds(deps: OrderDeps): () => Promise<number> {
  let turn = firstTurn
  return async () => {
    const now = deps.clock.now()
    let look = await lookForFacts(deps.sql, { now, turn, ...A_ROUND })
    // To the last merchant, and once more from the first: only then is nothing due.
    for (let isAround = turn === firstTurn; look.found.length === 0; ) {
      if (isLast(look) && isAround) return 0
      isAround ||= isLast(look)
      turn = isLast(look) ? firstTurn : nextTurn(turn, look, [])
      look = await lookForFacts(deps.sql, { now, turn, ...A_ROUND })
    }
    const taken: WaitingOrder[] = []
    let did = 0
    for (const order of inTurns(look.found)) {
      if (did >= FACTS_A_ROUND || taken.length >= ORDERS_A_ROUND) break
      taken.push(order)
      try {
        did += await applyFacts(deps, order.orderRef)
      } catch (error) {
        deps.log.error({ err: error, order_ref: order.orderRef }, 'facts could not be applied; will retry')
        await postpone(deps, order.orderRef)
      }
    }
    turn = nextTurn(turn, look, taken)
    return did
  }
}

export async function applyFacts(deps: OrderDeps, orderRef: string): Promise<number> {
  const found = await findOrderByRef(deps.sql, orderRef)
  // A rail can report on a leg before its order is written (a crash in between). The fact waits for the order as long
  // as the request can be retried; a leg whose order was never written was never shown to anyone.
  if (found === null) {
    const lost = new Date(deps.clock.now().getTime() - IDEMPOTENCY_KEPT_MS - IDEMPOTENCY_LEASE_MS)
    await deleteLostFacts(deps.sql, orderRef, lost)
    await postpone(deps, orderRef)
    return 0
  }
  const { orderNo, isArchived } = found
  if (isArchived && !(await bringBack(deps, orderNo))) {
    await postpone(deps, orderRef)
    return 0
  }
  return tracedAbout(deps.sql, orderNo, 'apply facts', () => applyTo(deps, { orderNo, orderRef }))
}

async function applyTo(deps: OrderDeps, { orderNo, orderRef }: { orderNo: string; orderRef: string }): Promise<number> {
  const done = await withTx(deps.sql, async (tx) => {
    const order = await lockOrder(tx, orderNo)
    const rows = await listFacts(tx, orderRef, FACTS_A_COMMIT)
    if (rows.length === 0) return null
    const facts = rows.map((row) => row.fact)
    const keys = facts.flatMap((fact) => (isPaymentFact(fact) ? [fact.key] : []))
    const before = { ...order, folded: await listFolded(tx, orderNo, keys) }
    const advanced = await advanceIn(deps, tx, before, facts)
    await deleteFacts(
      tx,
      rows.map((row) => row.id),
    )
    return { before, advanced, count: rows.length }
  })
  if (done === null) return 0
  wakeAfter(deps, done.before, done.advanced)
  return done.count
}

function postpone(deps: OrderDeps, orderRef: string): Promise<unknown> {
  return postponeFacts(deps.sql, orderRef, new Date(deps.clock.now().getTime() + AGAIN_MS))
}
