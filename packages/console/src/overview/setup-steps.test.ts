// Promises of the guide: it follows the merchant's data, and says what stands in the way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSetUp, type SetupFacts, setupOf, webhookTrouble } from './setup-steps.ts'

const nothing: SetupFacts = { key: null, address: null, order: null, newestDelivery: null, hasDelivered: false }
const key = { id: 'key_1', name: 'Shop', prefix: 'florin_test_', last4: 'abcd' }
const address = { chain: 'base', address: '0x' }
const order = { order_no: 'ord_1', status: 'pending', webhook_url: null, checkout_url: '' } as const
const failed = { id: 'dlv_1', status: 'retrying', url: 'https://x', attempts: [{}] } as NonNullable<
  SetupFacts['newestDelivery']
>

test('the next step is the first that is not done, whatever was done before it', () => {
  assert.equal(setupOf(nothing).next, 'key')
  assert.equal(setupOf({ ...nothing, key }).next, 'address')
  assert.equal(setupOf({ ...nothing, key, order }).next, 'address')
  assert.equal(setupOf({ ...nothing, key, address, order }).next, 'webhook')
})

test('all is done when a webhook has arrived', () => {
  assert.ok(isSetUp(setupOf({ key, address, order, newestDelivery: null, hasDelivered: true })))
  assert.ok(!isSetUp(setupOf({ ...nothing, hasDelivered: true })))
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
