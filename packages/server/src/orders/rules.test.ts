// What each fact makes of an order (api.md 4.3), example by example.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { at, DUE, eth, leg, PAYER, pays, pendingOrder, run, settles } from '../../test/order-state.ts'
import type { Fact } from './facts.ts'
import { balanceOf } from './ledger.ts'

test('the exact amount goes pending, processing, success and the balance adds up', () => {
  const paid = run(pendingOrder(), [[pays('a', DUE, at(MINUTE_MS)), at(MINUTE_MS)]])
  assert.equal(paid.order.status, 'processing')
  assert.equal(paid.order.detail, 'confirming')
  const confirmed = run(paid.order, [[{ kind: 'payment_confirmed', key: 'a' }, at(2 * MINUTE_MS)]])
  assert.equal(confirmed.order.detail, 'settling')
  assert.equal(confirmed.order.settlements[0]?.gross, DUE)
  const done = run(confirmed.order, [[settles(confirmed.order), at(3 * MINUTE_MS)]])
  assert.deepEqual(done.moves, ['success'])
  assert.equal(done.order.amountOut, 49_500_000n)
  assert.equal(done.order.settleTxHash, '0xsettle')
  assert.deepEqual(
    balanceOf(done.order).map(({ received, settled, fee, held }) => ({ received, settled, fee, held })),
    [{ received: DUE, settled: 49_500_000n, fee: 500_000n, held: 0n }],
  )
})

test('money within the tolerance is enough, a unit less is not', () => {
  const enough = run(pendingOrder(), [[pays('a', DUE - 250_000n, at(1)), at(1)]])
  assert.equal(enough.order.status, 'processing')
  const short = run(pendingOrder(), [[pays('a', DUE - 250_001n, at(1)), at(1)]])
  assert.equal(short.order.status, 'pending')
  assert.equal(short.order.detail, 'partially_paid')
})

test('the tolerance is never more than a dollar', () => {
  const order = pendingOrder({ amountUsdMicros: 50_000_000n, underpayToleranceBps: 1000 })
  assert.equal(run(order, [[pays('a', DUE - 1_000_000n, at(1)), at(1)]]).order.status, 'processing')
  assert.equal(run(order, [[pays('a', DUE - 1_000_001n, at(1)), at(1)]]).order.status, 'pending')
})

test('an excess beyond dust is refunded to the refund address after success, and waits for one if there is none', () => {
  for (const refundAddress of [null, PAYER]) {
    const paid = run(pendingOrder({ refundAddress }), [
      [pays('a', DUE * 2n, at(1)), at(1)],
      [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
    ])
    assert.equal(paid.order.settlements[0]?.gross, DUE)
    const done = run(paid.order, [[settles(paid.order), at(3)]])
    assert.equal(done.order.status, 'success')
    assert.equal(done.order.refunds[0]?.amount, DUE)
    assert.equal(done.order.refunds[0]?.status, refundAddress === null ? 'waiting' : 'sending')
    assert.equal(done.order.detail, refundAddress === null ? 'refund_address_needed' : 'refunding')
  }
})

test('dust beyond the quote goes to the merchant with the settlement', () => {
  const paid = run(pendingOrder(), [
    [pays('a', DUE + 40_000n, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
  ])
  assert.equal(paid.order.settlements[0]?.gross, DUE + 40_000n)
})

test('the whole amount late settles under the settle policy and is refunded under the refund policy', () => {
  const late = at(40 * MINUTE_MS)
  const facts: [Fact, Date][] = [
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
    [pays('a', DUE, late), late],
    [{ kind: 'payment_confirmed', key: 'a' }, late],
  ]
  const settle = run(pendingOrder(), facts)
  assert.deepEqual(settle.moves, ['expired', 'processing'])
  const done = run(settle.order, [[settles(settle.order), late]])
  assert.equal(done.order.detail, 'paid_late')
  const refund = run(pendingOrder({ latePolicy: 'refund', refundAddress: PAYER }), facts)
  assert.deepEqual(refund.moves, ['expired'])
  assert.equal(refund.order.refunds[0]?.reason, 'late')
  const id = refund.order.refunds[0]?.id ?? ''
  const returned = run(refund.order, [[{ kind: 'refund_succeeded', refundId: id, txHash: '0xr' }, late]])
  assert.deepEqual(returned.moves, ['refunded'])
})

test('late money of a volatile leg is never settled at the old rate', () => {
  const order = pendingOrder({ legs: [leg(1, eth, false)], refundAddress: PAYER })
  const lapsed = run(order, [[pays('a', DUE, at(16 * MINUTE_MS), eth), at(16 * MINUTE_MS)]])
  assert.equal(lapsed.order.status, 'pending')
  const later = run(lapsed.order, [
    [{ kind: 'payment_confirmed', key: 'a' }, at(20 * MINUTE_MS)],
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
  ])
  assert.equal(later.order.status, 'expired')
  assert.equal(later.order.refunds[0]?.amount, DUE)
})

test('partial money waits a day for a top-up and is then refunded', () => {
  const partial = run(pendingOrder({ refundAddress: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
  ])
  assert.equal(partial.order.detail, 'underpaid')
  assert.equal(partial.order.refunds.length, 0)
  const topped = run(partial.order, [[pays('b', DUE / 2n, at(60 * MINUTE_MS)), at(60 * MINUTE_MS)]])
  assert.deepEqual(topped.moves, ['processing'])
  const waited = run(partial.order, [[{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)]])
  assert.equal(waited.order.refunds[0]?.reason, 'underpaid')
})

test('a reorged payment keeps the order processing until it returns, or fails it a day after expiry', () => {
  const gone = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_orphaned', key: 'a' }, at(2)],
  ])
  assert.equal(gone.order.status, 'processing')
  assert.equal(gone.order.detail, 'reorged')
  const back = run(gone.order, [[pays('a2', DUE, at(1)), at(3)]])
  assert.equal(back.order.detail, 'confirming')
  const never = run(gone.order, [[{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)]])
  assert.deepEqual(never.moves, ['failed'])
})

test('a failed settlement fails the order, a retry settles it', () => {
  const paid = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
  ])
  const id = paid.order.settlements[0]?.id ?? ''
  const failed = run(paid.order, [[{ kind: 'settlement_failed', settlementId: id, failure: 'blocked' }, at(3)]])
  assert.deepEqual(failed.moves, ['failed'])
  const retried = run(failed.order, [[{ kind: 'settlement_retried' }, at(4)]])
  assert.deepEqual(retried.moves, ['processing'])
  assert.deepEqual(run(retried.order, [[settles(retried.order), at(5)]]).moves, ['success'])
})

test('somebody else pushing the money to the merchant is a success, both steps in one decision', () => {
  const paid = run(pendingOrder(), [[pays('a', DUE, at(1)), at(1)]])
  const pushed: Fact = { ...settles(paid.order), settlementId: null, gross: DUE, fee: 0n, amountOut: DUE } as Fact
  assert.deepEqual(run(paid.order, [[pushed, at(2)]]).moves, ['success'])
})

test('a canceled order leaves expired only for refunded', () => {
  const order = run(pendingOrder({ refundAddress: PAYER }), [
    [{ kind: 'cancel_asked' }, at(1)],
    [pays('a', DUE, at(2)), at(2)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(3)],
  ])
  assert.deepEqual(order.moves, ['expired'])
  assert.equal(order.order.refunds[0]?.reason, 'canceled')
})
