// What each word of the API means, in a sentence: for the OpenAPI document, the docs and the library's readers. A value without
// words does not compile.
import type { DeliveryStatus, WebhookKind } from './events.ts'
import type { Scope } from './keys.ts'
import type {
  Custody,
  LatePolicy,
  PassedOver,
  PaymentUse,
  RefundReason,
  RouteReason,
  SimulateAction,
} from './order/order.ts'
import type { OrderStatus, PaymentStatus, RefundStatus, StatusDetail } from './order/statuses.ts'
import type { InvoiceStatus, PaymentLinkState } from './selling.ts'

type Words<Value extends string> = Readonly<Record<Value, string>>

export const orderStatusWords: Words<OrderStatus> = {
  pending: 'Made, and not paid in full yet. Do not ship.',
  processing: 'Enough money was seen in a block. It is being confirmed and settled. Do not ship.',
  success: 'The money is on your receiving address, and final. Ship.',
  failed: 'It was paid and cannot be settled, and nothing was returned yet. Look at "needs attention" in the console.',
  refunded: 'All that came in went back to the payer. Final.',
  expired: 'The deadline passed with nothing or too little, or it was canceled. Late money can still move it.',
}

export const statusDetailWords: Words<StatusDetail> = {
  awaiting_payment: 'Nothing was seen yet.',
  seen_unconfirmed: 'A payment was announced and is in no block yet. It counts for nothing so far.',
  partially_paid: 'Less than what is due has come; the payer can send the rest (`pay.amount_remaining`).',
  quote_expired: 'The rate of the pay address lapsed unpaid. The checkout offers the payer a new one.',
  confirming: 'Enough has come and waits for confirmations.',
  settling: 'It is final, and on its way to your receiving address.',
  paid: 'Paid as asked, and settled.',
  overpaid: 'Settled; what was paid too much goes back to the payer.',
  paid_late: 'Paid after the deadline and settled all the same, as `late_policy` says.',
  unpaid: 'The deadline passed and nothing came.',
  underpaid: 'The deadline passed and too little came. What came goes back to the payer.',
  canceled: 'You canceled it before it was paid.',
  late_payment: 'Money came after the deadline and does not settle; it goes back to the payer.',
  reorged: 'The chain took the payment back. It waits for its return.',
  settlement_failed: 'The transfer to your receiving address failed. An operator can retry it.',
  refund_address_needed: 'Money is to go back, and the payer has not said where to yet.',
  refunding: 'Money is on its way back to the payer.',
  refund_failed: 'The transfer back to the payer failed. An operator looks at it.',
  refunded: 'All of it is back at the payer.',
  settlement_left_the_chain:
    'A reorg went past finality and took the settlement; the order stays `success`, and the money is watched.',
  refund_left_the_chain:
    'A reorg went past finality and took the refund; the order stays `refunded`, and the money is watched.',
  needs_attention: 'A person has to decide: see "needs attention" in the console.',
  settlement_unproven:
    'A third party says that it paid your receiving address, and nobody else has seen it. Do not ship before you have.',
}

export const latePolicyWords: Words<LatePolicy> = {
  settle: 'The full amount in a stable coin settles up to 24 hours after the deadline; all other late money goes back.',
  refund: 'Late money always goes back.',
}

export const paymentStatusWords: Words<PaymentStatus> = {
  unconfirmed: 'Announced, and in no block yet.',
  detected: 'In a block, and not deep enough yet.',
  confirmed: 'Final by the rule of the chain.',
  orphaned: 'The block that it was in is no more.',
  dropped: 'It never got into a block: another transaction took its money.',
}

export const paymentUseWords: Words<PaymentUse> = {
  counted: 'It counts towards what is due.',
  excess: 'It is beyond what is due, and goes back.',
  late: 'It came after the deadline.',
  wrong_asset: 'It is another asset than the one asked for; it goes back.',
  wrong_chain: 'It came on another chain than the one asked for; it goes back.',
}

export const refundStatusWords: Words<RefundStatus> = {
  waiting: 'It waits for an address or for its turn.',
  proposed: 'It waits for your wallet: the money is on your own address.',
  sending: 'Its transaction is out.',
  succeeded: 'It is final on the chain.',
  failed: 'Its transaction failed.',
}

