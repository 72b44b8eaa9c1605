import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconnectWait } from './reconnect.ts'

test('the waits between tries grow to half a minute and no further', () => {
  assert.equal(reconnectWait(1, 1), 1000)
  assert.equal(reconnectWait(3, 1), 4000)
  assert.equal(reconnectWait(50, 1), 30_000)
  assert.equal(reconnectWait(50, 0), 15_000)
})
