// Promises of the buttons: what the table of contract.md 4.3 allows is offered, what it forbids is not, and says why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Order, simulateActions } from '@florin/protocol'
import { mayRetry, offeredActs, simulationSteps } from './acts.ts'

type Facts = Parameters<typeof offeredActs>[0]
const payment = (status: 'detected' | 'confirmed' | 'orphaned') => ({ status }) as Order['payments'][number]
const line = (held: string, held_below_cost = '0') =>
  ({ received: held, held, held_below_cost }) as Order['balance'][number]
const order = (over: Partial<Facts>): Facts => ({
  status: 'pending',
  status_detail: 'awaiting_payment',
  payments: [],
  refunds: [],
  balance: [],
  pay: null,
  livemode: false,
  ...over,
})
const possible = (over: Partial<Facts>) =>
  simulationSteps(order(over)).flatMap((step) => (step.why === null ? [step.action] : []))

test('an order that received nothing can be canceled, and nothing else', () => {
  assert.deepEqual(offeredActs(order({})), { cancel: true, refund: false, look: false })
  assert.equal(offeredActs(order({ payments: [payment('detected')], balance: [line('5')] })).cancel, false)
  const dusted = offeredActs(order({ payments: [payment('detected')], balance: [line('5', '5')] }))
  assert.deepEqual(
    dusted,
    { cancel: true, refund: false, look: false },
    'a stranger’s dust keeps nobody from canceling',
  )
})

test('a refund is offered where money is held and not on its way', () => {
  assert.equal(offeredActs(order({ status: 'failed', balance: [line('5')] })).refund, true)
  assert.equal(offeredActs(order({ status: 'success', balance: [line('0')] })).refund, false)
  assert.equal(
    offeredActs(order({ status: 'processing', status_detail: 'settling', balance: [line('5')] })).refund,
    false,
  )
})

test('looking again is offered where there is a chain to look at', () => {
  const pay = (proof: object | null) => ({ proof }) as NonNullable<Order['pay']>
  assert.equal(offeredActs(order({ pay: pay({}), status: 'success' })).look, true)
  assert.equal(offeredActs(order({ pay: pay(null), livemode: true })).look, true)
  assert.equal(offeredActs(order({ pay: pay(null) })).look, false)
})

test('a settlement can be retried where it failed, by those to whom the inbox offers it', () => {
  const failed = { order_no: 'ord_1', status: 'failed' } as const
  const offered = { order_no: 'ord_1', actions: ['retry-settlement', 'dismiss'] }
  assert.equal(mayRetry(failed, [offered]), true)
  assert.equal(mayRetry(failed, [{ ...offered, actions: ['dismiss'] }]), false)
  assert.equal(mayRetry(failed, [{ ...offered, order_no: 'ord_2' }]), false)
  assert.equal(mayRetry({ ...failed, status: 'processing' }, [offered]), false)
})

test('every step has a button, and each says why it is not possible', () => {
  const steps = simulationSteps(order({ status: 'success' }))
  assert.deepEqual(steps.map((step) => step.action).sort(), [...simulateActions].sort())
  for (const step of steps) assert.match(step.why ?? '', /^[A-Z].*\.$/)
})

test('the steps follow the life of an order', () => {
  assert.deepEqual(possible({}), ['pay', 'underpay', 'overpay', 'expire'])
  const paid = { status: 'processing', status_detail: 'settling', payments: [payment('detected')] } as const
  assert.deepEqual(possible({ ...paid, payments: [...paid.payments] }), [
    'confirm',
    'settle',
    'fail',
    'refund',
    'reorg',
  ])
  assert.deepEqual(possible({ status: 'expired', pay: {} as Order['pay'] }), ['pay_late'])
  assert.deepEqual(possible({ status: 'expired' }), [])
  assert.deepEqual(possible({ status: 'processing', status_detail: 'reorged', payments: [payment('orphaned')] }), [
    'pay',
    'underpay',
    'overpay',
  ])
})
