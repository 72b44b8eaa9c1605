// What an order says and does while something final is off the chain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf } from '../../server/src/attention/words.ts'
import { at, DUE, newId, PAYER, pays, pendingOrder, run, settles, start } from '../../server/test/order-state.ts'
import { balanceOf } from './balance.ts'
import type { Fact } from './facts.ts'
import { isOfWhatIsGone, refundableByMerchant } from './own-refunds.ts'
import { type Decision, decide } from './rules.ts'
import type { OrderState } from './state.ts'

const EXTRA = DUE / 2n

function paid(amount = DUE): OrderState {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', amount, at(1)), start],
    [{ kind: 'payment_confirmed', key: 'a' }, start],
  ])
  return run(order, [[settles(order), start]]).order
}

const left: Fact = { kind: 'settlement_left', legRef: 'ref.1', txHash: '0xsettle' }

function changed(order: OrderState, fact: Fact): Decision {
  const decision = decide(order, [fact], at(5), newId)
  assert.notEqual(decision.order, order, String(decision.ignored))
  return decision
}

const final = (order: OrderState, fields: object = {}): Fact => ({
  ...{ kind: 'settlement_final', settlementId: order.settlements[0]?.id ?? '', legRef: 'ref.1', txHash: '0xsettle' },
  ...{ gross: DUE, fee: DUE / 100n, amountOut: DUE - DUE / 100n },
  ...fields,
})

test('a payment that was the settlement itself is nobody’s here to offer again, and people are told so', () => {
  const { order } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE, at(1)), start],
    [{ kind: 'payment_confirmed', key: 'a' }, start],
  ])
  const txHash = order.payments[0]?.txHash ?? ''
  const settled = run(order, [[final(order, { txHash }), start]]).order
  const { order: gone, attention } = changed(settled, { kind: 'settlement_left', legRef: 'ref.1', txHash })
  assert.deepEqual([gone.status, gone.detail], ['success', 'reorged'])
  const [item] = attention
  const text = sentenceOf(item?.kind ?? '', item?.evidence ?? {})
  assert.match(text, /the payer's own transaction.*spent elsewhere/)
  assert.doesNotMatch(text, /is offered again/)
})

test('what left the chain is nothing that the merchant could give back, until it is there again', () => {
  const success = paid()
  const { order: gone } = changed(success, left)
  const got = success.amountOut ?? 0n
  assert.deepEqual([refundableByMerchant(success), refundableByMerchant(gone)], [got, 0n])
  const asked = (amount: bigint, mayExceed = false): Fact => ({
    ...{ kind: 'own_refund_asked', asset: success.settle, amount, address: PAYER, reason: null, mayExceed },
  })
  for (const amount of [refundableByMerchant(gone), 1n, got]) {
    const refused = decide(gone, [asked(amount)], at(6), newId)
    assert.match(refused.ignored[0] ?? '', /chain dropped/, `${amount}`)
  }
  assert.notEqual(decide(gone, [asked(got, true)], at(6), newId).order, gone, 'who insists may')
  const { order: back } = changed(gone, final(gone))
  assert.notEqual(decide(back, [asked(got)], at(7), newId).order, back)
  // One that was asked for before, and is not paid yet.
  const early = changed(success, asked(got)).order
  const late = changed(early, left).order
  const isGone = (order: OrderState): boolean[] => order.ownRefunds.map((row) => isOfWhatIsGone(order, row))
  assert.deepEqual([early, late, changed(late, final(late)).order].flatMap(isGone), [false, true, false])
})

test('a success stays one while its settlement is off the chain, and says so until it is back', () => {
  const success = paid()
  const { order: gone, attention, steps } = changed(success, left)
  assert.deepEqual([gone.status, gone.detail], ['success', 'settlement_left_the_chain'])
  assert.ok(
    steps.every((step) => !step.isMove),
    'no event: nothing is taken back',
  )
  assert.deepEqual([gone.amountOut, gone.settleTxHash], [success.amountOut, '0xsettle'])
  assert.deepEqual(
    balanceOf(gone).map((line) => [line.received, line.settled, line.held]),
    [[DUE, 0n, DUE]],
  )
  assert.deepEqual(gone.refunds, [], 'its money waits for the merchant, it does not go back to the payer')
  assert.deepEqual(
    attention.map(({ kind, evidence }) => [kind, evidence.tx_hash]),
    [['settlement_left_the_chain', '0xsettle']],
  )
  assert.equal(decide(gone, [left], at(6), newId).order, gone, 'told once')

  const sent = changed(gone, {
    kind: 'settlement_broadcast',
    settlementId: gone.settlements[0]?.id ?? '',
    txHash: '0xb',
  })
  assert.deepEqual([sent.order.detail, sent.order.settleTxHash], ['settlement_left_the_chain', '0xb'])
  const { order: back } = changed(sent.order, final(gone, { txHash: '0xb' }))
  assert.deepEqual([back.status, back.detail, back.settleTxHash], ['success', 'paid', '0xb'])
  assert.deepEqual(
    back.settlements.map((row) => [row.status, row.leftAt]),
    [['final', null]],
  )
})

