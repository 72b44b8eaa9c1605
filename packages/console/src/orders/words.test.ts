// Promises of the wording: every status and detail has a sentence, none shows a hole, and figures are the order's own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Order, orderStatuses, refundReasons, type StatusDetail, statusDetails } from '@florin/protocol'
import { detailWords, explainOrder, refundReasonWords, statusWords } from './words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const pay: NonNullable<Order['pay']> = {
  id: 'leg_1',
  rail: 'sandbox',
  route: null,
  chain: 'base',
  asset: 'USDC',
  contract: null,
  decimals: 6,
  address: '0x',
  memo: null,
  uri: '',
  amount_due: '49900000',
  amount_received: '9900000',
  amount_remaining: '40000000',
  rate: '1',
  rate_source: 'sandbox',
  rate_expires_at: '2026-11-21T12:15:00Z',
  proof: null,
}
const payment = {
  status: 'detected',
  confirmations: 2,
  confirmations_required: 12,
  chain: 'base',
} as Order['payments'][number]
const order = (status: Order['status'], status_detail: StatusDetail, over: Partial<Order> = {}) => ({
  status,
  status_detail,
  pay,
  payments: [],
  expires_at: '2026-11-21T12:30:00Z',
  settle_asset: 'USDC',
  ...over,
})

test('every status, detail and reason has words', () => {
  for (const status of orderStatuses) assert.ok(statusWords[status].label)
  for (const detail of statusDetails) assert.ok(detailWords[detail])
  for (const reason of refundReasons) assert.ok(refundReasonWords[reason])
})

test('every status with every detail is explained in whole sentences without holes', () => {
  for (const status of orderStatuses) {
    for (const detail of statusDetails) {
      for (const leg of [pay, null]) {
        const { title, text } = explainOrder(order(status, detail, { pay: leg }), now)
        assert.match(title, /^[A-Z]/, `${status}/${detail}`)
        assert.match(text, /^[\dA-Z“].*\.$/s, `${status}/${detail}: ${text}`)
        assert.doesNotMatch(text, /undefined|null|NaN|_/, `${status}/${detail}: ${text}`)
      }
    }
  }
})

test('a waiting order says how much, where and until when', () => {
  assert.equal(
    explainOrder(order('pending', 'awaiting_payment'), now).text,
    '49.90 USDC on base has not been seen yet. The order expires in 30 min.',
  )
  assert.match(explainOrder(order('pending', 'awaiting_payment', { pay: null }), now).title, /choose/)
  assert.match(explainOrder(order('pending', 'partially_paid'), now).text, /40 USDC is missing/)
})

test('a confirming order counts the slowest payment', () => {
  const fast = { ...payment, confirmations: 11 }
  const { text } = explainOrder(order('processing', 'confirming', { payments: [fast, payment] }), now)
  assert.match(text, /2 of 12 confirmations\./)
})

test('a settling order says whether the payment or the settlement is waited for', () => {
  const confirmed = { ...payment, status: 'confirmed' as const }
  assert.match(
    explainOrder(order('processing', 'settling', { payments: [payment] }), now).text,
    /has its confirmations/,
  )
  assert.match(explainOrder(order('processing', 'settling', { payments: [confirmed] }), now).text, /transfer is final/)
})

test('a vanished payment warns while it may return and is final once the order failed', () => {
  assert.equal(explainOrder(order('processing', 'reorged'), now).tone, 'warn')
  const failed = explainOrder(order('failed', 'reorged'), now)
  assert.equal(failed.tone, 'bad')
  assert.match(failed.text, /do not hand over/)
})
