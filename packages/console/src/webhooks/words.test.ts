// Promises of the wording: every failure of an attempt is a sentence, and an unknown code is still shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptErrorText, isLate } from './words.ts'

test('known codes are sentences', () => {
  assert.match(attemptErrorText('timeout_headers'), /10 seconds/)
  assert.equal(attemptErrorText('connect_refused'), 'Nothing listens at this address and port.')
  assert.equal(attemptErrorText(null), 'Delivered.')
})

test('a status of the receiver is named, with a hint where there is one', () => {
  assert.equal(attemptErrorText('http_500'), 'Your receiver answered 500: its own log says more.')
  assert.match(attemptErrorText('http_401'), /signature check/)
  assert.equal(attemptErrorText('http_418'), 'Your receiver answered 418.')
})

test('a code that is new is shown as it is', () => {
  assert.equal(attemptErrorText('quantum_flux'), 'quantum_flux')
})

test('webhooks: an attempt that was due 16 minutes ago → late; one that is due now is not', () => {
  const now = Date.parse('2026-11-27T12:00:00Z')
  assert.equal(isLate('2026-11-27T11:44:00Z', now), true)
  assert.equal(isLate('2026-11-27T11:59:30Z', now), false)
  assert.equal(isLate('2026-11-27T12:05:00Z', now), false)
})