test('a payment that left with its settlement comes back as another one, and pays once', () => {
  let { order } = changed(paid(), left)
  order = changed(order, { kind: 'payment_orphaned', key: 'a' }).order
  assert.deepEqual(
    balanceOf(order).map((line) => [line.received, line.held]),
    [],
  )
  order = changed(order, pays('b', DUE, at(6))).order
  order = changed(order, { kind: 'payment_confirmed', key: 'b' }).order
  assert.deepEqual(order.refunds, [], 'it is the payment, not a second one')
  order = changed(order, final(order)).order
  assert.deepEqual([order.status, order.detail, order.refunds], ['success', 'paid', []])
  assert.equal(balanceOf(order)[0]?.held, 0n)
})

test('a settlement that cannot be sent again keeps its money for the merchant, and an operator may retry it', () => {
  const { order: gone } = changed(paid(), left)
  const id = gone.settlements[0]?.id ?? ''
  const { order: lost, attention } = changed(gone, { kind: 'settlement_failed', settlementId: id, failure: 'blocked' })
  assert.deepEqual([lost.status, lost.detail, lost.refunds], ['success', 'settlement_left_the_chain', []])
  assert.deepEqual(
    attention.map((item) => [item.kind, item.evidence.failure, item.actions]),
    [['settlement_left_the_chain', 'blocked', ['retry-settlement', 'dismiss']]],
  )
  const { order: again } = changed(lost, { kind: 'settlement_retried' })
  const wanted = again.settlements.filter((row) => row.status === 'wanted')
  assert.deepEqual(
    wanted.map((row) => [row.gross, row.id === id]),
    [[DUE, false]],
  )
  const { order: back } = changed(again, final(again, { settlementId: wanted[0]?.id, txHash: '0xc' }))
  assert.deepEqual([back.detail, balanceOf(back)[0]?.held], ['paid', 0n])
})

test("a third party's settlement that leaves before the order is a success leaves it as it was", () => {
  const { order: partly } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE / 2n, at(1)), start],
    [{ kind: 'payment_confirmed', key: 'a' }, start],
  ])
  const pushed = changed(partly, {
    ...{ kind: 'settlement_final', settlementId: null, legRef: 'ref.1', txHash: '0xsettle' },
    ...{ gross: DUE / 2n, fee: 0n, amountOut: DUE / 2n },
  }).order
  const { order: gone } = changed(pushed, left)
  assert.deepEqual([gone.status, gone.amountOut, balanceOf(gone)[0]?.held], ['pending', null, DUE / 2n])
  const whole = run(gone, [
    [pays('b', DUE / 2n, at(6)), at(6)],
    [{ kind: 'payment_confirmed', key: 'b' }, at(6)],
  ]).order
  assert.equal(whole.status, 'processing')
  assert.deepEqual(
    whole.settlements.filter((row) => row.status === 'wanted').map((row) => row.gross),
    [DUE],
  )
})

test('a refund that left is on its way again and is made once', () => {
  const over = paid(DUE + EXTRA)
  const refundId = over.refunds[0]?.id ?? ''
  const made = changed(over, { kind: 'refund_succeeded', refundId, txHash: '0xr' }).order
  assert.equal(balanceOf(made)[0]?.held, 0n)
  const { order: gone, attention } = changed(made, { kind: 'refund_left', legRef: 'ref.1', txHash: '0xr' })
  assert.deepEqual([gone.status, gone.detail, gone.refunds.length], ['success', 'refund_left_the_chain', 1])
  assert.deepEqual(
    attention.map((item) => item.kind),
    ['refund_left_the_chain'],
  )
  const { order: back } = changed(gone, { kind: 'refund_succeeded', refundId, txHash: '0xr' })
  assert.deepEqual([back.detail, balanceOf(back)[0]?.held, back.refunds[0]?.leftAt], ['overpaid', 0n, null])
})

