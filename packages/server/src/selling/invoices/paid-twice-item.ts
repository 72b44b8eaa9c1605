// An invoice that more than one order paid: money that the merchant owes back, said once for each order beyond the first. Pure.
import { type AttentionOver, amountEvidence, type NewAttention } from '@florin/order-model/attention/item'
import type { OrderState } from '@florin/order-model/state'

export const PAID_TWICE = 'invoice_paid_twice'

/** @param a.others the orders that paid it before, the first one first. */
export function paidTwice(order: OrderState, a: { number: string; others: readonly string[] }): NewAttention {
  const amount = order.amountOut === null ? {} : amountEvidence(order.settle, order.amountOut)
  return {
    kind: PAID_TWICE,
    cause: `${PAID_TWICE}:${order.orderNo}`,
    evidence: { ...amount, invoice: a.number, paid_before_by: a.others.join(' ') },
    // What was settled lies in the merchant's own wallet: the refund is asked for on the order's page.
    actions: ['dismiss'],
  }
}

/** Over where all that this order brought went back. */
export function paidTwiceOver(before: OrderState, after: OrderState): AttentionOver[] {
  if (after.invoiceId === null || after.amountOut === null) return []
  const isBack = (order: OrderState): boolean =>
    order.ownRefunds.reduce((sum, row) => (row.status === 'recorded' ? sum + row.amount : sum), 0n) >=
    (after.amountOut ?? 0n)
  return isBack(after) && !isBack(before) ? [{ kind: PAID_TWICE, cause: null, resolution: 'it was refunded' }] : []
}
