// Promise: the official stripe library, an independent maker and checker of the same scheme, agrees with us both ways.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { sign, verify } from '../src/signature.ts'

interface StripeWebhooks {
  constructEvent(body: string | Buffer, header: string, secret: string, toleranceSeconds: number): unknown
  generateTestHeaderString(options: { payload: string; secret: string; timestamp: number }): string
}

// The end-to-end workspace declares the package; nothing of ours depends on it at run time.
const load = createRequire(new URL('../../../e2e/package.json', import.meta.url))
const Stripe: new (key: string) => { webhooks: StripeWebhooks } = load('stripe')
const { webhooks } = new Stripe('sk_test_oracle')

const secret = fc.stringMatching(/^whsec_[0-9A-Za-z]{32}$/)
const body = fc
  .record({
    id: fc.string({ unit: 'grapheme' }),
    event: fc.string(),
    order: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  .map((value) => JSON.stringify(value))
const tolerance = 300
// stripe reads the clock itself, so times are laid around the present, well away from the limit.
const clock = () => Math.floor(Date.now() / 1000)

function stripeAccepts(text: string, header: string, key: string): boolean {
  try {
    webhooks.constructEvent(Buffer.from(text), header, key, tolerance)
    return true
  } catch {
    return false
  }
}

test('stripe accepts what we sign, with one secret and with either of two', () => {
  fc.assert(
    fc.property(body, secret, secret, (text, one, two) => {
      const bytes = Buffer.from(text)
      assert.ok(stripeAccepts(text, sign({ secrets: [one], body: bytes, timestamp: clock() }), one))
      const both = sign({ secrets: [one, two], body: bytes, timestamp: clock() })
      assert.ok(stripeAccepts(text, both, one) && stripeAccepts(text, both, two))
    }),
  )
})

test('we accept what stripe signs', () => {
  fc.assert(
    fc.property(body, secret, fc.integer({ min: -250, max: 250 }), (payload, key, offset) => {
      const now = clock()
      const header = webhooks.generateTestHeaderString({ payload, secret: key, timestamp: now + offset })
      assert.equal(verify({ header, body: payload, secrets: [key], now }).ok, true)
    }),
  )
})

test('both refuse a changed body, another secret and a stale time', () => {
  fc.assert(
    fc.property(body, secret, secret, (text, one, two) => {
      fc.pre(one !== two)
      const now = clock()
      const fresh = sign({ secrets: [one], body: Buffer.from(text), timestamp: now })
      const stale = sign({ secrets: [one], body: Buffer.from(text), timestamp: now - 400 })
      for (const [payload, header, key] of [
        [`${text} `, fresh, one],
        [text, fresh, two],
        [text, stale, one],
      ] as const) {
        assert.equal(stripeAccepts(payload, header, key), false)
        assert.equal(verify({ header, body: payload, secrets: [key], now }).ok, false)
      }
    }),
  )
})
