// Promises of the checker: a genuine webhook passes, and each usual mistake is named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign } from '@florin/protocol/signature'
import { type CheckInput, checkSignature, headerValue, secretLines } from './check.ts'

const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const now = 1_790_000_000
const body = '{"id":"evt_1","event":"order.success"}'
const header = sign({ secrets: [secret], body: new TextEncoder().encode(body), timestamp: now })
const check = (over: Partial<CheckInput>) =>
  checkSignature({ body, header, secrets: secret, checkAge: true, now, ...over })

test('a genuine webhook passes, pasted with the name of the header too', async () => {
  assert.equal((await check({})).ok, true)
  assert.equal((await check({ header: `X-Service-Signature: ${header}` })).ok, true)
  assert.equal((await check({ body: new TextEncoder().encode(body) })).ok, true)
})

test('either of two secrets will do', async () => {
  const verdict = await check({ secrets: `whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\n${secret}\n` })
  assert.deepEqual(verdict, { ok: true, timestamp: now, secretIndex: 1 })
})

test('a body that a parser has touched is named', async () => {
  const verdict = await check({ body: JSON.stringify(JSON.parse(body), null, 2) })
  assert.equal(verdict.ok, false)
  assert.equal(!verdict.ok && verdict.reason, 'body_reserialized')
})

test('a signature from a log is not refused for its age when age is not asked about', async () => {
  const old = await check({ now: now + 86_400 })
  assert.equal(!old.ok && old.reason, 'stale')
  assert.equal((await check({ now: now + 86_400, checkAge: false })).ok, true)
})

test('nothing given is a reason, not a crash', async () => {
  for (const over of [{ header: '' }, { secrets: '' }, { body: '' }]) {
    const verdict = await check(over)
    assert.equal(verdict.ok, false)
    assert.ok(!verdict.ok && /[.?]$/.test(verdict.message))
  }
})

test('what is pasted is understood', () => {
  assert.equal(headerValue('  x-service-signature:  t=1,v1=ab '), 't=1,v1=ab')
  assert.deepEqual(secretLines('a \r\n\r\nb'), ['a ', 'b'])
  assert.deepEqual(secretLines(' \n'), [''])
})
