// Promises: an account shows the strongest word about it, and only acts that the server would do are offered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsFor, standingOf } from './words.ts'

const at = '2026-11-22T08:00:00.000Z'
const active = { email: 'shop@bottega.example', suspended_at: null, closed_at: null, email_change: null }
const suspended = { ...active, suspended_at: at }
const closed = { ...suspended, closed_at: at }
const operator = 'ops@florin.example'

test('closed is said before suspended', () => {
  assert.deepEqual(
    [active, suspended, closed].map((account) => standingOf(account).label),
    ['Active', 'Suspended', 'Closed'],
  )
})

test('what is suspended can be resumed, what is closed stays closed, and nobody acts on their own account', () => {
  assert.deepEqual(actsFor(active, operator), ['suspend', 'email', 'close'])
  assert.deepEqual(actsFor(suspended, operator), ['resume', 'email', 'close'])
  const email_change = {
    ...{ new_email: 'new@bottega.example', asked_by: active.email },
    ...{ old_mailbox: false, new_mailbox: false, effective_at: null },
  }
  assert.deepEqual(actsFor({ ...active, email_change }, operator), ['suspend', 'email/cancel', 'close'])
  assert.deepEqual(actsFor(closed, operator), [])
  assert.deepEqual(actsFor({ ...active, email: operator }, operator), [])
})