test('a refund that a wallet sent is offered again by nobody, and the merchant is told what to do', () => {
  const over = paid(DUE + EXTRA)
  const toWallet = { ...over, legs: over.legs.map((leg) => ({ ...leg, settleAddress: leg.address })) }
  const said = [over, toWallet].map((order) => {
    const refundId = order.refunds[0]?.id ?? ''
    const made = changed(order, { kind: 'refund_succeeded', refundId, txHash: '0xr' }).order
    const [item] = changed(made, { kind: 'refund_left', legRef: 'ref.1', txHash: '0xr' }).attention
    return sentenceOf(item?.kind ?? '', item?.evidence ?? {})
  })
  assert.match(said[0] ?? '', /offered again/)
  assert.match(said[1] ?? '', /Look in your wallet.*send the same amount to that address once more/)
  assert.doesNotMatch(said[1] ?? '', /offered again/)
})

test('a refund and its payment that left together wait for each other', () => {
  const { order: canceled } = run(pendingOrder({ boundTo: PAYER, canceled: true, status: 'expired' }), [
    [pays('a', DUE, at(1)), start],
    [{ kind: 'payment_confirmed', key: 'a' }, start],
  ])
  const refundId = canceled.refunds[0]?.id ?? ''
  let order = changed(canceled, { kind: 'refund_succeeded', refundId, txHash: '0xr' }).order
  assert.equal(order.status, 'refunded')
  order = changed(order, { kind: 'refund_left', legRef: 'ref.1', txHash: '0xr' }).order
  order = changed(order, { kind: 'payment_orphaned', key: 'a' }).order
  assert.deepEqual([order.status, order.refunds[0]?.status], ['refunded', 'sending'])
  order = changed(order, pays('b', DUE, at(6))).order
  order = changed(order, { kind: 'payment_confirmed', key: 'b' }).order
  assert.equal(order.refunds.length, 1, 'no second refund')
  order = changed(order, { kind: 'refund_succeeded', refundId, txHash: '0xr' }).order
  assert.deepEqual([order.status, order.detail, balanceOf(order)[0]?.held], ['refunded', 'refunded', 0n])
})

test('an excess whose payment left the chain and came back is owed again, and somebody is told or asked', () => {
  // The payment is the settlement.
  const { order: seen } = run(pendingOrder({ boundTo: PAYER }), [
    [pays('a', DUE + EXTRA, at(1)), start],
    [{ kind: 'payment_confirmed', key: 'a' }, start],
  ])
  const txHash = seen.payments[0]?.txHash ?? ''
  const rich = run(seen, [[final(seen, { txHash }), start]]).order
  const [refund] = rich.refunds
  assert.deepEqual([refund?.status, refund?.amount], ['sending', EXTRA])
  const gone = (order: OrderState): Decision =>
    changed(changed(order, { kind: 'settlement_left', legRef: 'ref.1', txHash }).order, {
      ...{ kind: 'payment_orphaned', key: 'a' },
    })
  const back = (order: OrderState): { order: OrderState; told: string[] } => {
    const there = changed(order, pays('a', DUE + EXTRA, at(1)))
    const settled = changed(there.order, final(order, { txHash }))
    const all = changed(settled.order, { kind: 'payment_confirmed', key: 'a' })
    return { order: all.order, told: [there, settled, all].flatMap((step) => step.attention.map(({ kind }) => kind)) }
  }
  // A rail may have sent it: a person looks, once it is owed again.
  const lost = gone(rich)
  assert.deepEqual(
    lost.attention.filter(({ kind }) => kind === 'refund_failed'),
    [],
  )
  const owed = back(lost.order)
  assert.deepEqual([owed.order.refunds.map(({ status }) => status), owed.told], [['failed'], ['refund_failed']])
  // The merchant's own wallet was to pay it, and had not: it is asked for anew.
  const asked = changed(rich, { kind: 'refund_proposed', refundId: refund?.id ?? '', txHash: null }).order
  assert.equal(asked.refunds[0]?.status, 'proposed')
  const again = back(gone(asked).order)
  assert.deepEqual(
    again.order.refunds.map(({ status, amount, address }) => [status, amount, address]),
    [
      ['failed', EXTRA, PAYER],
      ['sending', EXTRA, PAYER],
    ],
  )
  assert.deepEqual(again.told, [])
  // The wallet had paid the first one after all: the second is withdrawn.
  const both = changed(again.order, { kind: 'refund_succeeded', refundId: refund?.id ?? '', txHash: '0xback' })
  assert.deepEqual(
    both.order.refunds.map(({ status }) => status),
    ['succeeded', 'failed'],
  )
  assert.equal(balanceOf(both.order)[0]?.held, 0n)
})
