// Promises of the snippets: they hold the merchant's own values, no secret, and survive a shell and a parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as snippets from './snippets.ts'

const values: snippets.SnippetValues = {
  baseUrl: 'https://pay.shop.example',
  chain: 'base',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  webhookUrl: "https://shop.example/hooks/it's",
}

test('the own values stand in the code', () => {
  assert.match(snippets.createOrderCurl(values), /^curl https:\/\/pay\.shop\.example\/v1\/orders/)
  assert.match(snippets.createOrderCurl(values), /"settle_chain": "base"/)
  assert.match(snippets.createOrderSdk(values), /settle_chain: 'base',/)
  assert.match(snippets.setAddressCurl(values), /0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed/)
  assert.match(snippets.receiveCurl(values, 'ord_1'), /\/v1\/test\/orders\/ord_1\/simulate/)
  assert.match(snippets.receiveSdk(values), /\/hooks\/it\\'s/)
})

test('a quotation mark in a value does not end the shell word or the literal', () => {
  assert.match(snippets.createOrderCurl(values), /it'\\''s/)
  assert.match(snippets.createOrderSdk(values), /it\\'s/)
})

test('where nothing is known yet there are stand-ins, never holes', () => {
  const none = { baseUrl: values.baseUrl, chain: null, address: null, webhookUrl: null }
  const all = [
    ...[snippets.createKeyCurl, snippets.setAddressCurl, snippets.createOrderCurl, snippets.createOrderSdk].map(
      (make) => make(none),
    ),
    snippets.receiveCurl(none, null),
    snippets.receiveSdk(none),
  ]
  for (const code of all) {
    assert.doesNotMatch(code, /undefined|null/)
    assert.doesNotMatch(code, /florin_test_\w|whsec_\w/)
  }
})
