import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import type { App } from '@florin/platform/http/server'
import { usualRequestsPerMinute } from '@florin/platform/limits/limits'
import { DAY_MS, SECOND_MS } from '@florin/protocol'
import { eventually } from '../../test/deliveries.ts'
import { aMerchant, anApiKey, freshen, type TestApiKey } from '../../test/factories.ts'
import { type TestDeps, testApp, testDeps } from '../../test/harness.ts'
import { warmed } from '../../test/warm.ts'
import { buildApp } from '../app.ts'
import { rotateKey } from './change.ts'
import { newApiKey } from './secret.ts'
import { makeKeyUses } from './uses.ts'

interface Probe extends TestDeps {
  app: App
  ask(
    headers: Record<string, string>,
    path?: string,
  ): Promise<{ status: number; error: Record<string, unknown> | null }>
}

/** The app with one more route a scope, as features have them. */
async function probeApp(t: TestContext, made?: TestDeps): Promise<Probe> {
  const at = made ?? (await testDeps(t))
  const app = await buildApp(at.deps)
  t.after(() => app.close())
  app.get('/v1/probe', { config: { scope: 'orders:read' } }, async (request) => request.apiKey)
  app.post('/v1/probe', { config: { scope: 'refunds:write' } }, async (request) => request.apiKey)
  app.get('/v1/open', { config: { scope: null } }, async (request) => request.apiKey)
  return {
    ...at,
    app,
    async ask(headers, path = '/v1/probe') {
      const answer = await app.inject({ url: path, headers })
      return { status: answer.statusCode, error: answer.json().error ?? null }
    },
  }
}

const lastUsed = async (at: TestDeps, key: TestApiKey): Promise<Date | null> => {
  const [row] = await at.deps.sql<{ at: Date | null }[]>`select last_used_at as at from api_keys where id = ${key.id}`
  return row?.at ?? null
}

test('a key opens /v1 in either header and says whose request it is', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const caller = {
    id: key.id,
    merchantId: merchant.id,
    merchantNo: merchant.no,
    livemode: false,
    scopes: ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write'],
    feeBps: 0,
  }
  for (const headers of [
    key.headers,
    { authorization: `Bearer ${key.apiKey}` },
    { authorization: `bearer  ${key.apiKey}` },
    { ...key.headers, authorization: 'Bearer something else' },
  ]) {
    assert.deepEqual((await at.app.inject({ url: '/v1/probe', headers })).json(), caller)
  }
})

test('whatever is wrong with a key, the answer is one and the same; how it was sent is told apart', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const good = await anApiKey(at.deps, merchant)
  const revoked = await anApiKey(at.deps, merchant)
  const url = `/api/v1/boss/appkeys/${revoked.id}`
  assert.equal((await at.app.inject({ method: 'DELETE', url, headers: merchant.headers })).statusCode, 200)
  const expired = await anApiKey(at.deps, merchant, { expiresAt: new Date(at.clock.now().getTime() + 1) })
  at.clock.advance(1)
  const refused: Record<string, string>[] = [
    {},
    { 'x-api-key': '' },
    { authorization: '' },
    { authorization: `Basic ${Buffer.from(`${good.apiKey}:`).toString('base64')}` },
    { authorization: good.apiKey },
    { 'x-api-key': `Bearer ${good.apiKey}` },
    { 'x-api-key': `${good.apiKey}, ${good.apiKey}` },
    { 'x-api-key': 'x'.repeat(5000) },
    { 'x-api-key': good.webhookSecret },
    { 'x-api-key': good.apiKey.toLowerCase() },
    { 'x-api-key': '', authorization: `Bearer ${good.apiKey}` },
    { 'x-api-key': newApiKey(true) },
    { 'x-api-key': newApiKey(false) },
    revoked.headers,
    expired.headers,
    // A console token is not valid here.
    merchant.headers,
    { 'x-api-key': merchant.token },
  ]
  const messageOf = (headers: Record<string, string>): RegExp => {
    if (headers['x-api-key'] !== undefined) return /^This API key is not known here/
    if (headers.authorization === undefined) return /^No API key was sent\. Send it as "X-API-Key: <key>" or/
    return headers.authorization.startsWith('Bearer ')
      ? /^This API key is not known here/
      : /^Authorization was sent without "Bearer" and a key\./
  }
  for (const headers of refused) {
    const answer = await at.app.inject({ url: '/v1/probe', headers })
    assert.equal(answer.statusCode, 401, JSON.stringify(headers))
    assert.match(answer.json().error.message, messageOf(headers))
    for (const secret of [good.apiKey, good.webhookSecret, merchant.token]) assert.ok(!answer.body.includes(secret))
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
    assert.deepEqual(
      { ...answer.json().error, message: '', request_id: '' },
      {
        type: 'authentication',
        code: 'invalid_api_key',
        message: '',
        param: null,
        request_id: '',
      },
    )
  }
  // Nor is a key valid in the console.
  for (const headers of [good.headers, { authorization: `Bearer ${good.apiKey}` }]) {
    const answer = await at.app.inject({ url: '/api/v1/boss/merchant', headers })
    assert.deepEqual([answer.statusCode, answer.json().error.code], [401, 'invalid_token'])
  }
})

