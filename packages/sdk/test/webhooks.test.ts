// Promises: a genuine webhook becomes a typed event, in whatever form the server hands over its request; everything else is
// refused with its reason, before a byte of it is believed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type EventKind, eventKinds } from '@florin/protocol'
import fc from 'fast-check'
import {
  type FlorinEvent,
  signTestWebhook,
  type VerifyWebhookInput,
  verifyWebhook,
  WebhookVerificationError,
} from '../src/index.ts'
import * as web from '../src/web.ts'

const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const other = 'whsec_abcdefghijklmnopqrstuvwxyz012345'
const reasonOf = (input: VerifyWebhookInput) => {
  try {
    verifyWebhook(input)
    return null
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError && error.name === 'WebhookVerificationError')
    return error.reason
  }
}

interface Vector {
  name: string
  header: string | null
  body_base64: string
  secrets: string[]
  now: number
  reason: string | null
}
const vectors: { check: Vector[] } = JSON.parse(
  readFileSync(new URL('../../protocol/vectors/signatures.json', import.meta.url), 'utf8'),
)

for (const { name, header, body_base64, secrets, now, reason } of vectors.check) {
  test(`${reason === null ? 'accepts' : `refuses with ${reason}`}: ${name}`, () => {
    const input = { rawBody: Buffer.from(body_base64, 'base64'), signature: header, secret: secrets, now }
    assert.equal(reasonOf(input), reason)
    assert.equal(
      reasonOf({
        ...input,
        signature: undefined,
        headers: new Headers(header === null ? {} : { 'x-service-signature': header }),
      }),
      reason,
    )
  })
}

test('headers are found in every form that servers give them', () => {
  const { rawBody, headers, event } = signTestWebhook({ secret })
  const signature = headers['x-service-signature'] ?? ''
  const forms = [
    headers,
    new Headers(headers),
    new Map(Object.entries(headers)),
    { 'X-Service-Signature': signature },
    { 'x-service-signature': [signature] },
    { get: signature, 'X-SERVICE-SIGNATURE': signature },
  ]
  for (const form of forms) {
    const found = form instanceof Map ? { get: (name: string) => form.get(name.toLowerCase()) } : form
    assert.deepEqual(verifyWebhook({ rawBody, headers: found, secret }), event)
  }
  assert.equal(reasonOf({ rawBody, headers: {}, secret }), 'missing_header')
  assert.equal(reasonOf({ rawBody, secret }), 'missing_header')
})

test('the body is taken as text, Buffer, Uint8Array and ArrayBuffer, and not as the parsed object', () => {
  const { rawBody, headers, event } = signTestWebhook({ secret, order: { title: 'Crème brûlée 日本' } })
  const bytes = new TextEncoder().encode(rawBody)
  for (const form of [rawBody, Buffer.from(rawBody), bytes, bytes.buffer]) {
    assert.deepEqual(verifyWebhook({ rawBody: form, headers, secret }), event)
  }
  assert.equal(reasonOf({ rawBody: JSON.parse(rawBody), headers, secret }), 'body_parsed')
})

test('a test webhook of each kind is accepted and has the status that its event reports', () => {
  for (const kind of eventKinds) {
    const { rawBody, headers, event } = signTestWebhook({ secret, event: kind })
    assert.equal(headers['x-service-event'], kind)
    assert.equal(event.order.status, kind.slice('order.'.length))
    assert.deepEqual(verifyWebhook({ rawBody, headers, secret: [other, secret] }), event)
    assert.equal(reasonOf({ rawBody, headers, secret: other }), 'mismatch')
  }
  assert.throws(() => signTestWebhook({ secret, event: 'order.paid' as EventKind }), TypeError)
})

test('a test webhook takes the fields, the id and the time that a test is about', () => {
  const { rawBody, headers, event } = signTestWebhook({
    secret,
    id: 'evt_same',
    order: { external_id: 'A-1', version: 9 },
    timestamp: 1_000,
  })
  assert.deepEqual([event.id, event.order.external_id, event.order.version], ['evt_same', 'A-1', 9])
  assert.equal(reasonOf({ rawBody, headers, secret, now: 1_300 }), null)
  assert.equal(reasonOf({ rawBody, headers, secret, now: 1_301 }), 'stale')
  assert.equal(reasonOf({ rawBody, headers, secret, now: 2_000, toleranceSeconds: 1_000 }), null)
  assert.notEqual(signTestWebhook({ secret }).event.id, signTestWebhook({ secret }).event.id)
})

test('the members of the union are told apart by their event', () => {
  const title = (event: FlorinEvent): string => {
    switch (event.event) {
      case 'order.success':
        return event.order.amount_out
      case 'order.processing':
      case 'order.failed':
      case 'order.refunded':
      case 'order.expired':
        return event.order.status
    }
  }
  assert.equal(title(signTestWebhook({ secret }).event), '20000000')
})

test('verifyWebhook: whatever a request holds and a shop is set up with → an event or a refusal, nothing else', () => {
  const { rawBody, headers } = signTestWebhook({ secret })
  const header = Object.values(headers).find((value) => value.startsWith('t=')) ?? ''
  const odd = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true })
  const texts = fc.constantFrom(
    't=',
    `${header},t=1`,
    header.replace(/t=\d+/, `t=${'9'.repeat(400)}`),
    't=1,v1=\u00e9',
    '\ud800',
  )
  const orGenuine = <T>(value: T) => fc.oneof(odd, texts, fc.constant(value))
  const input = fc.record({
    ...{ rawBody: orGenuine(rawBody), signature: orGenuine(header), secret: orGenuine(secret) },
    headers: fc.oneof(odd, fc.constant(headers), fc.record({ 'X-Service-Signature': orGenuine(header) })),
  })
  fc.assert(
    fc.property(input, (given) => {
      reasonOf(given as VerifyWebhookInput)
    }),
    { numRuns: 1_000 },
  )
})

test('verifyWebhook: a queue kept the time of arrival → judged by it, on Node and with WebCrypto', async () => {
  const arrived = Math.floor(Date.now() / 1_000) - 3_600
  const { rawBody, headers } = signTestWebhook({ secret, timestamp: arrived })
  const kept = { rawBody, headers, secret, now: arrived }
  assert.equal(verifyWebhook(kept).id, (await web.verifyWebhook(kept)).id)
  assert.equal(reasonOf({ rawBody, headers, secret }), 'stale')
  await assert.rejects(web.verifyWebhook({ rawBody, headers, secret }), { reason: 'stale' })
})
