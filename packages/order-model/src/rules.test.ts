// What each fact makes of an order (contract.md 4.3), example by example.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import {
  at,
  DUE,
  eth,
  leg,
  own,
  PAYER,
  pays,
  pendingOrder,
  run,
  settles,
  usdc,
  usdt,
} from '../../server/test/order-state.ts'
import { balanceOf } from './balance.ts'
import type { Fact } from './facts.ts'
import { currentLeg } from './state.ts'

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
  for (const boundTo of [null, PAYER]) {
    const paid = run(pendingOrder({ boundTo }), [
      [pays('a', DUE * 2n, at(1)), at(1)],
      [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
    ])
    assert.equal(paid.order.settlements[0]?.gross, DUE)
    const done = run(paid.order, [[settles(paid.order), at(3)]])
    assert.equal(done.order.status, 'success')
    assert.equal(done.order.refunds[0]?.amount, DUE)
    assert.equal(done.order.refunds[0]?.status, boundTo === null ? 'waiting' : 'sending')
    assert.equal(done.order.detail, boundTo === null ? 'refund_address_needed' : 'refunding')
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
  const refund = run(pendingOrder({ latePolicy: 'refund', boundTo: PAYER }), facts)
  assert.deepEqual(refund.moves, ['expired'])
  assert.equal(refund.order.refunds[0]?.reason, 'late')
  const id = refund.order.refunds[0]?.id ?? ''
  const returned = run(refund.order, [[{ kind: 'refund_succeeded', refundId: id, txHash: '0xr' }, late]])
  assert.deepEqual(returned.moves, ['refunded'])
})

test('late money of a volatile leg is never settled at the old rate', () => {
  const order = pendingOrder({ legs: [leg(1, eth, false)], boundTo: PAYER })
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
  const partial = run(pendingOrder({ boundTo: PAYER }), [
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
  const order = run(pendingOrder({ boundTo: PAYER }), [
    [{ kind: 'cancel_asked' }, at(1)],
    [pays('a', DUE, at(2)), at(2)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(3)],
  ])
  assert.deepEqual(order.moves, ['expired'])
  assert.equal(order.order.refunds[0]?.reason, 'canceled')
})

const twoTargets = () =>
  pendingOrder({
    ...own(usdt),
    payLegId: 'leg_2',
    legs: [leg(1, usdc, true, own(usdc)), { ...leg(2, usdt, true, own(usdt)), rail: 'forwarder' }],
  })

test('an order shows the target of the leg chosen last, until money comes on another: then that one is current', () => {
  const order = twoTargets()
  const part = run(order, [[pays('a', DUE / 2n, at(1)), at(1)]]).order
  assert.deepEqual([part.settle, part.settleAddress, part.rail], [usdc, '0xmerchant on base', 'sandbox'])
  assert.deepEqual([part.detail, currentLeg(part)?.id], ['partially_paid', 'leg_1'])
  assert.equal(part.version, order.version + 1)
  const whole = run(part, [[pays('b', DUE, at(2), usdt, 'ref.2'), at(2)]])
  assert.deepEqual(whole.moves, ['processing'])
  assert.deepEqual(
    [whole.order.settle, whole.order.settleAddress, whole.order.rail],
    [usdt, '0xmerchant on eth', 'forwarder'],
  )
})

test('money on a leg that was left settles there, and the other leg’s money goes back', () => {
  const both = run(twoTargets(), [
    [pays('a', DUE, at(1)), at(1)],
    [pays('b', DUE, at(2), usdt, 'ref.2'), at(2)],
    [{ kind: 'payment_confirmed', key: 'b' }, at(3)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(4)],
  ]).order
  assert.deepEqual(
    both.payments.map((payment) => [payment.chain, payment.use]),
    [
      ['base', 'counted'],
      ['eth', 'excess'],
    ],
    'what came first pays, also where the other is confirmed first',
  )
  assert.equal(both.settlements[0]?.legId, 'leg_1')
  const done = run(both, [[settles(both), at(5)]]).order
  assert.deepEqual([done.status, done.settleAddress, done.amountOut], ['success', '0xmerchant on base', 49_500_000n])
  assert.deepEqual(
    done.refunds.map(({ chain, amount, status }) => [chain, amount, status]),
    [['eth', DUE, 'waiting']],
  )
})

test('money that somebody pushes out of another leg after success changes nothing of what was said', () => {
  const paid = run(twoTargets(), [
    [pays('a', DUE, at(1)), at(1)],
    [pays('b', DUE, at(2), usdt, 'ref.2'), at(2)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(3)],
    [{ kind: 'payment_confirmed', key: 'b' }, at(3)],
  ]).order
  const done = run(paid, [[settles(paid), at(4)]]).order
  const push = { kind: 'settlement_final', settlementId: null, legRef: 'ref.2', txHash: '0xpush' } as const
  const after = run(done, [[{ ...push, gross: DUE, fee: 0n, amountOut: DUE }, at(5)]]).order
  assert.deepEqual([after.settle, after.amountOut, after.settleTxHash], [usdc, 49_500_000n, '0xsettle'])
  assert.deepEqual(
    balanceOf(after).map(({ chain, settled, held }) => [chain, settled, held]),
    [
      ['base', 49_500_000n, 0n],
      ['eth', DUE, 0n],
    ],
  )
  assert.equal(after.refunds[0]?.status, 'failed', 'there is nothing left to send back')
})

test('late money on a leg whose quote lapsed does not take the order away from the leg that can still be paid', () => {
  const order = pendingOrder({
    ...own(usdt),
    payLegId: 'leg_2',
    legs: [leg(1, eth, false, own(eth)), leg(2, usdt, true, own(usdt))],
  })
  const late = run(order, [[pays('a', DUE, at(16 * MINUTE_MS), eth), at(16 * MINUTE_MS)]]).order
  assert.equal(late.payLegId, 'leg_2')
})

test('a refund address is never used on a chain that it is none of', () => {
  const btc = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
  const order = pendingOrder({ legs: [leg(1, btc, true), leg(2, usdc, true)], payLegId: 'leg_2', boundTo: PAYER })
  const both = run(order, [
    [pays('a', DUE, at(1)), at(1)],
    [pays('b', DUE / 2n, at(1), btc), at(1)],
    [pays('c', DUE, at(2), usdc, 'ref.2'), at(2)],
    [{ kind: 'payment_confirmed', key: 'b' }, at(3)],
    [{ kind: 'payment_confirmed', key: 'c' }, at(3)],
  ]).order
  const done = run(both, [[settles(both), at(4)]]).order
  assert.deepEqual(
    done.refunds.map(({ chain, status, address }) => [chain, status, address]),
    [['btc', 'waiting', null]],
  )
})

test('a refund that turns out to be paid leaves nothing to settle of the same money', () => {
  const back = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
  ]).order
  const failed = run(back, [
    [{ kind: 'settlement_failed', settlementId: back.settlements[0]?.id ?? '', failure: 'blocked' }, at(3)],
    [{ kind: 'refund_asked' }, at(4)],
  ]).order
  const refundId = failed.refunds[0]?.id ?? ''
  const retried = run(failed, [
    [{ kind: 'refund_failed', refundId, failure: 'blocked' }, at(5)],
    [{ kind: 'settlement_retried' }, at(6)],
    [{ kind: 'refund_succeeded', refundId, txHash: '0xr' }, at(7)],
  ])
  assert.deepEqual(retried.moves, ['processing', 'refunded'])
  assert.ok(retried.order.settlements.every((row) => row.status === 'failed'))
})
