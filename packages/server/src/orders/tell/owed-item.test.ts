// Money that others moved to the merchant though it was to go back: the merchant is told once, and until it is given back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fact } from '@florin/order-model/facts'
import { decide } from '@florin/order-model/rules'
import type { LegState } from '@florin/order-model/state'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { at, DUE, leg, newId, PAYER, pays, pendingOrder, run, usdc } from '../../../test/order-state.ts'
import { lookNotice, waitingNotice } from './mails.ts'
import { owedFor, owedOver } from './owed-item.ts'

const confirmed = (key: string): Fact => ({ kind: 'payment_confirmed', key })
/** A stranger pushes what lies on the leg to the merchant. */
const pushed: Fact = {
  ...{ kind: 'settlement_final', settlementId: null, legRef: 'ref.1', txHash: '0xpush' },
  ...{ gross: DUE, fee: 0n, amountOut: DUE },
}

test('late money of no sale that others push to the merchant is owed to the payer, until the merchant gave it back', () => {
  const openAfter = String(Math.floor(at(30 * MINUTE_MS + 7 * DAY_MS).getTime() / 1000))
  const proof = { route: { openAfter } } as LegState['proof']
  const scarce = pendingOrder({ latePolicy: 'refund', legs: [{ ...leg(1, usdc, true), proof }] })
  const late = at(40 * MINUTE_MS)
  const { order } = run(scarce, [[{ kind: 'deadline_reached' }, at(30 * MINUTE_MS)]])
  const seen = decide(order, [{ ...pays('a', DUE, late), from: '0xpayer' } as Fact], late, newId)
  const needed = decide(seen.order, [confirmed('a')], late, newId)
  const asked = [...seen.attention, ...needed.attention].find((item) => item.kind === 'refund_address_needed')
  assert.equal(asked?.evidence.opens_at, new Date(Number(openAfter) * 1000).toISOString(), 'said before it happens')
  const mailed = { at: late, baseUrl: 'https://pay.shop.example' }
  assert.ok(asked !== undefined)
  assert.match(waitingNotice(order, asked, mailed).text.join('\n'), /From 2026-03-08T12:30:00\.000Z on anybody may/)
  const waiting = needed.order
  const moved = decide(waiting, [pushed], at(8 * DAY_MS), newId)
  assert.deepEqual(
    [moved.order.status, moved.order.amountOut, moved.order.refunds[0]?.status],
    ['expired', DUE, 'failed'],
  )
  assert.deepEqual(
    owedFor(waiting, moved.order).map(({ kind, actions, evidence: { amount, tx_hash, from } }) => [
      kind,
      actions,
      amount,
      tx_hash,
      from,
    ]),
    [['owed_to_payer', ['dismiss'], String(DUE), '0xpush', '0xpayer']],
  )
  const [item] = owedFor(waiting, moved.order)
  assert.ok(item !== undefined)
  assert.match(lookNotice(moved.order, item, mailed).text.join('\n'), /so you owe it[\s\S]*Amount: +50 USDC on Base/)
  // A third party carried it on: told in the coin that came, leg by leg, in words of its own.
  const route: LegState['route'] = { custody: 'third-party', reason: 'only', passed_over: [] }
  const legs = moved.order.legs.map((one) => ({ ...one, rail: 'intents', route }))
  const [carried] = owedFor(waiting, { ...moved.order, legs })
  assert.ok(carried !== undefined)
  assert.deepEqual(
    [carried.evidence.carried_by, carried.evidence.amount, carried.evidence.asset],
    ['intents', String(DUE), 'USDC'],
  )
  assert.match(
    lookNotice(moved.order, carried, mailed).text.join('\n'),
    /a third\s+party[\s\S]*so you owe it[\s\S]*Paid: +50 USDC on Base came/,
  )
  const sale = { ...moved.order, status: 'success' } as const
  assert.deepEqual(owedFor(waiting, sale), [], 'what pays the order is the merchant’s')
  const again = decide(moved.order, [{ kind: 'time_passed' }], at(9 * DAY_MS), newId)
  assert.deepEqual(owedFor(moved.order, again.order), [], 'told once')

  const ask: Fact = {
    kind: 'own_refund_asked',
    asset: usdc,
    amount: DUE,
    address: PAYER,
    reason: null,
    mayExceed: false,
  }
  const requested = decide(moved.order, [ask], at(9 * DAY_MS), newId)
  assert.deepEqual(owedOver(moved.order, requested.order), [])
  const refundId = requested.order.ownRefunds[0]?.id ?? ''
  const sent = { sender: '0xmerchant', sentFrom: 'own' as const }
  const record: Fact = { kind: 'own_refund_recorded', refundId, txHash: '0xback', key: 'k', ...sent }
  const back = decide(requested.order, [record], at(9 * DAY_MS), newId)
  assert.deepEqual(
    owedOver(requested.order, back.order).map(({ kind }) => kind),
    ['owed_to_payer'],
  )
  assert.equal(back.order.status, 'expired')
})
