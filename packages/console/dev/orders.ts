// Invented orders: one of every status and detail, and some weeks of business around them. Shapes are those of the wire.
import type { Order, OrderStatus, Payment, Refund, StatusDetail, TimelineEntry } from '@florin/protocol'
import { eventOf } from '@florin/protocol'
import type { Random } from './random.ts'

export interface StoredOrder extends Order {
  timeline: TimelineEntry[]
}

const goods = [
  'Linen shirt',
  'Espresso machine',
  'Annual plan',
  'Hand-bound notebook',
  'Concert ticket',
  'Oak side table',
]

export const paths: readonly (readonly [
  OrderStatus,
  StatusDetail,
  readonly (readonly [OrderStatus, StatusDetail])[],
])[] = [
  ['pending', 'awaiting_payment', []],
  ['pending', 'partially_paid', [['pending', 'partially_paid']]],
  ['pending', 'quote_expired', [['pending', 'quote_expired']]],
  ['processing', 'confirming', [['processing', 'confirming']]],
  [
    'processing',
    'settling',
    [
      ['processing', 'confirming'],
      ['processing', 'settling'],
    ],
  ],
  [
    'processing',
    'reorged',
    [
      ['processing', 'confirming'],
      ['processing', 'reorged'],
    ],
  ],
  [
    'success',
    'paid',
    [
      ['processing', 'settling'],
      ['success', 'paid'],
    ],
  ],
  [
    'success',
    'overpaid',
    [
      ['processing', 'settling'],
      ['success', 'refunding'],
      ['success', 'overpaid'],
    ],
  ],
  [
    'success',
    'paid_late',
    [
      ['expired', 'unpaid'],
      ['processing', 'settling'],
      ['success', 'paid_late'],
    ],
  ],
  [
    'failed',
    'settlement_failed',
    [
      ['processing', 'settling'],
      ['failed', 'settlement_failed'],
    ],
  ],
  [
    'expired',
    'refund_address_needed',
    [
      ['expired', 'underpaid'],
      ['expired', 'refund_address_needed'],
    ],
  ],
  ['expired', 'unpaid', [['expired', 'unpaid']]],
  ['expired', 'canceled', [['expired', 'canceled']]],
  [
    'refunded',
    'refunded',
    [
      ['expired', 'underpaid'],
      ['expired', 'refunding'],
      ['refunded', 'refunded'],
    ],
  ],
]

export interface Made {
  at: number
  now: number
  livemode: boolean
  origin: string
  status: OrderStatus
  detail: StatusDetail
  steps: readonly (readonly [OrderStatus, StatusDetail])[]
  usd?: number
}

const hash = (random: Random) =>
  `0x${random
    .text(64)
    .toLowerCase()
    .replace(/[^0-9a-f]/g, 'a')}`
const address = (random: Random) =>
  `0x${random
    .text(40)
    .toLowerCase()
    .replace(/[^0-9a-f]/g, 'c')}`

