// Refunds that the chain shows and no rail knows: what was due is that refund, and people hear of what was not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  at,
  DUE,
  newId,
  PAYER,
  pays,
  pendingOrder,
  run,
  settles,
  start,
  usdc,
} from '../../../server/test/order-state.ts'
import type { Fact } from '../facts.ts'
import { decide } from '../rules.ts'
import type { OrderState } from '../state.ts'

const X = 7_000_000n
const Y = 3_000_000n

const shown = (amount: bigint, fields: object = {}): Fact => ({
  ...{
    kind: 'refunded_by_others',
    legRef: 'ref.1',
    txHash: `0x${amount}`,
    asset: usdc,
    amount,
    to: PAYER,
    isOpen: false,
  },
  ...fields,
})

/** All of it has come and is confirmed. */
function holding(amounts: readonly bigint[], order = pendingOrder({ boundTo: PAYER })): OrderState {
  return amounts.reduce(
    (held, amount) =>
      run(held, [
        [pays(`p${amount}`, amount, at(1)), start],
        [{ kind: 'payment_confirmed', key: `p${amount}` }, start],
      ]).order,
    order,
  )
}

function settled(...more: bigint[]): OrderState {
  const paid = holding([DUE])
  return holding(more, run(paid, [[settles(paid), start]]).order)
}

function after(order: OrderState, fact: Fact): { order: OrderState; kinds: string[] } {
  const decision = decide(order, [fact], at(5), newId)
  const kinds = decision.attention.map(({ kind }) => kind)
  return { order: decision.order, kinds }
}

test('refunds: the chain shows one that is due → it is that one, and no alarm', () => {
  const order = settled(X)
  const { order: done, kinds } = after(order, shown(X))
  assert.deepEqual(
    done.refunds.map(({ id, status, reason, txHash }) => [id, status, reason, txHash]),
    [[order.refunds[0]?.id, 'succeeded', 'excess', `0x${X}`]],
  )
  assert.deepEqual([kinds, done.detail], [[], 'overpaid'])
  const again = decide(done, [shown(X)], at(6), newId)
  assert.deepEqual([again.order, again.attention], [done, []])
})

test('refunds: the chain shows other amounts than are due → the rest and what comes later go back', () => {
  const order = settled(X + Y)
  const part = after(order, shown(X))
  assert.deepEqual(part.kinds, [])
  assert.deepEqual(
    part.order.refunds.map(({ amount, status, reason }) => [amount, status, reason]).toSorted(),
    [
      [X + Y, 'failed', 'excess'],
      [X, 'succeeded', 'excess'],
      [Y, 'sending', 'excess'],
    ].toSorted(),
  )
  const whole = after(part.order, shown(Y)).order
  assert.equal(whole.detail, 'overpaid')
  const seen = decide(whole, [pays('late', X, at(9))], at(9), newId)
  assert.equal(seen.order.detail, 'overpaid', 'a refund whose money another one returned did not fail')
  const { order: later } = after(seen.order, { kind: 'payment_confirmed', key: 'late' })
  assert.deepEqual(
    later.refunds.filter(({ status }) => status === 'sending').map(({ amount }) => amount),
    [X],
  )
})

test('refunds: announced before a restore and carried out after it → a part of what is due, and no alarm', () => {
  const elsewhere = '0x2222222222222222222222222222222222222222'
  const older = (amount: bigint): Fact => ({
    ...{ kind: 'alarm_raised', what: 'refund_announced_not_asked_for', chain: 'base', token: usdc.contract },
    ...{ amount, to: elsewhere, txHash: '0xannounced', why: null, isOlder: true },
  })
  const paid = holding([DUE], pendingOrder({}))
  const order = holding([X, Y], run(paid, [[settles(paid), start]]).order)
  const [first, second] = order.refunds
  assert.ok(first && second && order.refunds.every((row) => row.status === 'waiting' && row.address === null))
  for (const amount of [X, Y, X + Y]) assert.deepEqual(after(order, older(amount)).kinds, [], `${amount}`)
  assert.deepEqual(after(order, older(X + Y + 1n)).kinds, ['refund_announced_not_asked_for'])
  assert.deepEqual(after(holding([DUE]), older(DUE)).kinds, ['refund_announced_not_asked_for'], 'it is the merchant’s')
  // Approved meanwhile: it keeps its money.
  const approved = { ...second, address: PAYER, status: 'sending' as const }
  const asked = { ...order, refunds: [first, approved] }
  const part = after(asked, shown(X - 1_000_000n, { to: elsewhere, wasAnnounced: true }))
  assert.deepEqual(part.kinds, [])
  assert.deepEqual(
    part.order.refunds
      .map(({ id, amount, status, reason, address }) => [id, amount, status, reason, address])
      .slice(0, 2),
    [
      [first.id, X - 1_000_000n, 'succeeded', 'excess', elsewhere],
      [approved.id, Y, 'sending', 'excess', PAYER],
    ],
  )
  const whole = after(asked, shown(X, { to: elsewhere, wasAnnounced: true }))
  assert.deepEqual([whole.kinds, whole.order.refunds.map(({ status }) => status)], [[], ['succeeded', 'sending']])
})

