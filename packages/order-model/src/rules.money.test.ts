// Where every unit goes when things happen in an unlucky order: nothing is promised twice, nothing of the merchant's is
// given back, and what a webhook says is what the order then is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import {
  at,
  DUE,
  eth,
  leg,
  newId,
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
import { decide } from './rules.ts'
import type { OrderState } from './state.ts'

const confirmed = (key: string): Fact => ({ kind: 'payment_confirmed', key })
const openGross = (order: OrderState): bigint =>
  order.settlements
    .filter((row) => row.status === 'wanted' || row.status === 'broadcast')
    .reduce((total, row) => total + row.gross, 0n)
const promisedBack = (order: OrderState): bigint =>
  order.refunds.filter((row) => row.status !== 'failed').reduce((total, row) => total + row.amount, 0n)

/** A stranger pushes what lies on the leg to the merchant. */
const pushed = (gross: bigint, txHash = '0xpush'): Fact => ({
  kind: 'settlement_final',
  settlementId: null,
  legRef: 'ref.1',
  txHash,
  gross,
  fee: 0n,
  amountOut: gross,
})

test('money that is on its way back does not pay the order', () => {
  const { order, moves } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
    [pays('b', DUE / 2n, at(4)), at(4)],
    [confirmed('b'), at(5)],
  ])
  assert.deepEqual(moves, [])
  assert.equal(promisedBack(order) + openGross(order), DUE / 2n, 'only the half that was promised back is promised')
  const topped = run(order, [
    [{ kind: 'refund_succeeded', refundId: order.refunds[0]?.id ?? '', txHash: '0xr' }, at(6)],
    [pays('c', DUE / 2n, at(7)), at(7)],
    [confirmed('c'), at(8)],
  ])
  assert.deepEqual(topped.moves, ['processing'])
  assert.equal(openGross(topped.order), DUE)
  const done = run(topped.order, [[settles(topped.order), at(9)]])
  assert.deepEqual(done.moves, ['success'])
  assert.equal(balanceOf(done.order)[0]?.held, 0n)
})

test('a refund that failed leaves its money to pay with', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
  ])
  const failed: Fact = { kind: 'refund_failed', refundId: order.refunds[0]?.id ?? '', failure: 'blocked' }
  const { moves } = run(order, [
    [failed, at(4)],
    [pays('b', DUE / 2n, at(5)), at(5)],
  ])
  assert.deepEqual(moves, ['processing'])
})

test('pushing a part to the merchant does not make the rest the payer’s again', () => {
  const part = 10_000n
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', part, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [pushed(part), at(3)],
    [pays('b', DUE - part, at(4)), at(4)],
    [confirmed('b'), at(5)],
  ])
  assert.equal(order.status, 'processing')
  assert.equal(openGross(order), DUE - part)
  assert.equal(promisedBack(order), 0n)
  const done = run(order, [[settles(order), at(6)]])
  assert.deepEqual(done.moves, ['success'])
  assert.equal(done.order.refunds.length, 0)
  assert.equal(balanceOf(done.order)[0]?.held, 0n)
})

test('where the rest cannot be settled the order fails, and a retry settles that rest alone', () => {
  const part = 10_000n
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE, at(1)), at(1)],
    [confirmed('a'), at(2)],
    [pushed(part), at(3)],
  ])
  assert.equal(openGross(order), DUE - part)
  const open = order.settlements.find((row) => row.status === 'wanted')
  const failed = run(order, [[{ kind: 'settlement_failed', settlementId: open?.id ?? '', failure: 'blocked' }, at(4)]])
  assert.deepEqual(failed.moves, ['failed'])
  const retried = run(failed.order, [[{ kind: 'settlement_retried' }, at(5)]])
  assert.deepEqual(retried.moves, ['processing'])
  assert.equal(openGross(retried.order), DUE - part)
  assert.deepEqual(run(retried.order, [[settles(retried.order), at(6)]]).moves, ['success'])
})

test('a settlement that somebody else carried out in parts is a success when it is whole', () => {
  const { order } = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [confirmed('a'), at(2)],
  ])
  const own = order.settlements[0]?.id ?? ''
  const { order: done, moves } = run(order, [
    [pushed(DUE - 10_000_000n), at(3)],
    // The rail's own transaction found the rest and reports it under the id it was given.
    [{ ...pushed(10_000_000n, '0xown'), settlementId: own } as Fact, at(4)],
  ])
  assert.deepEqual(moves, ['success'])
  assert.equal(done.amountOut, DUE)
  assert.equal(openGross(done), 0n)
})

test('a payment that returns after its order failed can be settled by a retry', () => {
  const { order } = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_orphaned', key: 'a' }, at(2)],
    [{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)],
  ])
  assert.deepEqual([order.status, order.settlements.length], ['failed', 0])
  const later = at(31 * MINUTE_MS + DAY_MS)
  const back = run(order, [
    [pays('a', DUE, at(1)), later],
    [confirmed('a'), later],
    [{ kind: 'settlement_retried' }, later],
  ])
  assert.deepEqual(back.moves, ['processing'])
  assert.equal(openGross(back.order), DUE)
})

