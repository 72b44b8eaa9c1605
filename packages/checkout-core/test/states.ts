// An example of every state a payer can meet: what the tests judge, the playground plays and the pictures show.
import type { Checkout, PayChoice } from '@florin/protocol'
import {
  aPayment,
  aRefund,
  at,
  btcLeg,
  choices,
  explorer,
  moreChoices,
  proof,
  throughLeg,
  usdcLeg,
  xrpLeg,
} from './parts.ts'

export const aShop = (overrides: Partial<Checkout['merchant']> = {}): Checkout['merchant'] => ({
  name: null,
  logo: null,
  support_email: null,
  support_url: null,
  ...overrides,
})

export function aCheckout(overrides: Partial<Checkout> = {}): Checkout {
  return {
    order_no: 'ord_01k6z8h4q2v9x3n7p5r1t0w6yc',
    livemode: true,
    status: 'pending',
    status_detail: 'awaiting_payment',
    version: 1,
    merchant: aShop({ name: 'Harbour Coffee' }),
    title: 'Two bags of Sidamo and a grinder',
    description: 'Whole beans, roasted on Thursday. Ships within two days.',
    amount: '120.50',
    currency: 'USD',
    exponent: 2,
    fx: null,
    amount_usd: 120.5,
    pay: usdcLeg,
    pay_chain: explorer,
    choices: [...choices],
    choices_total: (overrides.choices ?? choices).length,
    payments: [],
    payments_total: 0,
    maturing: null,
    refunds: [],
    refund_address: null,
    refund_address_proposed: null,
    refund_address_state: 'no',
    refund_address_way: 'none',
    refund_signers: [],
    browser: 'any',
    refund_chain: (overrides.pay_chain === undefined ? explorer : overrides.pay_chain)?.name ?? null,
    late_policy: 'settle',
    settle_tx_hash: null,
    success_url: 'https://shop.example/thanks',
    success_text: null,
    cancel_url: 'https://shop.example/cart',
    created_at: at(0),
    expires_at: at(30),
    settled_at: null,
    server_time: at(2.2),
    simulate: [],
    ...overrides,
  }
}

/** What made dollars of an amount in euros. */
const euroFx: NonNullable<Checkout['fx']> = {
  ...{ base: 'USD', quote: 'EUR', rate: '0.8712', reference_rate: '0.8712', spread_bps: 0 },
  ...{ observed_at: at(-60), agreed_at: at(-1), valid_until: at(9), apart_bps: 4, rules_version: 2 },
  sources: [
    { id: 'ecb', rate: '0.8709', observed_at: at(-60), fetched_at: at(-1) },
    { id: 'coinbase', rate: '0.8712', observed_at: at(-1), fetched_at: at(-1) },
  ],
}

const half = {
  ...{ ...usdcLeg, amount_received: '60250000', amount_remaining: '60250000' },
  // The server asks the wallet for what is still due.
  uri: (usdcLeg.uri ?? '').replace('120500000', '60250000'),
}
const halfPayment = aPayment({ amount: '60250000', confirmations: 3, status: 'confirmed' })
const paidLeg = { ...usdcLeg, amount_received: '120500000', amount_remaining: '0', proof }
const confirmed = aPayment({ confirmations: 3, status: 'confirmed' })
const own = '0x27b1fdb04752bbc536007a920d24acb045561c26'

const paying = (overrides: Partial<Checkout>): Checkout =>
  aCheckout({ pay: paidLeg, choices: [], payments: [aPayment()], payments_total: 1, ...overrides })
const closed = (overrides: Partial<Checkout>): Checkout => paying({ server_time: at(45), ...overrides })
const paid = (overrides: Partial<Checkout> = {}): Checkout =>
  paying({
    status: 'success',
    status_detail: 'paid',
    payments: [confirmed],
    settled_at: at(6),
    server_time: at(6),
    settle_tx_hash: `0x${'5e'.repeat(32)}`,
    ...overrides,
  })
const bitcoin: Checkout['pay_chain'] = { ...explorer, name: 'Bitcoin', family: 'utxo', evm_chain_id: null }
const coinPayment = (overrides: Partial<Checkout['payments'][number]>): Checkout['payments'][number] =>
  aPayment({
    ...{ chain: 'btc', asset: 'BTC', decimals: 8, amount: btcLeg.amount_due, tx_hash: '5e'.repeat(32) },
    ...overrides,
  })
