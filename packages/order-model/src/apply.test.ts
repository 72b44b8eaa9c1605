// Facts that come late, twice, or contradict each other: a rail may have crashed, a reorg may have happened, or a third
// party may have moved the money.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import {
  at,
  DUE,
  eth,
  leg,
  newId,
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
import { progressOn } from './ledger.ts'
import { decide } from './rules.ts'
import type { OrderState } from './state.ts'

const confirmed = (key: string): Fact => ({ kind: 'payment_confirmed', key })
const orphaned = (key: string): Fact => ({ kind: 'payment_orphaned', key })
const PAST = 30 * MINUTE_MS + DAY_MS

/** Why a fact changes nothing, and what people are asked to look at because of it. */
function ignoredBecause(order: OrderState, fact: Fact, now = at(9)): [why: string, kinds: string[]] {
  const decision = decide(order, [fact], now, newId)
  assert.equal(decision.order, order)
  return [decision.ignored[0] ?? '', decision.attention.map(({ kind }) => kind)]
}

const paid = (facts: readonly [Fact, Date][] = []): OrderState =>
  run(pendingOrder({ boundTo: PAYER }), [[pays('a', DUE, at(1)), at(1)], [confirmed('a'), at(2)], ...facts]).order

test('a transfer of nothing leaves an order as if it had never been: it can still be canceled', () => {
  const order = pendingOrder()
  for (const amount of [0n, -1n]) {
    assert.deepEqual(ignoredBecause(order, pays('a', amount, at(1))), ['a transfer of nothing', []])
  }
  assert.deepEqual(
    run(order, [
      [pays('a', 0n, at(1)), at(1)],
      [{ kind: 'cancel_asked' }, at(2)],
    ]).moves,
    ['expired'],
  )
})

test('a confirmation that comes after its payment left the chain confirms nothing', () => {
  const { order } = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [orphaned('a'), at(2)],
  ])
  assert.deepEqual(ignoredBecause(order, confirmed('a')), ['the payment is orphaned', []])
  const back = run(order, [
    [pays('a', DUE, at(1)), at(10)],
    [confirmed('a'), at(11)],
  ]).order
  assert.deepEqual([back.detail, back.settlements[0]?.gross], ['settling', DUE])
})

test('two legs that are settled in one transaction are booked both', () => {
  const order = run(
    pendingOrder({
      ...own(usdt),
      payLegId: 'leg_2',
      legs: [leg(1, usdc, true, own(usdc)), leg(2, usdt, true, own(usdt))],
    }),
    [
      [pays('a', DUE, at(1)), at(1)],
      [pays('b', DUE, at(2), usdt, 'ref.2'), at(2)],
      [confirmed('a'), at(3)],
      [confirmed('b'), at(3)],
    ],
  ).order
  const push = (legRef: string): Fact => ({
    ...{ kind: 'settlement_final', settlementId: null, legRef, txHash: '0xbatch' },
    ...{ gross: DUE, fee: 0n, amountOut: DUE },
  })
  const { order: done, moves } = run(order, [
    [push('ref.1'), at(4)],
    [push('ref.2'), at(4)],
  ])
  assert.deepEqual(moves, ['success'])
  assert.deepEqual(
    balanceOf(done).map(({ chain, settled, held }) => [chain, settled, held]),
    [
      ['base', DUE, 0n],
      ['eth', DUE, 0n],
    ],
  )
  assert.deepEqual(ignoredBecause(done, push('ref.2')), ['this settlement is known to be final', []])
})

test('a refund of money that a reorg took away is not sent any more', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
    [orphaned('a'), at(4)],
  ])
  assert.deepEqual(
    order.refunds.map(({ status, failure }) => [status, failure]),
    [['failed', 'the payment left the chain']],
  )
})

test('of two promises the one stands that is still covered', () => {
  const part = DUE / 4n
  const by = (key: string): Fact => ({ ...pays(key, part, at(1)), from: `0x${key}${key}` }) as Fact
  const two = run(pendingOrder(), [
    [by('a'), at(1)],
    [by('b'), at(1)],
    [confirmed('a'), at(2)],
    [confirmed('b'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
    [{ kind: 'refund_address_signed', legId: 'leg_1', from: '0xaa', address: PAYER }, at(4)],
    [orphaned('b'), at(7)],
  ]).order
  assert.deepEqual(
    two.refunds.map(({ amount, status }) => [amount, status]),
    [
      [part, 'sending'],
      [part, 'failed'],
    ],
  )
})

test('a settlement of nothing, or of more than came in, is booked nowhere, and people are told', () => {
  const order = paid()
  const settlement = settles(order) as Extract<Fact, { kind: 'settlement_final' }>
  for (const gross of [0n, DUE + 1n]) {
    assert.deepEqual(ignoredBecause(order, { ...settlement, gross, fee: 0n, amountOut: gross }), [
      'more was settled than is known to have come in',
      ['settled_more_than_received'],
    ])
  }
  assert.deepEqual(run(order, [[settlement, at(10)]]).moves, ['success'])
})

test('once something is settled, a report that all was returned changes nothing', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', 2n * DUE, at(1)), at(1)],
    [confirmed('a'), at(2)],
  ])
  const done = run(order, [[settles(order), at(3)]]).order
  assert.deepEqual(ignoredBecause(done, { kind: 'all_returned', txHash: '0xback', to: null }), [
    'the order is settled',
    [],
  ])
})

