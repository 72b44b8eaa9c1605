// Promises of the wording: who did what is said in words, and what is new is not hidden.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionText, actorText, detailText } from './words.ts'

test('who did what', () => {
  assert.equal(actionText('api_key.rotated'), 'Rotated an API key')
  assert.equal(actionText('something.else_done'), 'Something else done')
  assert.equal(actorText('api_key:key_1'), 'API key key_1')
  assert.equal(actorText('operator:ops@florin.example'), 'Operator ops@florin.example')
  assert.equal(actorText('shop@example.com'), 'shop@example.com')
  assert.equal(actorText('system'), 'The service itself')
})

test('particulars are one line without what is empty', () => {
  assert.equal(
    detailText({ name: 'Shop', livemode: false, reason: null, label: '', grace_seconds: 0 }),
    'name: Shop · livemode: no · grace seconds: 0',
  )
})
