// What a wallet signs that wants back what it paid: readable, and bound to one order, leg, chain, target and time, so
// that a signature is good for nothing else.

export interface RefundMessage {
  /** Origin of the service, as the checkout stands there. */
  service: string
  orderNo: string
  /** `pay_leg` of the payment. */
  legId: string
  chain: string
  /** Where the money is to go, as its chain writes it. */
  address: string
  /** ISO 8601, at most 24 hours ahead. */
  expiresAt: string
}

/** @example wallet.request({ method: 'personal_sign', params: [hexOf(refundMessage(parts)), account] }) */
export function refundMessage(a: RefundMessage): string {
  return [
    'I paid this order with this wallet. What has to go back of it goes to the address below.',
    '',
    `Service: ${a.service}`,
    `Order: ${a.orderNo}`,
    `Leg: ${a.legId}`,
    `Chain: ${a.chain}`,
    `Refund to: ${a.address}`,
    `Valid until: ${a.expiresAt}`,
  ].join('\n')
}
