// Looks on the chain for refunds that merchants pay from own wallets: the transaction that was named, or a transfer of the
// very amount from the receiving address. What fits is recorded through the one door, each transfer once.
import { canBeMerchants, laterRequestsLike } from '@florin/order-model/own-refunds'
import { type OrderState, type OwnRefund, shownPayee } from '@florin/order-model/state'
import { taskJob } from '@florin/platform/tasks/job'
import type { Task } from '@florin/platform/tasks/store'
import type { Job } from '@florin/platform/worker/job'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { CLOCKS_APART_MS, type OutsideSeen, type OutsideTransfers } from '@florin/rail-kit/interface/outside'
import { closeCauses, insertAttention } from '../../attention/store.ts'
import { advanceOrder, type OrderDeps } from '../advance.ts'
import { OWN_REFUND } from '../save.store.ts'
import { getOrder } from '../store.ts'
import { COUNTS_ELSEWHERE, countedOf, isOwn, judge, type Refused, withoutPayouts } from './judge.ts'
import { outsideFor } from './outside-of.ts'
import { isProofOfSwap, listBelieved, lockTransfers } from './payouts.store.ts'
import { findCountedElsewhere, listOfOthers } from './store.ts'

const AGAIN_NAMED_MS = 10 * SECOND_MS
const AGAIN_SEARCHED_MS = 30 * SECOND_MS
/** A transaction that was named and is not mined by then is not coming. */
const NAMED_FOR_MS = 3 * DAY_MS
const NOT_MINED = 'The transaction was not mined within three days.'
const MAY_BE_A_PAYOUT =
  'For three days a swap has been under way that is to bring about as much to this address, so the transfer may be its payout. Name the transaction again once that swap has ended.'
/** A search ends here; naming the transaction works for ever. */
const SEARCHED_FOR_MS = 14 * DAY_MS

/** The payload of its task. */
interface Search {
  orderNo: string
  /** The block up to which a transfer was searched. */
  searchedTo?: string
}
/** When to look again; null: not any more. */
type Next = { runAt: Date; change?: Partial<Search> } | null

/** A change asks for the next look itself; where it was overtaken, this is the next one. */
const afterChange = (deps: OrderDeps): Next => ({ runAt: new Date(deps.clock.now().getTime() + AGAIN_SEARCHED_MS) })

export function ownRefundJob(deps: OrderDeps): Job {
  return taskJob<Search>(deps, {
    ...{ kind: OWN_REFUND, everyMs: 5 * SECOND_MS, leaseMs: MINUTE_MS, batch: 20, againMs: AGAIN_SEARCHED_MS },
    run: (task) => watchOne(deps, task),
  })
}

/** What an order's own refund has to be on the chain. */
export const transferOf = (order: OrderState, { address, amount, fromHeight, createdAt, ...row }: OwnRefund) => ({
  livemode: order.livemode,
  merchantId: order.merchantId,
  asset: { chain: row.chain, asset: row.asset, contract: row.contract, decimals: row.decimals },
  to: address,
  amount,
  notBefore: new Date(order.createdAt.getTime() - CLOCKS_APART_MS.slow),
  asked: fromHeight === null ? null : { fromHeight, at: createdAt },
})

async function watchOne(deps: OrderDeps, { subject, payload }: Task<Search>): Promise<Next> {
  const order = await getOrder(deps.sql, payload.orderNo)
  const row = order.ownRefunds.find((one) => one.id === subject)
  const outside = row === undefined ? undefined : outsideFor(deps.rails, { ...order, asset: row })
  if (row === undefined || row.status === 'recorded' || outside === undefined) return null
  if (row.txHash !== null) return lookAtNamed(deps, outside, order, row, row.txHash)
  return search(deps, outside, order, row, payload.searchedTo === undefined ? null : BigInt(payload.searchedTo))
}

async function lookAtNamed(
  deps: OrderDeps,
  outside: OutsideTransfers,
  order: OrderState,
  row: OwnRefund,
  txHash: string,
): Promise<Next> {
  const verdict = await outside.look({ ...transferOf(order, row), txHash })
  if (verdict.kind === 'other') {
    await refuse(deps, order, row, { failure: verdict.why })
    return afterChange(deps)
  }
  if (verdict.kind === 'found') {
    const judged = await judge(deps, order, row, verdict.transfers)
    const later = judged.fitting === null ? null : await laterOf(outside, order, row, judged.fitting)
    if (later !== null) await refuse(deps, order, row, { failure: `The transfer is of the later refund ${later.id}.` })
    else if (judged.fitting !== null) await record(deps, outside, order, row, judged.fitting)
    else if (judged.failure !== null) await refuse(deps, order, row, judged)
    if (judged.fitting !== null || judged.failure !== null) return afterChange(deps)
  }
  const now = deps.clock.now()
  const namedAt = order.updatedAt > row.createdAt ? order.updatedAt : row.createdAt
  if (now.getTime() - namedAt.getTime() <= NAMED_FOR_MS) return { runAt: new Date(now.getTime() + AGAIN_NAMED_MS) }
  await refuse(deps, order, row, { failure: verdict.kind === 'found' ? MAY_BE_A_PAYOUT : NOT_MINED })
  return afterChange(deps)
}