test('refunds: what was the merchant’s, or went elsewhere, is shown → booked, with an alarm', () => {
  const thief = '0x1111111111111111111111111111111111111111'
  const cases: [name: string, order: OrderState, fact: Fact][] = [
    ['paid in full, and to be settled', holding([DUE]), shown(DUE)],
    ['a part of it', holding([DUE]), shown(X)],
    ['to another address', settled(X), shown(X, { to: thief })],
  ]
  for (const [name, order, fact] of cases)
    assert.deepEqual(
      after(order, fact).kinds.filter((kind) => kind === 'refund_not_asked_for'),
      ['refund_not_asked_for'],
      name,
    )
  // Anybody could send it then.
  assert.deepEqual(after(holding([X]), shown(X, { isOpen: true })).kinds, ['returned_by_others'])
  const announced = (to: string): Fact => ({
    ...{ kind: 'alarm_raised', what: 'refund_announced_not_asked_for', chain: 'base', token: usdc.contract },
    ...{ amount: X, to, txHash: '0xannounced', why: null },
  })
  const order = settled(X)
  const given = { ...order, legs: order.legs.map((leg) => ({ ...leg, refundAddress: PAYER })) }
  assert.deepEqual(after(given, announced(thief)).kinds, ['refund_announced_not_asked_for'])
  assert.deepEqual(after(given, announced(PAYER.toLowerCase())).kinds, [], 'it was to go there')
})

test('refunds: after the settlement more comes than sending it back costs → it goes back, below dust too', () => {
  const order = settled()
  const { dust = 0n } = order.legs[0] ?? {}
  const kept = holding([dust / 2n], order)
  assert.deepEqual([kept.refunds, kept.detail], [[], 'paid'])
  const [row, ...others] = holding([dust / 2n + 1n], order).refunds
  assert.deepEqual([row?.amount, row?.status, row?.reason, others], [dust / 2n + 1n, 'sending', 'excess', []])
})

test('refunds: one left with its payment, and less is paid again → that goes back, and the first counts if it returns', () => {
  const order = settled(X)
  const id = order.refunds[0]?.id ?? ''
  const facts = (...more: Fact[]): [Fact, Date][] => more.map((fact) => [fact, at(7)])
  const gone = run(
    order,
    facts(
      { kind: 'refund_succeeded', refundId: id, txHash: '0xback' },
      { kind: 'refund_left', legRef: 'ref.1', txHash: '0xback' },
      { kind: 'payment_orphaned', key: `p${X}` },
    ),
  ).order
  assert.deepEqual([gone.detail, gone.refunds.map(({ status }) => status)], ['refund_left_the_chain', ['sending']])
  // Too little to be sent back says nothing of the refund.
  assert.equal(holding([1n], gone).detail, 'refund_left_the_chain')
  const less = holding([Y], gone)
  const shownOf = (one: OrderState) => one.refunds.map(({ amount, status }) => [amount, status]).toSorted()
  assert.deepEqual(
    [less.detail, shownOf(less)],
    [
      'refunding',
      [
        [X, 'failed'],
        [Y, 'sending'],
      ].toSorted(),
    ],
  )
  const second = less.refunds.find(({ status }) => status === 'sending')?.id ?? ''
  const ended = run(less, facts({ kind: 'refund_succeeded', refundId: second, txHash: '0xless' })).order
  assert.equal(ended.detail, 'overpaid')
  const back = run(
    ended,
    facts(
      pays(`p${X}`, X, at(8)),
      { kind: 'payment_confirmed', key: `p${X}` },
      { kind: 'refund_succeeded', refundId: id, txHash: '0xback' },
    ),
  ).order
  assert.deepEqual(
    shownOf(back).filter(([, status]) => status === 'succeeded'),
    [
      [X, 'succeeded'],
      [Y, 'succeeded'],
    ].toSorted(),
  )
})
