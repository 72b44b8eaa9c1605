import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSecrets } from '@florin/platform/secrets'
import { HOUR_MS } from '@florin/protocol'
import { SignJWT, UnsecuredJWT } from 'jose'
import { makeTokens } from './token.ts'

const now = new Date('2026-11-22T12:00:00Z')
const later = new Date(now.getTime() + HOUR_MS)
const secrets = makeSecrets('5e'.repeat(32))
const tokens = makeTokens(secrets)
const subject = { merchantId: 'mer_1', sessionId: 'ses_1' }

test('a token says whose it is until it ends, to whoever holds the same key', async () => {
  const token = await tokens.sign(subject, now, later)
  assert.deepEqual(await tokens.verify(token, now), subject)
  assert.equal(await tokens.verify(token, later), null)
  assert.equal(await makeTokens(makeSecrets('6f'.repeat(32))).verify(token, now), null)
})

test('a token that was verified before ends as it says, and makes no other one valid', async () => {
  const fresh = makeTokens(secrets)
  const made = await Promise.all(
    Array.from({ length: 1_100 }, (_, n) => fresh.sign({ ...subject, sessionId: `ses_${n}` }, now, later)),
  )
  for (const token of [...made, ...made]) assert.notEqual(await fresh.verify(token, now), null)
  const [first = '', last = ''] = [made[0], made.at(-1)]
  assert.deepEqual(await fresh.verify(last, new Date(later.getTime() - 1_000)), { ...subject, sessionId: 'ses_1099' })
  for (const token of [first, last]) assert.equal(await fresh.verify(token, later), null)
  assert.equal(await fresh.verify(`${last.slice(0, -2)}${last.endsWith('AA') ? 'BB' : 'AA'}`, now), null)
  const [head, , signature] = last.split('.')
  assert.equal(await fresh.verify([head, first.split('.')[1], signature].join('.'), now), null)
})

test('the algorithm, the type and the claims of a token are ours, whoever signed it', async () => {
  const key = secrets.derive('console token')
  const claims = () => new SignJWT().setSubject('mer_1').setJti('ses_1').setIssuedAt(now).setExpirationTime(later)
  const right = await claims().setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
  assert.deepEqual(await tokens.verify(right, now), subject)
  const wrong = [
    await claims().setProtectedHeader({ alg: 'HS512', typ: 'JWT' }).sign(key),
    await claims().setProtectedHeader({ alg: 'HS384', typ: 'JWT' }).sign(key),
    await claims().setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(key),
    await claims().setProtectedHeader({ alg: 'HS256' }).sign(key),
    await new SignJWT({ sub: 'mer_1', jti: 'ses_1' }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key),
    await new SignJWT({ sub: 'mer_1' })
      .setExpirationTime(later)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(key),
    new UnsecuredJWT({ sub: 'mer_1', jti: 'ses_1' }).setExpirationTime(later).encode(),
    `${right.slice(0, -2)}${right.endsWith('AA') ? 'BB' : 'AA'}`,
    '',
  ]
  for (const token of wrong) assert.equal(await tokens.verify(token, now), null, token)
})
