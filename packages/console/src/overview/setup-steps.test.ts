// Promises of the guide: it follows the merchant's data, and says what stands in the way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goLiveOf } from './golive-steps.ts'
import { isSetUp, type SetupFacts, setupOf, webhookTrouble } from './setup-steps.ts'

const nothing: SetupFacts = {
  ...{ name: null, key: null, address: null, order: null },
  ...{ hasSettled: false, newestDelivery: null, hasDelivered: false },
}
const name = 'Bottega'
const key = { id: 'key_1', name: 'Shop', prefix: 'florin_test_', last4: 'abcd' }
const address = { chain: 'base', address: '0x' }
const order = {
  order_no: 'ord_1',
  status: 'pending',
  webhook_url: null,
  checkout_url: '',
  settle_chain: 'base',
} as const
const failed = { id: 'dlv_1', status: 'retrying', url: 'https://x', attempts: [{}] } as NonNullable<
  SetupFacts['newestDelivery']
>

test('the next step is the first that is not done, whatever was done before it', () => {
  assert.equal(setupOf(nothing).next, 'name')
  assert.equal(setupOf({ ...nothing, name }).next, 'address')
  assert.equal(setupOf({ ...nothing, name, order, hasSettled: true }).next, 'address')
  assert.equal(setupOf({ ...nothing, name, address, order }).next, 'order', 'an order that nobody paid')
})

test('all is done when a test order has settled: key and webhook are for shops with a server', () => {
  assert.ok(isSetUp(setupOf({ ...nothing, name, address, order, hasSettled: true })))
  assert.ok(!isSetUp(setupOf({ ...nothing, key, hasDelivered: true })))
})

test('what stands between an order and its webhook is named', () => {
  const made = { ...nothing, key, address, order }
  assert.equal(webhookTrouble(setupOf(made)), 'no_url')
  const withUrl = { ...made, order: { ...order, webhook_url: 'https://x' } }
  assert.equal(webhookTrouble(setupOf(withUrl)), 'waiting')
  assert.equal(webhookTrouble(setupOf({ ...withUrl, newestDelivery: failed })), 'failing')
  assert.equal(webhookTrouble(setupOf({ ...withUrl, hasDelivered: true })), null)
  assert.equal(webhookTrouble(setupOf(nothing)), null)
})

test('going live begins with the service: without a chain for real money nothing after it counts as next', () => {
  const facts = { name, liveChains: ['base'], addressChains: ['btc'], hasOrder: false, hasSettled: false }
  assert.equal(goLiveOf({ ...facts, liveChains: [] }).next, 'chain')
  assert.equal(goLiveOf(facts).next, 'address', 'an address where only test money goes does not count')
  assert.equal(goLiveOf({ ...facts, addressChains: ['base'] }).next, 'order')
  assert.equal(goLiveOf({ ...facts, addressChains: ['base'], hasOrder: true }).next, 'paid')
  assert.equal(goLiveOf({ ...facts, addressChains: ['base'], hasOrder: true, hasSettled: true }).next, null)
})
