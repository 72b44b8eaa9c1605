// What people are told of an order: an item ends when its reason does, offers only what is worth doing, and names whom it is about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { at, DUE, eth, newId, PAYER, pays, pendingOrder, run, usdc } from '../../../server/test/order-state.ts'
import type { Fact } from '../facts.ts'
import { decide } from '../rules.ts'
import type { OrderState, RefundState } from '../state.ts'
import { paidBy } from './item.ts'
import { attentionOver } from './over.ts'

const refund = (more: Partial<RefundState> = {}): RefundState => ({
  ...{
    ...usdc,
    id: 'ref_1',
    legId: 'leg_1',
    status: 'failed',
    reason: 'late',
    amount: DUE,
    address: PAYER,
    txHash: null,
  },
  ...{ createdAt: at(2 * MINUTE_MS), failure: 'no gas', signedBy: null, parts: null, leftAt: null, ...more },
})

test('a refund that failed and then was made is no item any more', () => {
  const before = pendingOrder({ refunds: [refund()] })
  const after = { ...before, refunds: [refund({ status: 'succeeded', failure: null, txHash: '0xr' })] }
  assert.deepEqual(
    attentionOver(before, after).map(({ cause }) => cause),
    ['refunded_more_than_received:ref_1', 'refund_failed:ref_1'],
  )
  assert.deepEqual(attentionOver(before, before), [])
})

test('another coin is offered to be sent back only where that is worth its cost', () => {
  const actions = (amount: bigint): readonly string[] | undefined => {
    const fact: Fact = { ...pays('a', amount, at(1), eth), floor: 10n } as Fact
    const decision = decide(pendingOrder({ boundTo: PAYER }), [fact], at(1), newId)
    return decision.attention.find(({ kind }) => kind === 'wrong_asset')?.actions
  }
  assert.deepEqual([actions(10n), actions(11n)], [['dismiss'], ['refund', 'dismiss']])
})

test('who paid after a refund was promised is not named as the one whose money it is', () => {
  const from = (order: OrderState): string | null => paidBy(order, refund()).from
  const { order } = run(pendingOrder(), [
    [{ ...pays('a', DUE, at(1)), from: '0xpayer' } as Fact, at(1)],
    [{ ...pays('b', DUE, at(3 * MINUTE_MS)), from: '0xlater' } as Fact, at(3 * MINUTE_MS)],
  ])
  assert.equal(order.payments.length, 2)
  assert.equal(from(order), '0xpayer')
})

test('what was announced in time keeps an order open, and what was announced after it does not', () => {
  const announced = (ms: number): Fact => ({
    ...{ kind: 'payment_unconfirmed', key: 'a', legRef: 'ref.1', txHash: '0xa', outputIndex: 0, asset: usdc },
    ...{ amount: DUE, from: null, seenAt: at(ms) },
  })
  const after = (ms: number, order = pendingOrder(), ...more: [Fact, Date][]): string => {
    const facts: [Fact, Date][] = [
      [announced(ms), at(ms)],
      [{ kind: 'time_passed' }, at(40 * MINUTE_MS)],
    ]
    return run(order, [...facts, ...more]).order.status
  }
  assert.deepEqual([after(29 * MINUTE_MS), after(31 * MINUTE_MS)], ['pending', 'expired'])
  // A stock is not held for a day by a transaction that may never confirm; what comes after all buys nothing.
  const fromStock: OrderState = { ...pendingOrder(), paymentLinkId: 'plk_1', latePolicy: 'refund' }
  assert.equal(after(29 * MINUTE_MS, fromStock), 'expired')
  const confirmed: [Fact, Date] = [pays('a', DUE, at(29 * MINUTE_MS)), at(50 * MINUTE_MS)]
  assert.equal(after(29 * MINUTE_MS, fromStock, confirmed), 'expired')
})
