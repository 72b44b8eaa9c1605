// What a webhook carries beside its body (contract.md 6), and an order to try one out with.
import { eventOf, type WebhookKind } from './events.ts'
import type { Order } from './order/order.ts'
import { type OrderStatus, orderStatuses, type StatusDetail } from './order/statuses.ts'
import { SIGNATURE_HEADER } from './signature-header.ts'

/** @param a.signature null only where a receiver is to show that it refuses that. */
export function webhookHeaders(a: {
  event: string
  deliveryId: string
  /** 1 to 5. */
  attempt: number
  signature: string | null
}): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Florin-Webhooks/1',
    'Accept-Encoding': 'identity',
    'X-Service-Event': a.event,
    ...(a.signature === null ? {} : { [SIGNATURE_HEADER]: a.signature }),
    'X-Service-Delivery': a.deliveryId,
    'X-Service-Attempt': String(a.attempt),
  }
}

const details: Readonly<Record<OrderStatus, StatusDetail>> = {
  pending: 'awaiting_payment',
  processing: 'confirming',
  success: 'paid',
  failed: 'settlement_failed',
  refunded: 'refunded',
  expired: 'unpaid',
}

const SAMPLE_UNITS = '20000000'

/** An order that never was, in the status that the event tells of. @param at an ISO time */
export function sampleOrder(event: WebhookKind, orderNo: string, at: string): Order {
  const status = orderStatuses.find((each) => eventOf[each] === event) ?? 'success'
  const isPaid = status === 'success'
  return {
    order_no: orderNo,
    livemode: false,
    external_id: null,
    status,
    status_detail: details[status],
    amount: '20.00',
    currency: 'USD',
    amount_minor: '2000',
    exponent: 2,
    fx: null,
    amount_usd: 20,
    fee_bps: 0,
    amount_out: isPaid ? SAMPLE_UNITS : null,
    amount_out_expected: SAMPLE_UNITS,
    settle_chain: 'base',
    settle_asset: 'USDC',
    settle_decimals: 6,
    settle_address: '0x00000000000000000000000000000000000F1041',
    settle_tx_hash: isPaid ? `0x${'f1'.repeat(32)}` : null,
    pay: null,
    payments: [],
    payments_total: 0,
    refunds: [],
    balance: [],
    refund_address: null,
    refund_address_proposed: null,
    checkout_url: 'https://florin.invalid/pay/sample',
    webhook_url: null,
    success_url: null,
    cancel_url: null,
    title: null,
    description: null,
    metadata: {},
    payment_link_id: null,
    invoice_id: null,
    quantity: null,
    payer_email: null,
    payer_locale: null,
    payer_name: null,
    payer_note: null,
    success_text: null,
    version: status === 'processing' || status === 'expired' ? 2 : 3,
    created_at: at,
    updated_at: at,
    expires_at: at,
    settled_at: isPaid ? at : null,
  }
}
