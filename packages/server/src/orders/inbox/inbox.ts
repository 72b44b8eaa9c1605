// Applies what rails report, each fact exactly once: its row is deleted in the commit that applied it. Facts that
// cannot be applied now are deferred, so that one order never holds up the others.
import { isPaymentFact } from '@florin/order-model/payments'
import type { OrderState } from '@florin/order-model/state'
import { failureFields } from '@florin/platform/db/failures'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { tracedAbout } from '@florin/platform/trace/subjects'
import { isTracing } from '@florin/platform/trace/tracing'
import { atOnce } from '@florin/platform/worker/at-once'
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS, SECOND_MS } from '@florin/protocol'
import { deleteFacts, deleteLostFacts, listFacts, lookForFacts, postponeFacts } from '@florin/rail-kit/facts.store'
import { type Advanced, advanceIn, type OrderDeps, wakeAfter } from '../advance.ts'
import { getOrder, listFolded, lockOrderRow } from '../store.ts'
import { type FoundOrder, listOrdersByRef, lockFreeOrder } from './store.ts'
import { A_ROUND, firstTurn, inTurns, isLast, nextTurn, type WaitingOrder } from './turns.ts'

/** A commit of so many keeps the next order, and this thread, waiting for a few hundredths of a second. */
const FACTS_A_COMMIT = 500
/** A round ends at either, so that who comes meanwhile is seen soon. */
const FACTS_A_ROUND = 2_000
const ORDERS_A_ROUND = 100
/** Orders that a process applies facts to at the same time: each has a connection of the pool. */
const AT_ONCE = 4
/** One of so many orders is locked at a time: the others may be locked by other processes, or done. */
const CHOICE = 32
/** How long to wait before a failed item is retried. */
export const AGAIN_MS = 30 * SECOND_MS

/**
 * Rounds over orders with pending facts: one commit of each order, and an order of every merchant before a second one of
 * any. The turn is only fairness: a process that forgets it begins anew.
 * @returns a function that does one round and returns how many facts it applied.
 */
export function factRounds(deps: OrderDeps): () => Promise<number> {
  let turn = firstTurn
  return async () => {
    const now = deps.clock.now()
    // To the last merchant, and once more from the first: only then is nothing due that this process could take.
    for (let isAround = turn === firstTurn; ; isAround ||= turn === firstTurn) {
      const look = await lookForFacts(deps.sql, { now, turn, ...A_ROUND })
      const { did, taken } = await applyToThese(deps, inTurns(look.found).slice(0, ORDERS_A_ROUND))
      turn = isLast(look) && look.found.length === 0 ? firstTurn : nextTurn(turn, look, taken)
      if (did > 0 || (isAround && turn === firstTurn)) return did
    }
  }
}

/**
 * One commit of each order, several at the same time. An order that another process has locked is left to that process.
 * @returns which of them had their turn.
 */
async function applyToThese(
  deps: OrderDeps,
  waiting: readonly WaitingOrder[],
): Promise<{ did: number; taken: WaitingOrder[] }> {
  if (waiting.length === 0) return { did: 0, taken: [] }
  const refs = waiting.map((order) => order.orderRef)
  const found = new Map((await listOrdersByRef(deps.sql, refs)).map((order) => [order.orderRef, order]))
  const left = new Map(refs.map((orderRef) => [orderRef, found.get(orderRef) ?? null]))
  let did = 0
  await atOnce(Math.min(AT_ONCE, refs.length), async () => {
    while (left.size > 0 && did < FACTS_A_ROUND) did += await applyNext(deps, left)
  })
  return { did, taken: waiting.filter((order) => !left.has(order.orderRef)) }
}

/** @param left in the sequence of their turns; null: the order is not written. An order that has had its turn is removed. */
async function applyNext(deps: OrderDeps, left: Map<string, FoundOrder | null>): Promise<number> {
  const [first = ''] = left.keys()
  const written = [...left.values()].filter((order) => order !== null)
  // A span is of one order, so with traces the choice is one.
  const choice = written.slice(0, isTracing() ? 1 : CHOICE)
  if (choice[0]?.orderRef === first) return applyToOneOf(deps, choice, left)
  left.delete(first)
  return applyFacts(deps, first).catch((error: unknown) => retryLater(deps, first, error))
}