test('a refund that the chain shows as paid is paid, whatever was thought of it before', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
  ])
  const refundId = order.refunds[0]?.id ?? ''
  const before: Fact[] = [
    { kind: 'refund_proposed', refundId, txHash: null },
    { kind: 'refund_failed', refundId, failure: 'blocked' },
  ]
  for (const fact of before) {
    const { moves } = run(order, [
      [fact, at(4)],
      [{ kind: 'refund_succeeded', refundId, txHash: '0xr' }, at(5)],
    ])
    assert.deepEqual(moves, ['refunded'], fact.kind)
  }
})

test('an order is refunded when all of its money is back, of every asset', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [pays('b', 5n, at(1), eth), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
  ])
  const [first] = order.refunds
  const one = run(order, [[{ kind: 'refund_succeeded', refundId: first?.id ?? '', txHash: '0xr' }, at(4)]])
  assert.deepEqual(one.moves, [])
  const more = run(one.order, [
    [confirmed('b'), at(5)],
    [{ kind: 'refund_asked' }, at(6)],
  ]).order
  const last = more.refunds.at(-1)
  assert.deepEqual([last?.asset, last?.amount], ['ETH', 5n])
  assert.deepEqual(run(more, [[{ kind: 'refund_succeeded', refundId: last?.id ?? '', txHash: '0xs' }, at(7)]]).moves, [
    'refunded',
  ])
})

test('an order that fails takes its open settlement with it, and knows when it succeeded', () => {
  const order = paid()
  const gone = run(order, [
    [orphaned('a'), at(3)],
    [{ kind: 'time_passed' }, at(PAST - 1)],
  ])
  assert.deepEqual([gone.moves, gone.order.detail], [[], 'reorged'])
  const failed = run(gone.order, [[{ kind: 'time_passed' }, at(PAST)]])
  assert.deepEqual([failed.moves, failed.order.detail], [['failed'], 'reorged'])
  assert.deepEqual(
    failed.order.settlements.map(({ status, failure }) => [status, failure]),
    [['failed', 'the payment left the chain']],
  )
  assert.deepEqual(run(order, [[settles(order), at(3)]]).order.settledAt, at(3))
})

test('once money was seen no other way to pay can be chosen', () => {
  const other = leg(2, usdt, true, own(usdt))
  const opened: Fact = { kind: 'leg_opened', leg: other }
  const { order } = run(pendingOrder(), [[pays('a', 20_001n, at(1)), at(1)]])
  assert.deepEqual(ignoredBecause(order, opened), ['money has been seen', []])
  const dusted = run(pendingOrder(), [
    [pays('a', 19_999n, at(1)), at(1)],
    [pays('b', 1n, at(1)), at(1)],
    [{ ...pays('c', 1_000n, at(1), eth), floor: 1_000n } as Fact, at(1)],
  ]).order
  assert.equal(
    run(dusted, [[opened, at(2)]]).order.payLegId,
    'leg_2',
    'what costs more to send than it is worth does not',
  )
  const gone = run(order, [
    [orphaned('a'), at(2)],
    [opened, at(3)],
  ]).order
  assert.equal(gone.payLegId, 'leg_2', 'money that left the chain binds nobody')
  assert.deepEqual(ignoredBecause(pendingOrder(), opened, at(30 * MINUTE_MS)), ['the order is pending', []])
})

test('a refund address is given only for a refund that waits', () => {
  assert.deepEqual(
    ignoredBecause(pendingOrder(), { kind: 'refund_address_given', refundId: 'ref_1', address: PAYER }),
    ['this refund waits for no address', []],
  )
})

test('money on its way to the merchant cannot be asked back', () => {
  assert.deepEqual(ignoredBecause(paid(), { kind: 'refund_asked' }), [
    'the money is on its way to the receiving address',
    [],
  ])
})

test('late money that went back does not add to what is still to be paid', () => {
  const late = at(30 * MINUTE_MS + 1)
  const { order } = run(pendingOrder({ latePolicy: 'refund', boundTo: PAYER }), [
    [pays('a', 100_000n, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'time_passed' }, at(30 * MINUTE_MS)],
    [pays('b', 40_000n, late), late],
    [confirmed('b'), late],
  ])
  assert.deepEqual(
    order.refunds.map(({ amount, reason }) => [amount, reason]),
    [[40_000n, 'late']],
  )
  const [only] = order.legs
  assert.ok(only)
  assert.ok(progressOn(order, only).remaining <= DUE - 100_000n)
  // Reported late, seen in time; from a stock, where it went back to, the pieces may be another payer's by then.
  const isFromStock = { ...order, paymentLinkId: 'plink_1' }
  const inVain = run(isFromStock, [
    [pays('c', DUE - 100_000n, at(5)), at(31 * MINUTE_MS)],
    [confirmed('c'), at(32 * MINUTE_MS)],
  ])
  assert.deepEqual(inVain.moves, [])
  assert.deepEqual(
    inVain.order.refunds.map(({ amount, reason }) => [amount, reason]),
    [
      [40_000n, 'late'],
      [100_000n, 'late'],
      [DUE - 100_000n, 'late'],
    ],
  )
  const rest = run(order, [[pays('c', DUE - 100_000n, at(5)), at(31 * MINUTE_MS)]])
  assert.deepEqual(rest.moves, ['processing'])
})