export const refundReasonWords: Words<RefundReason> = {
  underpaid: 'Too little came before the deadline.',
  excess: 'More came than was due.',
  late: 'It came after the deadline.',
  canceled: 'The order was canceled.',
  unsettleable: 'It could not be settled.',
  wrong_asset: 'Another asset came.',
  wrong_chain: 'It came on another chain.',
  merchant_request: 'You asked for it.',
  returned_by_rail: 'The rail that carried it returned it.',
  returned_by_others: 'Somebody returned it by the proof of its address, without Florin.',
}

export const custodyWords: Words<Custody> = {
  none: 'Nobody but payer and merchant has the money at any time.',
  'third-party': 'Another service holds the money for some minutes on its way.',
}

export const routeReasonWords: Words<RouteReason> = {
  only: 'No other rail carries it.',
  direct: 'The money comes as it is paid, and nobody else holds it.',
  cheapest: 'It costs the payer least of those that carry it.',
  others_out: 'A better one was in trouble when the pay address was made.',
}

export const passedOverWords: Words<PassedOver> = {
  converts: 'It would have changed the money on the way.',
  dearer: 'It costs the payer more.',
  slower: 'It takes longer, or somebody would have held the money.',
  in_trouble: 'It was in trouble.',
  custody_not_allowed: 'A third party would have held the money, and you have not switched that on.',
  no_real_money: 'It moves no real money.',
}

export const webhookKindWords: Words<WebhookKind> = {
  'order.processing': 'Enough money was seen in a block. Do not ship yet.',
  'order.success': 'The money is on your receiving address, and final. Ship once, when `order.status` is `success`.',
  'order.failed': 'It was paid and cannot be settled.',
  'order.refunded': 'All that came in went back to the payer.',
  'order.expired': 'The deadline passed with nothing or too little, or the order was canceled.',
  'order.updated.payment_seen': 'A payment was seen. Only endpoints that chose it are told.',
  'order.updated.partially_paid': 'A part of what is due has come. Only endpoints that chose it are told.',
  'order.updated.refund_sent': 'A refund is on its way to the payer. Only endpoints that chose it are told.',
  'order.updated.refund_recorded':
    'A refund that you paid from your own wallet was found on the chain. Only endpoints that chose it are told.',
  'order.updated.reorged':
    'A payment that counted, a settlement or a refund left the chain. Only endpoints that chose it are told.',
}

export const deliveryStatusWords: Words<DeliveryStatus> = {
  pending: 'Not tried yet.',
  retrying: 'An attempt failed, and another one follows.',
  succeeded: 'The receiver answered with a 2xx.',
  dead: 'Five attempts failed, or it cannot be sent. It can be sent again.',
}

export const simulateActionWords: Words<SimulateAction> = {
  pay: 'The exact amount is detected.',
  underpay: 'Half of it is detected, or `amount`.',
  overpay: 'One and a half of it is detected, or `amount`.',
  confirm: 'All that was detected is final.',
  settle: 'What was paid is confirmed and settled: `success`.',
  fail: 'What was paid cannot be settled: `failed`.',
  refund: 'All goes back to the payer: `refunded`.',
  reorg: 'The newest payment leaves the chain.',
  expire: 'The deadline passes: `expired`.',
  pay_late: 'It is paid after the deadline.',
}

export const scopeWords: Words<Scope> = {
  'orders:read': 'Reads orders, payment links, invoices and the books.',
  'orders:write': 'Makes and cancels orders, payment links and invoices.',
  'webhooks:read': 'Reads deliveries and endpoints; with `orders:read` also events.',
  'webhooks:write': 'Resends deliveries; with `orders:read` also makes and changes endpoints.',
  'refunds:write': 'Starts refunds. It names no address, so it redirects no money.',
}

export const paymentLinkStateWords: Words<PaymentLinkState> = {
  open: 'It takes payments.',
  inactive: 'You closed it.',
  ended: 'Its `ends_at` has passed.',
  sold_out: 'Nothing is left of its `stock`.',
}

export const invoiceStatusWords: Words<InvoiceStatus> = {
  open: 'Not paid, and its due date is not over.',
  overdue: 'Not paid, and its due date is over. It can still be paid.',
  processing: 'Enough money was seen, and is on its way.',
  paid: 'An order of it succeeded.',
  void: 'You took it back.',
}