/**
 * Locks the first order of the choice that is free. The orders before it have had their turn: another transaction has locked them,
 * or their facts are applied. Where no order is free, all have had their turn.
 */
async function applyToOneOf(
  deps: OrderDeps,
  choice: readonly FoundOrder[],
  left: Map<string, FoundOrder | null>,
): Promise<number> {
  const held: { order: FoundOrder | null } = { order: null }
  const apply = async (): Promise<number> => {
    const done = await withTx(deps.sql, async (tx) => {
      // After a conflict, the order that was rolled back is tried again. No other order can cost it its turn.
      const among = held.order === null ? choice : [held.order]
      const orderNos = among.map((order) => order.orderNo)
      const order = await lockFreeOrder(tx, { orderNos, now: deps.clock.now() })
      for (const each of among) if (order === null || each.orderNo <= order.orderNo) left.delete(each.orderRef)
      if (order === null) return null
      held.order = order
      return applyLocked(deps, tx, order)
    })
    return told(deps, done)
  }
  try {
    const [order] = choice
    return await (order === undefined || !isTracing()
      ? apply()
      : tracedAbout(deps.sql, order.orderNo, 'apply facts', apply))
  } catch (error) {
    if (held.order === null) throw error
    return retryLater(deps, held.order.orderRef, error)
  }
}

async function retryLater(deps: OrderDeps, orderRef: string, error: unknown): Promise<number> {
  deps.log.error({ ...failureFields(error), order_ref: orderRef }, 'facts could not be applied; will retry')
  await postpone(deps, orderRef)
  return 0
}

async function applyFacts(deps: OrderDeps, orderRef: string): Promise<number> {
  const [found] = await listOrdersByRef(deps.sql, [orderRef])
  if (found !== undefined) return applyFactsOf(deps, found)
  // A rail can report on a leg before its order is written (a crash in between). The fact waits for the order as long
  // as the request can be retried; a leg whose order was never written was never shown to anyone.
  const lost = new Date(deps.clock.now().getTime() - IDEMPOTENCY_KEPT_MS - IDEMPOTENCY_LEASE_MS)
  await deleteLostFacts(deps.sql, orderRef, lost)
  await postpone(deps, orderRef)
  return 0
}

/** Waits for the order's lock. */
export async function applyFactsOf(deps: OrderDeps, order: FoundOrder): Promise<number> {
  const { orderNo } = order
  return tracedAbout(deps.sql, orderNo, 'apply facts', async () => {
    const done = await withTx(deps.sql, async (tx) => {
      await lockOrderRow(tx, orderNo)
      return applyLocked(deps, tx, order)
    })
    return told(deps, done)
  })
}

interface Applied {
  before: OrderState
  advanced: Advanced
  count: number
}

/** In the transaction that holds the order's lock: what stands in the tables now is what counts. */
async function applyLocked(
  deps: OrderDeps,
  tx: Tx,
  { orderNo, orderRef }: { orderNo: string; orderRef: string },
): Promise<Applied | null> {
  const [order, rows] = await Promise.all([getOrder(tx, orderNo), listFacts(tx, orderRef, FACTS_A_COMMIT)])
  if (rows.length === 0) return null
  const facts = rows.map((row) => row.fact)
  // A transfer with a row of its own is not folded.
  const own = new Set(order.payments.map((payment) => payment.key))
  const keys = facts.flatMap((fact) => (isPaymentFact(fact) && !own.has(fact.key) ? [fact.key] : []))
  const before = { ...order, folded: await listFolded(tx, orderNo, keys) }
  const ids = rows.map((row) => row.id)
  const [advanced] = await Promise.all([advanceIn(deps, tx, before, facts), deleteFacts(tx, ids)])
  return { before, advanced, count: rows.length }
}

/** After the commit. @returns how many facts were applied. */
function told(deps: OrderDeps, applied: Applied | null): number {
  if (applied === null) return 0
  wakeAfter(deps, applied.before, applied.advanced)
  return applied.count
}

function postpone(deps: OrderDeps, orderRef: string): Promise<unknown> {
  return postponeFacts(deps.sql, orderRef, new Date(deps.clock.now().getTime() + AGAIN_MS))
}
