// Derives status_detail, the reason for an order's status, from its rows (contract.md 4.2). Pure.
import { unreachable } from '@florin/platform/assert'
import { isOnChain, type StatusDetail } from '@florin/protocol'
import { balanceOf } from './balance.ts'
import { UNPROVEN } from './holds.ts'
import { hasItsMoney, isOpen, LEFT_THE_CHAIN, wasPaidLate, winnerOf } from './ledger.ts'
import { isAskedAnew } from './refunds/refundable.ts'
import { currentLeg, type OrderState, type SettlementState } from './state.ts'

export function detailOf(order: OrderState, now: Date): StatusDetail {
  const refund = refundDetail(order)
  const counted = order.payments.some((payment) => isOnChain(payment) && payment.use === 'counted')
  const leg = currentLeg(order)
  switch (order.status) {
    case 'pending':
      if (refund !== null) return refund
      if (counted) return 'partially_paid'
      if (order.payments.some((row) => row.status === 'unconfirmed' && row.use === 'counted')) return 'seen_unconfirmed'
      return leg !== null && now >= leg.rateExpiresAt && now < order.expiresAt ? 'quote_expired' : 'awaiting_payment'
    case 'processing':
      if (!hasItsMoney(order)) return 'reorged'
      if (order.settlements.some((row) => isOpen(row) && row.hold === UNPROVEN)) return 'settlement_unproven'
      if (order.settlements.some((row) => isOpen(row) && row.hold !== null)) return 'needs_attention'
      return order.settlements.some(isOpen) ? 'settling' : 'confirming'
    case 'success': {
      const winner = winnerOf(order)
      const left = order.settlements.filter((row) => row.leftAt !== null)
      // Where the payment itself was the settlement, there is nothing that could be settled again.
      if (left.length > 0) return left.every(wasThePayment(order)) ? 'reorged' : 'settlement_left_the_chain'
      if (refund !== null) return refund
      if (winner !== null && wasPaidLate(order, winner)) return 'paid_late'
      return order.refunds.some((row) => row.reason === 'excess') ? 'overpaid' : 'paid'
    }
    case 'failed':
      if (refund !== null) return refund
      return order.settlements.every((row) => row.failure === LEFT_THE_CHAIN) ? 'reorged' : 'settlement_failed'
    case 'refunded':
      return refund ?? 'refunded'
    case 'expired':
      if (refund !== null) return refund
      if (order.canceled) return 'canceled'
      if (counted) return 'underpaid'
      return order.payments.some(isOnChain) ? 'late_payment' : 'unpaid'
    default:
      return unreachable(order.status)
  }
}

const wasThePayment =
  (order: OrderState) =>
  ({ txHash }: SettlementState): boolean =>
    order.payments.some((payment) => payment.txHash === txHash)

function refundDetail(order: OrderState): StatusDetail | null {
  if (order.refunds.some((row) => row.leftAt !== null)) return 'refund_left_the_chain'
  if (order.refunds.some((row) => row.status === 'waiting')) return 'refund_address_needed'
  if (order.refunds.some((row) => row.status === 'sending' || row.status === 'proposed')) return 'refunding'
  const isOwed = balanceOf(order).some((line) => line.held > line.heldBelowCost)
  const hasFailed = order.refunds.some((row) => row.status === 'failed' && !isAskedAnew(row))
  return isOwed && hasFailed ? 'refund_failed' : null
}
