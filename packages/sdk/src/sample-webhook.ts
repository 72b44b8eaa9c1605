// Making webhooks for a merchant's own tests: signed like real ones, so that the receiver under test runs unchanged.
import { type EventKind, eventKinds, type Order, type OrderStatus, type StatusDetail } from '@florin/protocol'
import { SIGNATURE_HEADER, sign } from '@florin/protocol/signature'
import type { FlorinEvent } from './types.ts'

export interface SignTestWebhookInput {
  /** The secret that the receiver under test holds. */
  secret: string
  /** `order.success` where left out. */
  event?: EventKind | undefined
  /** The event's id; give the same one again to test that a duplicate is dropped. */
  id?: string | undefined
  /** Fields of the order that the test is about; the rest is filled in. */
  order?: Partial<Order> | undefined
  /** Unix seconds of the signature; now where left out. */
  timestamp?: number | undefined
}

export interface TestWebhook {
  rawBody: string
  headers: Record<string, string>
  event: FlorinEvent
}

let made = 0

/**
 * Makes a webhook such as Florin sends: headers, raw body, and the event in it.
 *
 * @example
 * const { rawBody, headers } = signTestWebhook({ secret, event: 'order.success', order: { external_id: 'A-1001' } })
 * const answer = await fetch('http://localhost:4000/webhooks/florin', { method: 'POST', headers, body: rawBody })
 */
export function signTestWebhook(input: SignTestWebhookInput): TestWebhook {
  const kind = input.event ?? 'order.success'
  if (!eventKinds.includes(kind)) throw new TypeError(`event takes one of ${eventKinds.join(', ')}.`)
  const timestamp = input.timestamp ?? Math.floor(Date.now() / 1_000)
  const at = new Date(timestamp * 1_000).toISOString()
  const number = String(++made).padStart(26, '0')
  const status = kind.slice('order.'.length) as OrderStatus
  const order: Order = { ...sampleOrder(status, `ord_${number}`, at), ...input.order }
  const event = { id: input.id ?? `evt_${number}`, event: kind, created_at: at, order } as FlorinEvent
  const rawBody = JSON.stringify(event)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Florin-Webhooks/1',
    'x-service-event': kind,
    'x-service-delivery': `dlv_${number}`,
    'x-service-attempt': '1',
    [SIGNATURE_HEADER.toLowerCase()]: sign({
      secrets: [input.secret],
      body: new TextEncoder().encode(rawBody),
      timestamp,
    }),
  }
  return { rawBody, headers, event }
}

const SAMPLE_UNITS = '20000000'

const details: Readonly<Record<OrderStatus, StatusDetail>> = {
  pending: 'awaiting_payment',
  processing: 'confirming',
  success: 'paid',
  failed: 'settlement_failed',
  refunded: 'refunded',
  expired: 'unpaid',
}

function sampleOrder(status: OrderStatus, orderNo: string, at: string): Order {
  const settled = status === 'success'
  return {
    order_no: orderNo,
    livemode: false,
    external_id: null,
    status,
    status_detail: details[status],
    amount_usd: 20,
    fee_bps: 0,
    amount_out: settled ? SAMPLE_UNITS : null,
    amount_out_expected: SAMPLE_UNITS,
    settle_chain: 'base',
    settle_asset: 'USDC',
    settle_decimals: 6,
    settle_address: '0x00000000000000000000000000000000000F1041',
    settle_tx_hash: settled ? `0x${'f1'.repeat(32)}` : null,
    pay: null,
    payments: [],
    payments_total: 0,
    refunds: [],
    balance: [],
    refund_address: null,
    checkout_url: 'http://localhost:3000/pay/test',
    webhook_url: null,
    success_url: null,
    cancel_url: null,
    title: null,
    description: null,
    metadata: {},
    version: status === 'processing' || status === 'expired' ? 2 : 3,
    created_at: at,
    updated_at: at,
    expires_at: at,
    settled_at: settled ? at : null,
  }
}