test('returning a stray coin does not end an order whose payment a reorg took away', () => {
  const late = at(13 * 60 * MINUTE_MS)
  const later = at(13 * 60 * MINUTE_MS + 1)
  const { order } = run(pendingOrder({ legs: [leg(1, usdc, true), leg(2, usdt, true)], payLegId: 'leg_2' }), [
    [pays('stray', 1n, at(1), eth), at(1)],
    [{ kind: 'time_passed' }, late],
    [confirmed('stray'), late],
    [pays('d', DUE, at(1), usdt, 'ref.2'), later],
    [confirmed('d'), later],
  ])
  assert.equal(openGross(order), DUE)
  const reorged = run(order, [
    [{ kind: 'refund_succeeded', refundId: order.refunds[0]?.id ?? '', txHash: '0xr' }, late],
    [{ kind: 'payment_orphaned', key: 'd' }, late],
  ])
  assert.deepEqual([reorged.moves, reorged.order.status, reorged.order.detail], [[], 'processing', 'reorged'])
  const remined = { ...pays('d2', DUE, at(2), usdt, 'ref.2'), txHash: '0xd' } as Fact
  const back = run(reorged.order, [
    [remined, late],
    [confirmed('d2'), late],
  ])
  assert.equal(openGross(back.order), DUE, 'it is settled')
  assert.equal(promisedBack(back.order), 1n, 'and not given back beside that')
  assert.deepEqual(run(back.order, [[settles(back.order), late]]).moves, ['success'])
  const gone = run(reorged.order, [[{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)]])
  assert.deepEqual(gone.moves, ['failed', 'refunded'], 'what does not come back ends after a day')
  assert.equal(openGross(gone.order), 0n)
})

test('a paying transaction that never counted deep enough is waited for as well', () => {
  const { order, moves } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('stray', 1n, at(1), eth), at(1)],
    [confirmed('stray'), at(2)],
    [{ kind: 'refund_asked' }, at(3)],
    [pays('d', DUE, at(4)), at(4)],
  ])
  assert.deepEqual(moves, ['processing'])
  const back: Fact = { kind: 'refund_succeeded', refundId: order.refunds[0]?.id ?? '', txHash: '0xr' }
  const reorged = run(order, [
    [back, at(5)],
    [{ kind: 'payment_orphaned', key: 'd' }, at(6)],
  ])
  assert.deepEqual([reorged.moves, reorged.order.detail], [[], 'reorged'])
})

test('the order in a webhook is the order as it then is', () => {
  const paid = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE * 2n, at(1)), at(1)],
    [pays('w', 5n, at(1), usdt), at(1)],
    [confirmed('a'), at(2)],
    [confirmed('w'), at(2)],
  ])
  const decision = decide(paid.order, [settles(paid.order)], at(3), newId)
  assert.equal(decision.order.refunds.length, 2)
  assert.equal(decision.steps.at(-1)?.isMove, true)
  assert.deepEqual({ ...decision.steps.at(-1)?.order, lookAt: null }, { ...decision.order, lookAt: null })
})

test('rows stand in the order of their ids, as the database gives them back', () => {
  let n = 1000
  const backwards = (prefix: string): string => `${prefix}_${String(n--).padStart(8, '0')}`
  let order = pendingOrder()
  for (const key of ['a', 'b', 'c']) {
    order = decide(order, [pays(key, 1n, at(1))], at(1), backwards).order
  }
  const ids = order.payments.map((payment) => payment.id)
  assert.deepEqual(ids, [...ids].sort())
})

test('thousands of tiny payments do not make a decision slow', () => {
  const many = 20_000
  const [one] = run(pendingOrder(), [[pays('p', 1n, at(1)), at(1)]]).order.payments
  assert.ok(one)
  const payments = Array.from({ length: many }, (_, i) => ({
    ...one,
    key: `p${String(i).padStart(8, '0')}`,
    id: `pay_${String(i).padStart(8, '0')}`,
  }))
  const began = process.threadCpuUsage()
  const { order } = run(pendingOrder({ payments }), [[pays('last', DUE, at(2)), at(2)]])
  assert.equal(order.status, 'processing')
  const { user } = process.threadCpuUsage(began)
  assert.ok(user < 10_000_000, `${Math.round(user / 1_000)} ms of this thread`)
})

test('what comes in pieces goes back in few refunds, and a cent that waits holds up nobody’s money', () => {
  const cent = 30_000n
  const late = at(31 * MINUTE_MS + DAY_MS)
  const facts = Array.from({ length: 12 }, (_, n): [Fact, Date][] => [
    [pays(`c${n}`, cent, late), late],
    [confirmed(`c${n}`), late],
  ]).flat()
  const expired = run(pendingOrder({ boundTo: PAYER }), [[{ kind: 'time_passed' }, late]]).order
  let { order } = run(expired, facts)
  assert.ok(order.refunds.length <= 4, `${order.refunds.length} refunds`)
  const more = run(order, [
    [pays('much', DUE, late), late],
    [confirmed('much'), late],
  ]).order
  assert.ok((more.refunds.at(-1)?.amount ?? 0n) >= DUE, 'it does not wait for the cents')
  for (const { id } of more.refunds) {
    order = run(order, [[{ kind: 'refund_succeeded', refundId: id, txHash: `0x${id}` }, late]]).order
  }
  assert.equal(promisedBack(order), 12n * cent, 'the rest followed as one')
  assert.ok(order.refunds.length <= 5, `${order.refunds.length} refunds`)
})