const over = { ...usdcLeg, amount_received: '180750000', amount_remaining: '0' }
const overPayments = [
  aPayment({ id: 'pay_2', amount: '60250000', use: 'excess', confirmations: 3, status: 'confirmed' }),
  confirmed,
]
const excess = aRefund({ reason: 'excess' })

const swapped: Partial<PayChoice> = {
  ...{ rail: 'intents', custody: 'third-party', refund_address: 'required', total_usd: '121.41', expected_s: 120 },
}

export const states = {
  choose: aCheckout({ pay: null, pay_chain: null }),
  choose_few: aCheckout({ pay: null, pay_chain: null, choices: choices.slice(0, 4) }),
  choose_refund_first: aCheckout({
    pay: null,
    pay_chain: null,
    choices: choices.map((choice) => ({ ...choice, refund_address: 'required' as const })),
  }),
  choose_many: aCheckout({
    ...{ pay: null, pay_chain: null },
    choices: choices.map((choice, n) => (n % 4 === 0 ? choice : { ...choice, ...swapped })),
    choices_total: moreChoices.length,
  }),
  choose_none: aCheckout({ pay: null, pay_chain: null, choices: [] }),
  pay: aCheckout({ refund_address_state: 'possible' }),
  pay_rate: aCheckout({ pay: btcLeg, pay_chain: { ...explorer, name: 'Bitcoin', family: 'utxo', evm_chain_id: null } }),
  pay_fx: aCheckout({ amount: '104.98', currency: 'EUR', fx: euroFx }),
  pay_memo: aCheckout({
    pay: xrpLeg,
    pay_chain: { ...explorer, name: 'XRP Ledger', family: 'xrpl', evm_chain_id: null },
  }),
  pay_through: aCheckout({
    pay: throughLeg,
    pay_chain: { ...explorer, name: 'Stellar', family: 'stellar', evm_chain_id: null },
    refund_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  }),
  long_words: aCheckout({
    merchant: aShop({
      name: 'مقهى الميناء للقهوة المحمصة الطازجة والشحن السريع إلى جميع أنحاء المدينة',
      support_email: `${'help'.repeat(15)}@harbour.example`,
    }),
    title: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitgliedsausweise',
    description: 'طلب كبير من القهوة المحمصة الطازجة مع شحن سريع إلى جميع أنحاء المدينة خلال يومين',
  }),
  pay_short: aCheckout({ server_time: at(28.6), title: null, description: null, merchant: aShop({ name: null }) }),
  pay_test: aCheckout({
    livemode: false,
    pay: {
      ...usdcLeg,
      rail: 'sandbox',
      uri: 'florin-test:base/0x52908400098527886E0F7030069857D2E4169EE7?asset=USDC&amount=120500000',
    },
    simulate: ['pay', 'underpay', 'overpay', 'expire'],
    refund_address_state: 'possible',
  }),
  partial: aCheckout({
    status_detail: 'partially_paid',
    pay: half,
    choices: [],
    payments: [halfPayment],
    payments_total: 1,
    refund_address_state: 'possible',
  }),
  partial_lapsed: aCheckout({
    status_detail: 'partially_paid',
    pay: { ...half, rate_expires_at: at(2) },
    choices: [],
    payments: [halfPayment],
    payments_total: 1,
    refund_address_state: 'possible',
  }),
  quote_expired: aCheckout({
    status_detail: 'quote_expired',
    pay: { ...btcLeg, rate_expires_at: at(2) },
    pay_chain: { ...explorer, name: 'Bitcoin' },
  }),
  wrong_asset: aCheckout({
    choices: [],
    payments: [aPayment({ asset: 'USDT', use: 'wrong_asset', status: 'confirmed', confirmations: 3 })],
    payments_total: 1,
  }),
  overdue: aCheckout({ server_time: at(30) }),
  confirming: paying({ status: 'processing', status_detail: 'confirming', server_time: at(4.2) }),
  settling: paying({ status: 'processing', status_detail: 'settling', payments: [confirmed], server_time: at(5) }),
  reorged: paying({
    status: 'processing',
    status_detail: 'reorged',
    payments: [aPayment({ status: 'orphaned', confirmations: 0 })],
  }),
  announced: paying({
    ...{ status: 'pending', status_detail: 'seen_unconfirmed', pay: btcLeg, pay_chain: bitcoin, server_time: at(3) },
    payments: [coinPayment({ status: 'unconfirmed', confirmations: 0 })],
  }),
  paid_by_miner: paid({
    ...{ pay: { ...btcLeg, amount_received: btcLeg.amount_due, amount_remaining: '0' }, pay_chain: bitcoin },
    payments: [coinPayment({ status: 'confirmed', confirmations: 1 })],
    settle_tx_hash: '5e'.repeat(32),
    maturing: { source: 'coinbase', blocks: 99 },
  }),
  paid: paid(),
  paid_long_ago: paid({ server_time: at(600), success_url: null }),
  paid_late: paid({ status_detail: 'paid_late' }),
  overpaid: paid({
    status_detail: 'overpaid',
    pay: over,
    payments: overPayments,
    refunds: [{ ...excess, status: 'succeeded', tx_hash: `0x${'ab'.repeat(32)}` }],
    refund_address: own,
  }),
  paid_in_two_coins: paid({
    status_detail: 'refunding',
    payments: [coinPayment({ id: 'pay_2', use: 'excess', status: 'confirmed', confirmations: 3 }), confirmed],
    refunds: [
      aRefund({ ...{ chain: 'btc', asset: 'BTC', amount: btcLeg.amount_due }, reason: 'excess', status: 'proposed' }),
    ],
    refund_address: own,
    maturing: { source: 'coinbase', blocks: 97 },
  }),
  overpaid_wanted: paid({
    status_detail: 'refund_address_needed',
    pay: over,
    payments: overPayments,
    refunds: [{ ...excess, status: 'waiting', address: null }],
    refund_address_state: 'wanted',
  }),
  overpaid_refunding: paid({
    status_detail: 'refunding',
    pay: over,
    payments: overPayments,
    refunds: [excess],
    refund_address: own,
  }),
  overpaid_stuck: paid({
    status_detail: 'refund_failed',
    pay: over,
    payments: overPayments,
    refunds: [{ ...excess, status: 'failed' }],
    refund_address: own,
  }),
  expired: closed({ status: 'expired', status_detail: 'unpaid', pay: usdcLeg, payments: [], payments_total: 0 }),
  expired_refund_policy: closed({
    status: 'expired',
    status_detail: 'unpaid',
    pay: usdcLeg,
    payments: [],
    payments_total: 0,
    late_policy: 'refund',
    livemode: false,
    simulate: ['pay_late'],
  }),
  expired_unchosen: closed({
    status: 'expired',
    status_detail: 'unpaid',
    pay: null,
    pay_chain: null,
    payments: [],
    payments_total: 0,
    cancel_url: null,
  }),
  underpaid: closed({
    status: 'expired',
    status_detail: 'underpaid',
    pay: half,
    payments: [halfPayment],
    refund_address_state: 'possible',
  }),
  late: closed({
    status: 'expired',
    status_detail: 'late_payment',
    payments: [aPayment({ use: 'late', detected_at: at(35) })],
    refund_address: own,
  }),
  canceled: closed({ status: 'expired', status_detail: 'canceled', payments: [], payments_total: 0 }),
  refund_wanted: closed({
    status: 'expired',
    status_detail: 'refund_address_needed',
    pay: half,
    payments: [halfPayment],
    refunds: [aRefund({ status: 'waiting', address: null })],
    refund_address_state: 'wanted',
  }),
  refunding: closed({
    status: 'expired',
    status_detail: 'refunding',
    pay: half,
    payments: [halfPayment],
    refunds: [aRefund()],
    refund_address: own,
  }),
  refunded: closed({
    status: 'refunded',
    status_detail: 'refunded',
    pay: half,
    payments: [halfPayment],
    refunds: [aRefund({ status: 'succeeded', tx_hash: `0x${'cd'.repeat(32)}` })],
    refund_address: own,
  }),
  refund_failed: closed({
    status: 'expired',
    status_detail: 'refund_failed',
    pay: half,
    payments: [halfPayment],
    refunds: [aRefund({ status: 'failed' })],
    refund_address: own,
  }),
  failed: closed({ status: 'failed', status_detail: 'settlement_failed', payments: [confirmed] }),
  failed_through: closed({
    status: 'failed',
    status_detail: 'settlement_failed',
    pay: throughLeg,
    payments: [confirmed],
    refund_address: own,
  }),
  failed_reorged: closed({
    status: 'failed',
    status_detail: 'reorged',
    payments: [aPayment({ status: 'orphaned', confirmations: 0 })],
  }),
  attention: closed({ status: 'failed', status_detail: 'needs_attention', payments: [confirmed] }),
} as const satisfies Record<string, Checkout>

export type StateName = keyof typeof states
export const stateNames = Object.keys(states) as StateName[]

export const isStateName = (text: string): text is StateName => Object.hasOwn(states, text)
