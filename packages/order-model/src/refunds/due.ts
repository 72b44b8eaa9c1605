// What goes back to the payer by itself: how much of what is free, when, and for which reason. Pure.
import { unreachable } from '@florin/platform/assert'
import type { RefundReason } from '@florin/protocol'
import { graceEndsAt, isPaid, isSoldNoMore, liveSettlements } from '../ledger.ts'
import type { NewId } from '../outcome.ts'
import { isSameAsset, type LegState, type OrderState, type RefundState } from '../state.ts'
import { refundOf } from './refund-of.ts'
import { isGathered, type Refundable, refundablesOf } from './refundable.ts'

/** @param a.isCompleted whether what came completes the order now */
export function dueRefunds(order: OrderState, a: { now: Date; newId: NewId; isCompleted: boolean }): RefundState[] {
  return refundablesOf(order, true)
    .map((refundable) => ({ refundable, amount: returnable(order, refundable, a) }))
    .filter(({ refundable, amount }) => amount > refundable.cost && !isGathered(refundable, amount))
    .map(({ refundable, amount }) => refundOf(order, refundable, { ...a, amount, reason: reasonOf(order, refundable) }))
}

/** How much of a refundable balance is returned to the payer automatically now. */
function returnable(
  order: OrderState,
  refundable: Refundable,
  { now, isCompleted }: { now: Date; isCompleted: boolean },
): bigint {
  switch (order.status) {
    case 'pending':
    case 'processing':
    case 'failed':
      return 0n
    case 'success':
    case 'refunded':
      return refundable.free
    case 'expired': {
      // What completes an order at the last moment is not parted from what it completes.
      if (isCompleted) return 0n
      if (order.canceled || now >= graceEndsAt(order)) return refundable.free
      // Partial money waits a day for a top-up; what can no longer be completed is returned at once.
      const waiting = isInVain(order, refundable.leg) ? 0n : onTimeIn(refundable)
      return refundable.free > waiting ? refundable.free - waiting : 0n
    }
    default:
      return unreachable(order.status)
  }
}

/** Whether money of this leg goes, or went, to the merchant. */
const isSettling = (order: OrderState, leg: LegState): boolean =>
  liveSettlements(order).some((row) => row.legId === leg.id)

type Returned = Pick<Refundable, 'leg' | 'asset' | 'payments' | 'free'>

/** Why so much goes back, or went back, of the money of a leg. */
export function reasonOf(order: OrderState, refundable: Returned): RefundReason {
  const uses = new Set(refundable.payments.map((payment) => payment.use))
  if (uses.has('wrong_chain')) return 'wrong_chain'
  if (uses.has('wrong_asset')) return 'wrong_asset'
  if (order.canceled) return 'canceled'
  if (order.status === 'success' || order.status === 'processing')
    return uses.has('late') && !isSettling(order, refundable.leg) ? 'late' : 'excess'
  if (isInVain(order, refundable.leg)) return 'late'
  // Part may have been returned before: what matters is whether this refund includes late money.
  const gone = order.refunds.filter(
    (row) => row.legId === refundable.leg.id && isSameAsset(row, refundable.asset) && row.reason !== 'late',
  )
  const onTime = gone.reduce((left, row) => left - row.amount, onTimeIn(refundable))
  return uses.has('late') && refundable.free > onTime ? 'late' : 'underpaid'
}

/** It was found to be paid after it was over. */
const isInVain = (order: OrderState, leg: LegState): boolean => isSoldNoMore(order, leg) && isPaid(order, leg)

/** The part of a refundable balance that arrived in time to pay. */
function onTimeIn(refundable: Returned): bigint {
  return refundable.payments
    .filter((payment) => payment.use === 'counted' || payment.use === 'excess')
    .reduce((total, payment) => total + payment.amount, 0n)
}
