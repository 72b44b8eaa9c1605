// What of an order's money is free to go back to the payer, whether all of it did, and which refunds lost their money. Pure.
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { assetOf, costOf, legBalancesOf } from '../balance.ts'
import { amountOf, LEFT_THE_CHAIN, liveSettlements, sum, unconfirmedOn } from '../ledger.ts'
import { isSameAsset, type LegState, type OrderState, type PaymentState, paidTo, type RefundState } from '../state.ts'

/** One leg's money in one asset: what is there, what is committed, what is free to be returned. */
export interface Refundable {
  leg: LegState
  asset: AssetRef
  payments: PaymentState[]
  /** Confirmed and still there, not settled or about to be, not refunded or about to be. */
  free: bigint
  /** What sending it costs: up to that it stays. */
  cost: bigint
  /** Refunds that hold or returned money of it. */
  refunds: RefundState[]
}

/** @param failedCount whether refunds that failed still hold their money (true: nothing is tried again by itself). */
export function refundablesOf(order: OrderState, failedCount: boolean): Refundable[] {
  const refundables: Refundable[] = []
  for (const payment of order.payments) {
    const leg = order.legs.find((candidate) => candidate.id === payment.legId)
    if (payment.status !== 'confirmed' || leg === undefined) continue
    let refundable = refundables.find(
      (candidate) => candidate.leg.id === leg.id && isSameAsset(candidate.asset, payment),
    )
    if (refundable === undefined) {
      refundable = {
        leg,
        asset: assetOf(payment),
        payments: [],
        free: 0n,
        cost: costOf(order, leg.id, payment),
        refunds: [],
      }
      refundables.push(refundable)
    }
    refundable.payments.push(payment)
    if (payment.leftAt === null) refundable.free += payment.amount
  }
  for (const refundable of refundables) {
    if (isSameAsset(refundable.asset, refundable.leg)) {
      refundable.free -= sum(
        liveSettlements(order).filter((row) => row.legId === refundable.leg.id),
        (row) => row.gross,
      )
    }
    refundable.refunds = order.refunds.filter(
      (row) =>
        row.legId === refundable.leg.id &&
        isSameAsset(row, refundable.asset) &&
        (row.status !== 'failed' || isPaidEarly(row) || (failedCount && !isAskedAnew(row))),
    )
    refundable.free -= sum(refundable.refunds, amountOf)
    if (refundable.free < 0n) refundable.free = 0n
  }
  return refundables
}

/** The money went to the merchant's own wallet, which alone can send it back. */
export const isByWallet = (order: OrderState, { legId }: { legId: string }): boolean => {
  const leg = order.legs.find(({ id }) => id === legId)
  return leg !== undefined && paidTo(leg) === leg.address
}

/** Of one leg and asset, as many refunds wait for an answer before money is gathered behind them. */
export const REFUNDS_OPEN_MAX = 10

/**
 * Whether money follows the refunds that are open as one, and has none of its own yet. A refund that is being sent ends
 * soon, so what is no more than it waits for it. A refund that waits for an address, or for the merchant's wallet, may wait
 * for ever and keeps no other money back, unless there are many of them.
 */
export function isGathered({ refunds }: Refundable, amount: bigint): boolean {
  const going = refunds.filter((row) => row.status === 'sending')
  if (going.length > 0 && amount <= sum(going, amountOf)) return true
  const open = refunds.filter(
    (row) => row.status === 'waiting' || row.status === 'proposed' || row.status === 'sending',
  )
  return open.length >= REFUNDS_OPEN_MAX && amount <= sum(open, amountOf)
}

/** True when money came in and all of it went back to the payer, but for what costs more to send than it is worth. */
export function isAllReturned(order: OrderState): boolean {
  const lines = legBalancesOf(order).filter((line) => line.received > 0n)
  return (
    lines.some((line) => line.refunded > 0n) &&
    lines.every((line) => line.settled + line.fee === 0n && line.held - line.heldBelowCost <= 0n)
  )
}

/** Money that a payer would miss: a stranger's dust neither keeps an order from being canceled nor a coin from being chosen. */
export const hasMoney = (order: OrderState, leg: LegState): boolean =>
  legBalancesOf(order).some((line) => line.legId === leg.id && line.received > costOf(order, leg.id, line)) ||
  sum(unconfirmedOn(order, leg), amountOf) > costOf(order, leg.id, leg)

/** Why a refund can no longer be sent: its money reached the merchant. */
export const SETTLED_INSTEAD = 'the money was settled to the receiving address'

/** Of a refund that the merchant's own wallet was asked to pay: what comes back is asked for anew. */
export const LEFT_UNPAID = 'the payment left the chain before it was paid back'