test('a key does what its scopes say, and the refusal names the missing one', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const reader = await anApiKey(at.deps, merchant, { scopes: ['webhooks:read'] })
  const refused = await at.ask(reader.headers)
  assert.deepEqual([refused.status, refused.error?.code, refused.error?.type], [403, 'scope_missing', 'permission'])
  assert.match(String(refused.error?.message), /"orders:read"/)
  assert.equal((await at.ask(reader.headers, '/v1/open')).status, 200)
  const usual = await anApiKey(at.deps, merchant)
  const refund = (key: TestApiKey) => at.app.inject({ method: 'POST', url: '/v1/probe', headers: key.headers })
  assert.equal((await refund(usual)).statusCode, 403)
  assert.equal((await refund(await anApiKey(at.deps, merchant, { scopes: ['refunds:write'] }))).statusCode, 200)
})

test('a /v1 route that does not say its scope cannot be made', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps)
  t.after(() => app.close())
  assert.throws(() => app.get('/v1/forgotten', async () => 'x'), /\/v1\/forgotten does not say its scope/)
})

test('a key that is revoked on one replica is refused by the next request on every other', async (t) => {
  const at = await probeApp(t)
  const replica = await probeApp(t, at)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  assert.equal((await replica.ask(key.headers)).status, 200)
  const url = `/api/v1/boss/appkeys/${key.id}`
  await at.app.inject({ method: 'DELETE', url, headers: merchant.headers })
  assert.equal((await replica.ask(key.headers)).status, 401)
})

test('after a rotation the old key works until the grace ends, or not at all', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const works = async (text: string): Promise<boolean> => (await at.ask({ 'x-api-key': text })).status === 200
  const rotate = async (body?: object) => {
    const url = `/api/v1/boss/appkeys/${key.id}/rotate`
    const payload = body === undefined ? {} : { payload: body }
    return (await at.app.inject({ method: 'POST', url, headers: merchant.headers, ...payload })).json().data
  }
  const second = await rotate()
  assert.equal(second.old_key_ends_at, new Date(at.clock.now().getTime() + DAY_MS).toISOString())
  assert.equal(second.last4, second.api_key.slice(-4))
  assert.deepEqual([await works(key.apiKey), await works(second.api_key)], [true, true])
  at.clock.advance(DAY_MS - 1)
  await freshen(at.deps, merchant)
  assert.equal(await works(key.apiKey), true)
  // A further rotation never makes an older key live longer.
  const third = await rotate({ grace_seconds: 60 })
  at.clock.advance(1)
  assert.deepEqual([await works(key.apiKey), await works(second.api_key)], [false, true])
  const fourth = await rotate({ grace_seconds: 0 })
  assert.deepEqual(
    [await works(second.api_key), await works(third.api_key), await works(fourth.api_key)],
    [false, false, true],
  )
})

