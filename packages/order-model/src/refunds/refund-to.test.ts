// Where money goes back to, and who may say so: what was bound before paying, the browser that paid, the wallet that
// paid as far as it paid, the merchant (docs/decisions/0020-refund-address.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, DUE, leg, newId, PAYER, pays, pendingOrder, run, settles, usdc } from '../../../server/test/order-state.ts'
import { balanceOf } from '../balance.ts'
import type { Fact } from '../facts.ts'
import { decide } from '../rules.ts'
import type { LegState, OrderState } from '../state.ts'

const [BOUND, NAMED, GIVEN, SIGNED] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  PAYER,
] as const

const paidBy = (key: string, amount: bigint, from: string): Fact => ({ ...pays(key, amount, at(1)), from }) as Fact
const confirmed = (key: string): Fact => ({ kind: 'payment_confirmed', key })

/** Settled, with so much too much of it that waits, or is on its way, to go back. */
function overpaid(of: Partial<LegState>, order: Partial<OrderState> = {}, facts: Fact[] = []): OrderState {
  const paying = facts.length > 0 ? facts : [paidBy('a', 2n * DUE, '0xaa')]
  const keys = paying.flatMap((fact) => (fact.kind === 'payment_seen' ? [fact.key] : []))
  const { order: paid } = run(pendingOrder({ ...order, legs: [{ ...leg(1, usdc, true), ...of }] }), [
    ...paying.map((fact): [Fact, Date] => [fact, at(1)]),
    ...keys.map((key): [Fact, Date] => [confirmed(key), at(2)]),
  ])
  return run(paid, [[settles(paid), at(3)]]).order
}

const told = (order: OrderState, ...facts: Fact[]): OrderState =>
  run(
    order,
    facts.map((fact): [Fact, Date] => [fact, at(9)]),
  ).order

const signedBy = (from: string): Fact => ({ kind: 'refund_address_signed', legId: 'leg_1', from, address: SIGNED })

const shown = (order: OrderState) => order.refunds.map(({ amount, status, address }) => [amount, status, address])
const asNumbers = (order: OrderState) => order.refunds.map(({ amount, status }) => [Number(amount), status])