/** Its money went back by another refund, which a reorg had put off. */
export const RETURNED_EARLIER = 'an earlier refund returned the money'

/** The same of one that the merchant's wallet was asked to pay: a transaction of that wallet may yet return it. */
const RETURNED_UNPAID = 'an earlier refund returned the money before it was paid'

/**
 * Another refund returned its money: what comes later is other money. A reorg took its money while it still waited for an address, or
 * for the merchant's wallet: nobody here sent anything, so what comes back is asked for anew. One that a rail was to send may yet have
 * been sent, and is for a person.
 */
export const isAskedAnew = (row: RefundState): boolean =>
  row.status === 'failed' &&
  (row.failure === RETURNED_EARLIER ||
    (row.txHash === null && (row.address === null || row.failure === LEFT_UNPAID || row.failure === RETURNED_UNPAID)))

/** The chain shows that a refund was paid while its money was not there: it is booked once that is. */
export const PAID_EARLY = 'it was paid while its payment was not on the chain'

export const isPaidEarly = (row: RefundState): boolean => row.status === 'failed' && row.failure === PAID_EARLY

/** What counts although its block is gone. */
const goneOf = (order: OrderState, legId: string, asset: AssetRef): bigint =>
  sum(
    order.payments.filter((row) => row.leftAt !== null && row.legId === legId && isSameAsset(row, asset)),
    amountOf,
  )

/** Open refunds whose money is gone can no longer be sent. */
export function withoutBrokenPromises(order: OrderState, legId: string, asset: AssetRef, why: string): OrderState {
  const held = legBalancesOf(order).find((line) => line.legId === legId && isSameAsset(line, asset))?.held ?? 0n
  let free = held - goneOf(order, legId, asset)
  const promised = order.refunds.filter((row) => {
    const isDue = row.status === 'waiting' || row.status === 'sending' || row.status === 'proposed'
    // What a rail offers again after it left the chain is for the rail to give up.
    return isDue && (row.leftAt === null || isByWallet(order, row)) && row.legId === legId && isSameAsset(row, asset)
  })
  const broken = new Set<RefundState>()
  // A refund with an address was approved or is being sent, so its money is reserved before that of refunds without one.
  for (const row of promised.toSorted((a, b) => Number(a.address === null) - Number(b.address === null))) {
    free -= row.amount
    if (free < 0n) broken.add(row)
  }
  const refunds = order.refunds.map((row): RefundState => {
    if (!broken.has(row)) return row
    if (row.status === 'proposed' && isByWallet(order, row) && why === RETURNED_EARLIER)
      return { ...row, status: 'failed', failure: RETURNED_UNPAID }
    const isAsked = (row.status === 'proposed' || row.leftAt !== null) && why === LEFT_THE_CHAIN
    if (!isAsked) return { ...row, status: 'failed', failure: why, leftAt: null }
    // A transaction that left the chain may come back: it is found then, and ends whatever is asked for meanwhile.
    return { ...row, status: 'failed', failure: LEFT_UNPAID, leftAt: null, txHash: null }
  })
  return { ...order, refunds }
}

/**
 * A refund left the chain with its payment, and the payer paid again, but less: its transaction cannot be mined with that. It is given
 * up, and what came is asked for anew. Should the payment return, the chain shows the refund, and it counts.
 */
export function withoutVainOffers(order: OrderState): OrderState {
  const offered = order.refunds.filter(
    (row) => row.leftAt !== null && row.status === 'sending' && !isByWallet(order, row),
  )
  const isVain = (row: RefundState): boolean => {
    const money = order.payments.filter((one) => one.legId === row.legId && isSameAsset(one, row))
    const there = sum(
      money.filter((one) => one.status === 'confirmed' && one.leftAt === null),
      amountOf,
    )
    const gone = order.refunds.filter(
      (one) => one.legId === row.legId && isSameAsset(one, row) && one.status === 'succeeded',
    )
    const leg = order.legs.find(({ id }) => id === row.legId)
    const kept =
      leg !== undefined && isSameAsset(leg, row) ? liveSettlements(order).filter((one) => one.legId === row.legId) : []
    const left = there - sum(gone, amountOf) - sum(kept, (one) => one.gross)
    return left > costOf(order, row.legId, row) && left < row.amount
  }
  const vain = new Set(offered.filter(isVain))
  if (vain.size === 0) return order
  const given = { status: 'failed', failure: LEFT_UNPAID, leftAt: null, txHash: null } as const
  return { ...order, refunds: order.refunds.map((row) => (vain.has(row) ? { ...row, ...given } : row)) }
}
