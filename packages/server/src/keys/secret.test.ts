import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import { makeSecrets } from '@florin/platform/secrets'
import { defaultScopes, scopes } from '@florin/protocol'
import fc from 'fast-check'
import { livemodeOf, parseExpiry, scopesOf } from './rules.ts'
import * as secret from './secret.ts'

test('a key has its form, its mode and a checksum; it is stored as a plain SHA-256', () => {
  const live = secret.newApiKey(true)
  const forTests = secret.newApiKey(false)
  assert.match(live, /^florin_live_[0-9A-Za-z]{38}$/)
  assert.match(forTests, /^florin_test_[0-9A-Za-z]{38}$/)
  assert.equal(secret.parseApiKey(live), live)
  assert.deepEqual(Buffer.from(secret.hashOf(live)), createHash('sha256').update(live).digest())
  const mask = secret.maskOf(live)
  assert.deepEqual(mask, { prefix: live.slice(0, 16), last4: live.slice(46) })
  assert.match(secret.newWebhookSecret(), /^whsec_[0-9A-Za-z]{32}$/)
})

test('one wrong, missing or added character, or the other mode, is noticed without a look-up', () => {
  const key = secret.newApiKey(true)
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. \n\u00e9')
  fc.assert(
    fc.property(fc.nat(key.length - 1), character, (at, other) => {
      const changed = key.slice(0, at) + other + key.slice(at + 1)
      assert.equal(secret.parseApiKey(changed), changed === key ? key : null)
      assert.equal(secret.parseApiKey(key.slice(0, at) + key.slice(at + 1)), null)
      assert.equal(secret.parseApiKey(key.slice(0, at) + other + key.slice(at)), null)
    }),
    { numRuns: 2000 },
  )
  assert.equal(secret.parseApiKey(key.replace('live', 'test')), null)
  assert.equal(secret.parseApiKey(`${key}\n`), null)
  assert.equal(secret.parseApiKey(''), null)
})

test('a sealed webhook secret opens in its own row only', () => {
  const secrets = makeSecrets('ab'.repeat(32))
  const sealed = secret.sealWebhookSecret(secrets, 'sec_1', 'whsec_x')
  assert.equal(secret.openWebhookSecret(secrets, { ...sealed, id: 'sec_1' }), 'whsec_x')
  assert.throws(() => secret.openWebhookSecret(secrets, { ...sealed, id: 'sec_2' }))
  assert.throws(() => secret.openWebhookSecret(makeSecrets('cd'.repeat(32)), { ...sealed, id: 'sec_1' }))
})

test('a sealed webhook secret is opened once, and anew when it is sealed anew', () => {
  const secrets = makeSecrets('ab'.repeat(32))
  let opened = 0
  const counting = {
    ...secrets,
    open(...a: Parameters<typeof secrets.open>) {
      opened += 1
      return secrets.open(...a)
    },
  }
  const rows = ['whsec_x', 'whsec_y'].map((text) => ({
    ...secret.sealWebhookSecret(secrets, 'sec_1', text),
    id: 'sec_1',
  }))
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(
      rows.map((row) => secret.openWebhookSecret(counting, { ...row, box: Buffer.from(row.box) })),
      ['whsec_x', 'whsec_y'],
    )
  }
  assert.equal(opened, 2)
})

test('the mode that nobody named is live where live money can be taken', () => {
  assert.deepEqual(
    [livemodeOf(undefined, true), livemodeOf(undefined, false), livemodeOf('test', true), livemodeOf('live', false)],
    [true, false, false, true],
  )
})

test('scopes keep one order; refunds are asked for by name', () => {
  assert.deepEqual(scopesOf(undefined), [...defaultScopes])
  assert.equal(scopesOf(undefined).includes('refunds:write'), false)
  assert.deepEqual(scopesOf([...scopes].reverse()), [...scopes])
})

test('an expiry is a real time in the future', () => {
  const now = new Date(Date.UTC(2026, 0, 1))
  assert.equal(parseExpiry(null, now), null)
  assert.equal(parseExpiry('2028-02-29T12:00:00.5Z', now)?.toISOString(), '2028-02-29T12:00:00.500Z')
  const bad = [
    '2026-01-01T00:00:00Z',
    '2025-12-31T23:59:59Z',
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T24:00:01Z',
    '2027-01-01T00:00:00',
    '2027-01-01T00:00:00+01:00',
    '2027-01-01',
    '12027-01-01T00:00:00Z',
    'tomorrow',
    '',
  ]
  for (const text of bad) {
    assert.throws(
      () => parseExpiry(text, now),
      (e) => e instanceof AppError && e.param === 'expires_at',
      text,
    )
  }
})