test('what was bound goes before what was named; nothing known, it waits', () => {
  const [bound, named] = [{ boundRefundAddress: BOUND }, { refundAddress: NAMED }]
  assert.deepEqual(shown(overpaid({ ...bound, ...named })), [[DUE, 'sending', BOUND]])
  assert.deepEqual(shown(overpaid(named)), [[DUE, 'sending', NAMED]])
  assert.deepEqual(shown(overpaid({})), [[DUE, 'waiting', null]])
  assert.deepEqual(shown(overpaid({ refundAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' })), [
    [DUE, 'waiting', null],
  ])
})

test('the browser that holds the leg names the address, once; another one names nothing', () => {
  const waiting = overpaid({ holder: 'hash of a browser' })
  const named = (holder: string, address: string): Fact => ({ kind: 'refund_address_named', holder, address })
  assert.deepEqual(shown(told(waiting, named('hash of another', NAMED))), [[DUE, 'waiting', null]])
  const done = told(waiting, named('hash of a browser', NAMED), named('hash of a browser', GIVEN))
  assert.deepEqual(shown(done), [[DUE, 'sending', NAMED]])
  assert.deepEqual(shown(told(overpaid({}), named('hash of a browser', NAMED))), [[DUE, 'waiting', null]])
})

test('the merchant gives one address for one refund: not over, not on another chain, not for money that comes later', () => {
  const waiting = overpaid({})
  const given = (address: string, refundId = waiting.refunds[0]?.id ?? ''): Fact => ({
    kind: 'refund_address_given',
    ...{ refundId, address },
  })
  const onBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  assert.deepEqual(shown(told(waiting, given(onBitcoin), given(NAMED, 'ref_none'))), [[DUE, 'waiting', null]])
  const once = told(waiting, given(GIVEN), given(NAMED))
  assert.deepEqual(shown(once), [[DUE, 'sending', GIVEN]])
  const later = told(once, paidBy('c', 7_000_000n, '0xcc'), confirmed('c'))
  assert.deepEqual(shown(later), [[DUE, 'sending', GIVEN]], 'what is less follows it')
  const done = told(later, { kind: 'refund_succeeded', refundId: once.refunds[0]?.id ?? '', txHash: '0xr' })
  assert.deepEqual(shown(done), [
    [DUE, 'succeeded', GIVEN],
    [7_000_000n, 'waiting', null],
  ])
})

test('a request shows each refund with its payers, the largest first, and no dust hides one', () => {
  const dust = [1n, 2n, 3n, 4n, 5n, 6n].map((n) => paidBy(`d${n}`, n, `0xd${n}`))
  const order = overpaid({}, {}, [paidBy('a', 2n * DUE, '0xaa'), ...dust])
  const asked = decide(order, [{ kind: 'refund_address_asked', address: GIVEN }], at(9), newId)
  assert.deepEqual(
    asked.attention.map(({ evidence }) => [evidence.refund, evidence.amount, evidence.from]),
    [[order.refunds[0]?.id, String(DUE + 21n), '0xaa 0xd6 0xd5 0xd4 0xd3 and 2 more']],
  )
})

test('a wallet takes back what it sent and no more, however often it signs', () => {
  const waiting = overpaid({}, {}, [paidBy('a', DUE + 30n * 1_000_000n, '0xAA'), paidBy('b', 5_000_000n, '0xbb')])
  assert.deepEqual(asNumbers(waiting), [[35_000_000, 'waiting']])
  const small = told(waiting, signedBy('0xBB'))
  assert.deepEqual(asNumbers(small), [
    [5_000_000, 'sending'],
    [30_000_000, 'waiting'],
  ])
  assert.deepEqual(asNumbers(told(small, signedBy('0xbb'))), asNumbers(small), 'it has had what it sent')
  assert.deepEqual(asNumbers(told(small, signedBy('0xcc'))), asNumbers(small))
  assert.deepEqual(asNumbers(told(small, signedBy('0xaa'))), [
    [5_000_000, 'sending'],
    [30_000_000, 'sending'],
  ])
})

test('the merchant’s word about one refund sends that one, whatever else waits', () => {
  const cent = overpaid({})
  // More than what waits already: it waits beside it.
  const both = told(cent, paidBy('b', 3n * DUE, '0xbb'), confirmed('b'))
  assert.deepEqual(asNumbers(both), [
    [Number(DUE), 'waiting'],
    [3 * Number(DUE), 'waiting'],
  ])
  const [first] = both.refunds
  const given = told(both, { kind: 'refund_address_given', refundId: first?.id ?? '', address: GIVEN })
  assert.deepEqual(shown(given), [
    [DUE, 'sending', GIVEN],
    [3n * DUE, 'waiting', null],
  ])
})

test('money that comes while a refund waits has a refund of its own, whose payer signs for it', () => {
  const waiting = overpaid({}, {}, [paidBy('a', 2n * DUE, '0xaa')])
  const later = told(waiting, paidBy('b', 1_000_000n, '0xbb'), confirmed('b'))
  assert.deepEqual(asNumbers(later), [
    [Number(DUE), 'waiting'],
    [1_000_000, 'waiting'],
  ])
  assert.deepEqual(asNumbers(told(later, signedBy('0xBB'))), [
    [Number(DUE), 'waiting'],
    [1_000_000, 'sending'],
  ])
})

test('of the many refunds that wait only the first ten keep no money back', () => {
  let order = overpaid({})
  for (let n = 0; n < 30; n++) order = told(order, paidBy(`c${n}`, 50_000n, `0xc${n}`), confirmed(`c${n}`))
  assert.equal(order.refunds.length, 10)
  const large = told(order, paidBy('b', 2n * DUE, '0xbb'), confirmed('b'))
  assert.deepEqual(shown(large).at(-1), [2n * DUE + 21n * 50_000n, 'waiting', null])
})

test('who paid the order signs for nothing of what another wallet paid too much', () => {
  const two = overpaid({}, {}, [paidBy('a', DUE, '0xaa'), paidBy('b', 9_000_000n, '0xbb')])
  assert.deepEqual(asNumbers(two), [[9_000_000, 'waiting']])
  assert.deepEqual(asNumbers(told(two, signedBy('0xaa'))), [[9_000_000, 'waiting']])
  assert.deepEqual(asNumbers(told(two, signedBy('0xbb'))), [[9_000_000, 'sending']])
  // One wallet's payment pays and is too much: it gets back what it sent beyond the rest of the price.
  const both = overpaid({}, {}, [paidBy('a', DUE - 5_000_000n, '0xaa'), paidBy('b', 14_000_000n, '0xbb')])
  assert.deepEqual(asNumbers(told(both, signedBy('0xaa'))), [[9_000_000, 'waiting']])
  assert.deepEqual(asNumbers(told(both, signedBy('0xbb'))), [[9_000_000, 'sending']])
})

test('a wallet whose refund the merchant approved signs for nobody else’s', () => {
  const first = overpaid({}, {}, [paidBy('a', 2n * DUE, '0xaa')])
  const given = told(first, { kind: 'refund_address_given', refundId: first.refunds[0]?.id ?? '', address: GIVEN })
  const later = told(given, paidBy('b', 2n * DUE, '0xbb'), confirmed('b'), signedBy('0xaa'))
  assert.deepEqual(shown(later), [
    [DUE, 'sending', GIVEN],
    [2n * DUE, 'waiting', null],
  ])
})

test('a signature moves no share, and leaves no rest, that costs more to send than it is worth', () => {
  const dust = Array.from({ length: 12 }, (_, n) => paidBy(`d${n}`, 1n, `0xd${n}`))
  const order = overpaid({}, {}, [paidBy('a', 2n * DUE, '0xaa'), ...dust])
  const refused = decide(order, [signedBy('0xd3')], at(9), newId)
  assert.deepEqual(refused.ignored, ['what came from this wallet is below the cost of sending it back'])
  const signed = told(order, ...dust.map((_, n) => signedBy(`0xd${n}`)), signedBy('0xaa'))
  assert.deepEqual(shown(signed), [[DUE, 'sending', SIGNED]])
  assert.deepEqual(
    balanceOf(signed).map(({ held, heldBelowCost }) => [held - DUE, heldBelowCost]),
    [[12n, 0n]],
  )
  const sent = told(signed, { kind: 'refund_succeeded', refundId: order.refunds[0]?.id ?? '', txHash: '0xr' })
  assert.deepEqual(
    balanceOf(sent).map(({ held, heldBelowCost }) => [held, heldBelowCost]),
    [[12n, 12n]],
  )
})