/** From the receiving address alone: anybody may send a payer any amount, and only the merchant's own word makes it a refund. */
async function search(
  deps: OrderDeps,
  outside: OutsideTransfers,
  order: OrderState,
  row: OwnRefund,
  after: bigint | null,
): Promise<Next> {
  const now = deps.clock.now()
  const from = order.settleAddress
  const { found, upTo } = await outside.search({ ...transferOf(order, row), from, after })
  const taken = await countedOf(deps.sql, row, found)
  // From the merchant's own address, and another merchant was quicker: nobody pays it twice unwarned.
  const elsewhere = await findCountedElsewhere(deps.sql, { merchantId: order.merchantId, transfers: found })
  if (elsewhere !== null && row.status === 'requested' && found.every((each) => taken.has(each.key)))
    await refuse(deps, order, row, { failure: COUNTS_ELSEWHERE, elsewhere })
  for (const one of found.filter((each) => !taken.has(each.key) && canBeMerchants(order, row, each.from))) {
    // The log says so; the receipt, the block and its time are asked for as with one that was named.
    const verdict = await outside.look({ ...transferOf(order, row), txHash: one.txHash })
    const seen = verdict.kind === 'found' ? verdict.transfers.filter((each) => each.key === one.key) : []
    const free = await withoutPayouts(deps, row, seen)
    if (free.length > 0 && (await laterOf(outside, order, row, one)) === null) {
      await record(deps, outside, order, row, one)
      return afterChange(deps)
    }
    if (verdict.kind === 'waiting' || seen.length > 0) return { runAt: new Date(now.getTime() + AGAIN_NAMED_MS) }
  }
  const isOver = now.getTime() - row.createdAt.getTime() > SEARCHED_FOR_MS
  if (isOver) return null
  return {
    runAt: new Date(now.getTime() + AGAIN_SEARCHED_MS),
    change: upTo === null ? {} : { searchedTo: `${upTo}` },
  }
}

/** A canceled request takes nothing that one which was asked for afterwards can take; null: nothing does. */
async function laterOf(
  outside: OutsideTransfers,
  order: OrderState,
  row: OwnRefund,
  seen: OutsideSeen,
): Promise<OwnRefund | null> {
  for (const other of laterRequestsLike(order, row, seen.amount)) {
    const verdict = await outside.look({ ...transferOf(order, other), txHash: seen.txHash })
    // While it cannot be read it may be of either.
    if (verdict.kind === 'waiting') return other
    if (verdict.kind === 'found' && verdict.transfers.some((one) => one.key === seen.key)) return other
  }
  return null
}

/** A swap was proven, or another refund fulfilled, by it since it was looked at. */
class CountsMeanwhile extends Error {}

/** The index on transfers keeps two commits from counting one: the second is rolled back, and looked at again. */
async function record(
  deps: OrderDeps,
  outside: OutsideTransfers,
  order: OrderState,
  row: OwnRefund,
  seen: OutsideSeen,
): Promise<void> {
  const { txHash, key, from: sender } = seen
  // Where several merchants are paid at one address, the chain does not show whose money left it.
  const isShared =
    seen.merchants === undefined &&
    (await listOfOthers(deps.sql, { ...order, chain: row.chain, transfers: [seen] })).has(key)
  const sentFrom = isOwn(order, seen) && !isShared ? ('own' as const) : ('word' as const)
  const fact = { kind: 'own_refund_recorded' as const, refundId: row.id, txHash, key, sender, sentFrom }
  try {
    await advanceOrder(deps, order.orderNo, [fact], async (tx) => {
      await lockTransfers(tx, row.chain)
      const isBelieved = (await listBelieved(tx, { row, transfers: [seen] })).size > 0
      const isFree = !isBelieved && !(await isProofOfSwap(tx, key)) && (await outside.isStillFree?.(tx, seen)) !== false
      if (!isFree) throw new CountsMeanwhile()
      await closeCauses(tx, [causeOf(row)], 'its own transfer was found', deps.clock.now())
    })
  } catch (error) {
    // The next look says what it counts for.
    if (!(error instanceof CountsMeanwhile)) throw error
  }
}

const causeOf = (row: OwnRefund): string => `refund_counted_elsewhere:${row.id}`

/** It does not count; where it counts for another merchant, a person is told before it is paid twice. */
function refuse(deps: OrderDeps, order: OrderState, row: OwnRefund, a: Refused): Promise<unknown> {
  const { orderNo, merchantId, livemode } = order
  const { failure, elsewhere = null } = a
  const fact = { kind: 'own_refund_refused' as const, refundId: row.id, txHash: row.txHash, failure }
  return advanceOrder(deps, orderNo, [fact], async (tx) => {
    if (elsewhere === null) return
    const money = { amount: `${row.amount}`, asset: row.asset, chain: row.chain, decimals: `${row.decimals}` }
    const evidence = { ...money, to: shownPayee(order, row), tx_hash: elsewhere, refund: row.id }
    const wish = { kind: 'refund_counted_elsewhere', cause: causeOf(row), evidence, actions: ['dismiss'] }
    await insertAttention(tx, { merchantId, livemode, orderNo }, wish, deps.clock.now())
  })
}