test('of rotations at the same time each gives a key, one of them the current one', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const made = await Promise.all(Array.from({ length: 8 }, () => rotateKey(at.deps, merchant, key.id, 60)))
  for (const { apiKey } of made) assert.equal((await at.ask({ 'x-api-key': apiKey })).status, 200)
  at.clock.advance(60 * SECOND_MS)
  const alive: string[] = []
  for (const { apiKey } of made) if ((await at.ask({ 'x-api-key': apiKey })).status === 200) alive.push(apiKey)
  assert.equal(alive.length, 1)
  const { last4 } = (await at.app.inject({ url: `/api/v1/boss/appkeys/${key.id}`, headers: merchant.headers })).json()
    .data
  assert.equal(alive[0]?.slice(-4), last4)
})

test('when a key was last used is written every few seconds and at the end, never at the request', async (t) => {
  const at = await probeApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const other = await anApiKey(at.deps, merchant)
  await at.ask(key.headers)
  assert.equal(await lastUsed(at, key), null)
  const first = at.clock.now()
  // The request is over; only the clock makes the job run.
  at.clock.advance(10 * SECOND_MS)
  const { data } = await written(at, key)
  assert.deepEqual(data, first)
  assert.equal(await lastUsed(at, other), null)
  await at.ask(key.headers)
  await at.ask(other.headers)
  const last = at.clock.now()
  await at.app.close()
  assert.deepEqual([await lastUsed(at, key), await lastUsed(at, other)], [last, last])
})

test('uses that could not be written are written later', async (t) => {
  const { deps } = await testDeps(t)
  await warmed(deps.sql)
  const key = await anApiKey(deps, await aMerchant(deps))
  const uses = makeKeyUses(deps.sql)
  const at = deps.clock.now()
  uses.note(key.id, at)
  await deps.sql`alter table api_keys rename to away`
  await assert.rejects(uses.flush(), /api_keys/)
  await deps.sql`alter table away rename to api_keys`
  assert.equal(await uses.flush(), 1)
  const [row] = await deps.sql<{ at: Date }[]>`select last_used_at as at from api_keys`
  assert.deepEqual(row?.at, at)
  assert.equal(await uses.flush(), 0)
})

/** Waits for the job that the clock has started; its statement is on the way to the same database. */
async function written(at: TestDeps, key: TestApiKey): Promise<{ data: Date | null }> {
  for (let n = 0; n < 1000; n++) {
    const data = await lastUsed(at, key)
    if (data !== null) return { data }
  }
  return { data: null }
}

test('an answer to a key says what it and its merchant may still ask, and a refusal is of the key alone', async (t) => {
  const made = await testDeps(t, { rateLimits: true })
  const at = await probeApp(t, made)
  const merchant = await aMerchant(at.deps)
  const [key, other] = [await anApiKey(at.deps, merchant), await anApiKey(at.deps, merchant)]
  // To the beginning of a minute.
  at.clock.advance(60_000 - (at.clock.now().getTime() % 60_000))
  const asked = (headers: Record<string, string>) => at.app.inject({ url: '/v1/probe', headers })
  const { headers } = await asked(key.headers)
  const page = await readFile(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const said = `RateLimit-Policy: ${headers['ratelimit-policy']}\nRateLimit: ${headers.ratelimit}\n`
  assert.equal(/^```http keyed\n(.*?)^```/ms.exec(page)?.[1], said)
  // As another process left it.
  await at.deps.sql`
    insert into limits (scope, part, n, ends_at)
    values (${`requests key ${key.id}`}, ${at.clock.now()}, ${usualRequestsPerMinute.key}, 'infinity')`
  for (let n = 1; n < usualRequestsPerMinute.key / 50; n++) await asked(key.headers)
  await eventually(
    () => {
      at.clock.advance(1_200)
      return asked(key.headers)
    },
    (answer) => answer.statusCode === 429 && Number(answer.headers['retry-after']) < 60,
  )
  assert.equal((await asked(other.headers)).statusCode, 200)
})

test('the operator sets how many requests a key, a merchant and an address make', async (t) => {
  const at = await testApp(t, { rateLimits: true, requestsPerMinute: { key: 60, merchant: 90, address: 120 } })
  const { headers: key } = await anApiKey(at.deps, await aMerchant(at.deps))
  const { headers } = await at.app.inject({ url: '/v1/orders', headers: key })
  assert.equal(headers['ratelimit-policy'], '"key";q=60;w=60, "merchant";q=90;w=60')
  assert.equal(headers['ratelimit-limit'], '120')
})
