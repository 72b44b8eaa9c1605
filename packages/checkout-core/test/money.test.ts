// Promises: the steps never claim more than the chain does, and each payment and refund has its state and its page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentLines, refundLines, stepsOf } from '../src/money.ts'
import { aPayment, aRefund } from './parts.ts'
import { aCheckout, states } from './states.ts'

const processing = (...payments: ReturnType<typeof aPayment>[]) => aCheckout({ status: 'processing', payments })

test('the steps follow the slowest payment that counts', () => {
  const steps = stepsOf(
    processing(aPayment({ id: 'a', status: 'confirmed', confirmations: 7 }), aPayment({ id: 'b', confirmations: 1 })),
  )
  assert.deepEqual(
    steps.map(({ state }) => state),
    ['done', 'now', 'todo'],
  )
  assert.deepEqual(steps[1]?.confirmations, { n: 1, of: 3 })
})

test('a payment is confirmed when the server says so, not when the count is reached', () => {
  const [, step] = stepsOf(processing(aPayment({ confirmations: 9 })))
  assert.equal(step?.state, 'now')
  assert.deepEqual(step?.confirmations, { n: 3, of: 3 })
})

test('what left the chain, came too late or is excess makes no step', () => {
  assert.deepEqual(stepsOf(processing(aPayment({ status: 'orphaned' }))), [])
  assert.deepEqual(stepsOf(processing(aPayment({ use: 'late' }), aPayment({ use: 'wrong_asset' }))), [])
})

test('a settled order has every step behind it', () => {
  assert.deepEqual(
    stepsOf(states.paid).map(({ state }) => state),
    ['done', 'done', 'done'],
  )
})

test('payments and refunds are listed with state and page', () => {
  const lines = paymentLines(states.overpaid)
  assert.deepEqual(
    lines.map(({ text, state }) => [text, state.key]),
    [
      ['60.25 USDC', 'use_excess'],
      ['120.50 USDC', 'payment_confirmed'],
    ],
  )
  assert.match(lines[0]?.href ?? '', /^https:\/\/explorer\.example\/tx\/0x/)
  const [refund] = refundLines(states.overpaid)
  assert.deepEqual([refund?.text, refund?.state.key], ['60.25 USDC', 'refund_done'])
})

test('a hash of another chain gets no link to this chain’s explorer', () => {
  const [line] = paymentLines(processing(aPayment({ chain: 'eth', use: 'wrong_chain' })))
  assert.equal(line?.href, null)
  assert.ok(line?.hash)
})

test('a refund whose coin is unknown here is named without an amount rather than with a wrong one', () => {
  const [line] = refundLines(aCheckout({ pay: null, refunds: [aRefund({ asset: 'XYZ' })] }))
  assert.equal(line?.text, 'XYZ')
})