export function makeOrder(random: Random, a: Made): StoredOrder {
  const iso = (ms: number) => new Date(ms).toISOString()
  const usd = a.usd ?? random.int(500, 42_000) / 100
  const units = String(Math.round(usd * 1e6))
  const isPaid = ['processing', 'success', 'failed'].includes(a.status) || a.detail === 'refunded'
  const part = String(Math.round(usd * 0.4e6))
  const got = isPaid ? units : ['partially_paid', 'refund_address_needed'].includes(a.detail) ? part : '0'
  const over = a.detail === 'overpaid' ? '5000000' : '0'
  const orderNo = `ord_${random.text(26)}`
  const seenAt = a.at + 90_000
  const payments: Payment[] =
    got === '0'
      ? []
      : [
          {
            id: `pay_${random.text(26)}`,
            pay_leg: 'leg_1',
            tx_hash: hash(random),
            output_index: 0,
            chain: 'base',
            asset: 'USDC',
            contract: null,
            decimals: 6,
            amount: String(BigInt(got) + BigInt(over)),
            transfers: 1,
            from: address(random),
            confirmations: a.detail === 'confirming' ? 5 : 12,
            confirmations_required: 12,
            status: a.detail === 'confirming' ? 'detected' : a.detail === 'reorged' ? 'orphaned' : 'confirmed',
            use: 'counted',
            detected_at: iso(seenAt),
            mined_at: iso(seenAt),
          },
        ]
  const isRefunding = a.detail === 'overpaid' || a.detail === 'refunded' || a.detail === 'refund_address_needed'
  const refunds: Refund[] = isRefunding
    ? [
        {
          id: `ref_${random.text(26)}`,
          by: 'florin',
          status: a.detail === 'refund_address_needed' ? 'waiting' : 'succeeded',
          amount: a.detail === 'overpaid' ? over : got,
          asset: 'USDC',
          chain: 'base',
          address: a.detail === 'refund_address_needed' ? null : address(random),
          tx_hash: a.detail === 'refund_address_needed' ? null : hash(random),
          reason: a.detail === 'overpaid' ? 'excess' : 'underpaid',
          created_at: iso(seenAt + 600_000),
        },
      ]
    : []
  const total = String(BigInt(got) + BigInt(over))
  const isSettled = a.status === 'success'
  const refunded = refunds
    .filter((refund) => refund.status === 'succeeded')
    .reduce((sum, each) => sum + BigInt(each.amount), 0n)
  const settled = isSettled ? units : '0'
  const timeline = a.steps.map(([status, status_detail], n): TimelineEntry => {
    const before = a.steps[n - 1]?.[0] ?? 'pending'
    return {
      id: `evt_${random.text(26)}`,
      event: status === before ? null : eventOf[status],
      status,
      status_detail,
      version: n + 2,
      created_at: iso(seenAt + n * 130_000),
    }
  })
  const last = timeline.at(-1)?.created_at ?? iso(a.at)
  return {
    order_no: orderNo,
    livemode: a.livemode,
    external_id: random.next() < 0.85 ? `A-${random.int(1000, 9999)}` : null,
    status: a.status,
    status_detail: a.detail,
    amount: usd.toFixed(2),
    currency: 'USD',
    amount_minor: String(Math.round(usd * 100)),
    exponent: 2,
    fx: null,
    amount_usd: usd,
    fee_bps: 50,
    amount_out: isSettled ? units : null,
    amount_out_expected: units,
    settle_chain: 'base',
    settle_asset: 'USDC',
    settle_decimals: 6,
    settle_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    settle_tx_hash: isSettled || a.detail === 'settling' ? hash(random) : null,
    pay: {
      id: 'leg_1',
      rail: a.livemode ? 'forwarder' : 'sandbox',
      route: { custody: 'none', reason: 'direct', total_usd: '49.90', expected_s: 20, passed_over: [] },
      chain: 'base',
      asset: 'USDC',
      contract: null,
      decimals: 6,
      address: address(random),
      memo: null,
      uri: 'florin-test:base/0x',
      amount_due: units,
      amount_received: total,
      amount_remaining: String(BigInt(units) > BigInt(got) ? BigInt(units) - BigInt(got) : 0n),
      rate: '1',
      rate_source: 'sandbox',
      rate_expires_at: iso(a.at + 900_000),
      proof: null,
    },
    payments,
    payments_total: payments.length,
    refunds,
    balance:
      got === '0'
        ? []
        : [
            {
              chain: 'base',
              asset: 'USDC',
              received: total,
              settled,
              fee: '0',
              refunded: String(refunded),
              held: String(BigInt(total) - BigInt(settled) - refunded),
              held_below_cost: '0',
            },
          ],
    refund_address: refunds[0]?.address ?? null,
    refund_address_proposed: null,
    checkout_url: `${a.origin}/pay/${random.text(32)}`,
    webhook_url: 'https://shop.example/webhooks/florin',
    success_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
    title: random.next() < 0.7 ? random.pick(goods) : null,
    description: null,
    metadata: random.next() < 0.5 ? { cart: `c_${random.text(8).toLowerCase()}`, channel: 'web' } : {},
    payment_link_id: null,
    invoice_id: null,
    quantity: null,
    payer_email: null,
    payer_locale: null,
    payer_name: null,
    payer_note: null,
    success_text: null,
    version: a.steps.length + 1,
    created_at: iso(a.at),
    updated_at: last,
    expires_at: iso(a.at + 1_800_000),
    settled_at: isSettled ? last : null,
    timeline,
  }
}
