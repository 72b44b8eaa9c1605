// Where an order, a payment and a refund can stand, and every move of an order.

export const orderStatuses = ['pending', 'processing', 'success', 'failed', 'refunded', 'expired'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Every move an order can make (contract.md 4.3). `success` and `refunded` are final. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['processing', 'expired', 'refunded'],
  processing: ['success', 'failed', 'refunded'],
  success: [],
  failed: ['processing', 'refunded'],
  refunded: [],
  expired: ['processing', 'refunded'],
}

/** Why an order is where it is. */
export const statusDetails = [
  'awaiting_payment',
  'seen_unconfirmed',
  'partially_paid',
  'quote_expired',
  'confirming',
  'settling',
  'paid',
  'overpaid',
  'paid_late',
  'unpaid',
  'underpaid',
  'canceled',
  'late_payment',
  'reorged',
  'settlement_failed',
  'refund_address_needed',
  'refunding',
  'refund_failed',
  'refunded',
  'settlement_left_the_chain',
  'refund_left_the_chain',
  'needs_attention',
  'settlement_unproven',
] as const
export type StatusDetail = (typeof statusDetails)[number]

/** `unconfirmed`: announced, in no block yet; `dropped`: it never got into one, because another transaction took its money. */
export const paymentStatuses = ['unconfirmed', 'detected', 'confirmed', 'orphaned', 'dropped'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Whether a payment is in a block: money counts from there on. */
export const isOnChain = ({ status }: { status: PaymentStatus }): boolean =>
  status === 'detected' || status === 'confirmed'

export const refundStatuses = ['waiting', 'proposed', 'sending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]
