// Promises: the page finds its data, and every refusal becomes a sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutPath, Refusal, refusalPhrase } from '../src/api.ts'

test('the data stands beside the page under whatever path the service lives', () => {
  assert.equal(checkoutPath('/pay/tok_1'), '/checkout/tok_1')
  assert.equal(checkoutPath('/shop/florin/pay/tok_1/'), '/shop/florin/checkout/tok_1')
})

test('a refusal has a sentence for the payer, whatever its code', () => {
  assert.deepEqual(refusalPhrase(new Refusal('invalid_address'), 'Base'), {
    key: 'error_address',
    fields: { chain: 'Base' },
  })
  assert.equal(refusalPhrase(new Refusal('network'), '').key, 'error_network')
  assert.equal(refusalPhrase(new Refusal('no_price'), '').key, 'error_rail')
  assert.equal(refusalPhrase(new Refusal('internal'), '').key, 'error_other')
})
