// Hands settlements and refunds that were decided to the rails. A process has what it hands over for the time of a lease,
// which is also the time of the next try, so that no order or rail holds up the others; after ten minutes a person looks.
import { chunksOf } from '@florin/platform/chunks'
import { failureFields } from '@florin/platform/db/failures'
import { withTx } from '@florin/platform/db/tx'
import { atOnce } from '@florin/platform/worker/at-once'
import { MINUTE_MS } from '@florin/protocol'
import { MoveWaits, type RefundRequest, type SettleRequest } from '@florin/rail-kit/interface/moves'
import { closeCauses, insertAttention } from '../attention/store.ts'
import type { OrderDeps } from './advance.ts'
import { withoutHeld } from './holds.ts'
import { AGAIN_MS, applyFactsOf } from './inbox/inbox.ts'
import { listWaitingSince, lookForWork, markHandedOver, takeRefunds, takeSettlements } from './rail-outbox.store.ts'

const BATCH = 100
/** Requests in one call of a rail. */
const A_CALL = 25
/** Calls that wait for their rails at the same time. */
const AT_ONCE = 4
/** After this long, an attention item is opened for work that a rail does not accept. */
const LONG_MS = 10 * MINUTE_MS
const KIND = 'not_handed_over'
const causeOf = (id: string): string => `${KIND}:${id}`

/** Moves one order forward as far as possible right now, for calls that show the result at once. */
export async function settleOrder(deps: OrderDeps, order: { orderNo: string; orderRef: string }): Promise<void> {
  for (let round = 0; round < 10; round++) {
    // Facts that another process is applying are still there: this one waits for the order's lock and looks once more.
    const { hasFacts, hasWork } = await lookForWork(deps.sql, order)
    let did = 0
    if (hasFacts) did += await applyFactsOf(deps, order)
    if (hasWork) did += await handOver(deps, order.orderNo)
    if (did === 0 && !hasFacts) return
  }
}

interface Work {
  settlements: readonly SettleRequest[]
  refunds: readonly RefundRequest[]
}

/**
 * Hands pending requests to their rails. Rails are idempotent: sending the same request twice has the effect of one.
 * @param orderNo only this order's, at once: also those that another process has just taken. null: what is due.
 */
export async function handOver(deps: OrderDeps, orderNo: string | null = null): Promise<number> {
  const now = deps.clock.now()
  const query = orderNo === null ? { now, leasedUntil: new Date(now.getTime() + AGAIN_MS), limit: BATCH } : { orderNo }
  const settlements = await withoutHeld(deps, await takeSettlements(deps.sql, query))
  const refunds = await takeRefunds(deps.sql, query)
  const calls = [
    ...callsOf(settlements, (requests) => ({ settlements: requests, refunds: [] })),
    ...callsOf(refunds, (requests) => ({ settlements: [], refunds: requests })),
  ]
  let did = 0
  await atOnce(Math.min(AT_ONCE, calls.length), async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) did += await give(deps, call.rail, call.work)
  })
  return did
}

function callsOf<T>(
  rows: readonly { rail: string; request: T }[],
  workOf: (requests: T[]) => Work,
): { rail: string; work: Work }[] {
  return [...Map.groupBy(rows, (row) => row.rail)].flatMap(([rail, its]) =>
    chunksOf(its, A_CALL).map((chunk) => ({ rail, work: workOf(chunk.map((row) => row.request)) })),
  )
}

async function give(deps: OrderDeps, kind: string, work: Work): Promise<number> {
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
    const now = deps.clock.now()
    await withTx(deps.sql, async (tx) => {
      await markHandedOver(tx, ids, now)
      await closeCauses(tx, [...ids.settlementIds, ...ids.refundIds].map(causeOf), 'the rail took the work', now)
    })
    return count
  } catch (error) {
    if (rail !== null && count > 1) return giveOneByOne(deps, kind, work)
    if (error instanceof MoveWaits) {
      deps.log.info({ rail: kind, ...ids, why: error.message }, 'a move waits for another one to end')
      return 0
    }
    deps.log.error({ ...failureFields(error), rail: kind, ...ids }, 'a rail did not accept its work; will retry')
    const now = deps.clock.now()
    for (const { id, work, ...order } of await listWaitingSince(deps.sql, ids, new Date(now.getTime() - LONG_MS))) {
      const evidence = { work, id, rail: kind }
      await insertAttention(deps.sql, order, { kind: KIND, cause: causeOf(id), evidence, actions: ['dismiss'] }, now)
    }
    return 0
  }
}

/** A request that the rail rejects does not hold up the rest of its batch. */
async function giveOneByOne(deps: OrderDeps, kind: string, { settlements, refunds }: Work): Promise<number> {
  let did = 0
  for (const request of settlements) did += await give(deps, kind, { settlements: [request], refunds: [] })
  for (const request of refunds) did += await give(deps, kind, { settlements: [], refunds: [request] })
  return did
}
