// Promises of the wording: what the server may name later is still readable, and asked about as if it were dangerous.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actText, kindText, readable } from './words.ts'

test('known kinds and actions have words of their own', () => {
  assert.equal(kindText('settlement_failed'), 'A settlement failed')
  assert.equal(actText('dismiss').isDangerous, false)
  assert.equal(actText('refund').isDangerous, true)
})

test('new ones are made readable', () => {
  assert.equal(kindText('fee_vault_empty'), 'Fee vault empty')
  assert.equal(actText('accept-late').label, 'Accept late')
  assert.equal(actText('accept-late').isDangerous, true)
  assert.equal(readable('api_key.created'), 'Api key created')
  assert.equal(readable(''), '')
})
