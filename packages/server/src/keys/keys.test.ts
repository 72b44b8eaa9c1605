import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, SECOND_MS } from '@florin/protocol'
import { capturedLog } from '../../test/captured-log.ts'
import { aMerchant, anApiKey, freshen, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp, testDeps } from '../../test/harness.ts'
import { warmed } from '../../test/warm.ts'
import { buildApp } from '../app.ts'
import { quotedName } from './mails.ts'
import { openWebhookSecrets } from './store.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (at: Pick<TestApp, 'app'>, who: TestMerchant, method: Method, path = '', body?: object) =>
  at.app.inject({
    method,
    url: `/api/v1/boss/appkeys${path}`,
    headers: who.headers,
    ...(body === undefined ? {} : { payload: body }),
  })

const audited = async (at: TestApp): Promise<string[]> =>
  (await at.deps.sql<{ action: string }[]>`select action from audit_log order by id`).map((row) => row.action)

test('a new key comes with its secrets, once; afterwards it is masked, and the database has neither', async (t) => {
  const at = await testApp(t, { feeBps: 25 })
  const merchant = await aMerchant(at.deps)
  const answer = await call(at, merchant, 'POST', '', { name: ' My server ' })
  assert.equal(answer.statusCode, 200)
  const { code, data } = answer.json()
  const { api_key, webhook_secret, ...masked } = data
  assert.equal(code, 0)
  assert.match(api_key, /^florin_test_[0-9A-Za-z]{38}$/)
  assert.match(webhook_secret, /^whsec_[0-9A-Za-z]{32}$/)
  assert.deepEqual(masked, {
    id: masked.id,
    name: 'My server',
    mode: 'test',
    prefix: api_key.slice(0, 16),
    last4: api_key.slice(-4),
    scopes: ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write'],
    fee_bps: 25,
    created_at: at.clock.now().toISOString(),
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  })
  assert.deepEqual((await call(at, merchant, 'GET', `/${masked.id}`)).json(), { code: 0, data: masked })
  assert.deepEqual((await call(at, merchant, 'GET')).json().data, {
    data: [masked],
    has_more: false,
    next_cursor: null,
  })

  const dump = await at.deps.sql<{ text: string }[]>`
    select k::text as text from api_keys k union all select encode(hash, 'escape') from api_key_hashes
    union all select encode(box, 'escape') from webhook_secrets union all select a::text from audit_log a
    union all select encode(box, 'escape') from mail_outbox`
  for (const row of dump)
    assert.ok(!row.text.includes(api_key.slice(16, 46)) && !row.text.includes(webhook_secret.slice(6)))
  assert.deepEqual(await audited(at), ['api_key.created'])
  await sendDueMail(at.deps)
  const [mail] = at.mailbox.mails
  assert.deepEqual([mail?.to, mail?.subject], [merchant.email, 'A new API key was made'])
  assert.match(mail?.text ?? '', /^Key: {5}"My server" \(florin_test_.{4}\.\.\..{4}\)$/m)
})

test('mode, scopes and expiry can be said; the mode left out is live where a live rail is', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp({ ...deps, rails: { ...deps.rails, hasLiveRail: true } })
  t.after(() => app.close())
  const merchant = await aMerchant(deps)
  const make = async (body: object) => (await call({ app }, merchant, 'POST', '', { name: 'k', ...body })).json().data
  assert.equal((await make({})).mode, 'live')
  assert.match((await make({ mode: 'live' })).api_key, /^florin_live_/)
  assert.equal((await make({ mode: 'test' })).mode, 'test')
  assert.deepEqual((await make({ scopes: ['refunds:write', 'orders:read'] })).scopes, ['orders:read', 'refunds:write'])
  assert.equal((await make({ expires_at: '2099-01-01T00:00:00Z' })).expires_at, '2099-01-01T00:00:00.000Z')
  assert.equal((await make({ expires_at: null })).expires_at, null)
  const list = async (query: string) => (await call({ app }, merchant, 'GET', query)).json().data.data
  assert.equal((await list('?livemode=true')).length, 5)
  assert.equal((await list('?livemode=false')).length, 1)
  assert.equal((await list('')).length, 6)
  const without = await buildApp(deps)
  t.after(() => without.close())
  const refused = await call({ app: without }, merchant, 'POST', '', { name: 'k', mode: 'live' })
  const { code, param, message } = refused.json().error
  assert.deepEqual([refused.statusCode, code, param], [422, 'no_live_rail', 'mode'])
  assert.match(message, /RAILS_CONFIG.*\/docs\/going-live.*test key/)
})

test('bad input is refused by name and changes nothing', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const at1 = `/${key.id}`
  const cases: [Method, string, object, string, string | null][] = [
    ['POST', '', {}, 'missing_field', 'name'],
    ['POST', '', { name: '' }, 'validation_failed', 'name'],
    ['POST', '', { name: 'two\nlines' }, 'validation_failed', 'name'],
    ['POST', '', { name: 'x'.repeat(101) }, 'validation_failed', 'name'],
    ['POST', '', { name: true }, 'validation_failed', 'name'],
    ['POST', '', { name: 'k', mode: 'LIVE' }, 'validation_failed', 'mode'],
    ['POST', '', { name: 'k', scopes: [] }, 'validation_failed', 'scopes'],
    ['POST', '', { name: 'k', scopes: ['orders:delete'] }, 'validation_failed', 'scopes.0'],
    ['POST', '', { name: 'k', scopes: ['orders:read', 'orders:read'] }, 'validation_failed', 'scopes'],
    ['POST', '', { name: 'k', scopes: 'orders:read' }, 'validation_failed', 'scopes'],
    ['POST', '', { name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 'validation_failed', 'expires_at'],
    ['POST', '', { name: 'k', expires_at: 4102444800 }, 'validation_failed', 'expires_at'],
    ['POST', '', { name: 'k', fee_bps: 0 }, 'unknown_field', 'fee_bps'],
    ['PATCH', at1, { name: '' }, 'validation_failed', 'name'],
    ['PATCH', at1, { mode: 'live' }, 'unknown_field', 'mode'],
    ['PATCH', at1, { scopes: [] }, 'validation_failed', 'scopes'],
    ['POST', `${at1}/rotate`, { grace_seconds: -1 }, 'validation_failed', 'grace_seconds'],
    ['POST', `${at1}/rotate`, { grace_seconds: 2592001 }, 'validation_failed', 'grace_seconds'],
    ['POST', `${at1}/rotate`, { grace_seconds: '60' }, 'validation_failed', 'grace_seconds'],
    ['POST', `${at1}/rotate`, { grace_seconds: 0.5 }, 'validation_failed', 'grace_seconds'],
    ['POST', `${at1}/rotate`, { grace: 1 }, 'unknown_field', 'grace'],
    ['POST', `${at1}/webhook-secret/rotate`, { overlap_seconds: 604801 }, 'validation_failed', 'overlap_seconds'],
    ['POST', `${at1}/webhook-secret/rotate`, { overlap_seconds: null }, 'validation_failed', 'overlap_seconds'],
    ['GET', '?livemode=1', {}, 'validation_failed', 'livemode'],
    ['GET', '?limit=1000', {}, 'validation_failed', 'limit'],
  ]
  for (const [method, path, body, code, param] of cases) {
    const answer = await call(at, merchant, method, path, method === 'GET' ? undefined : body)
    const { error } = answer.json()
    assert.deepEqual(
      [answer.statusCode, error.code, error.param],
      [422, code, param],
      `${path} ${JSON.stringify(body)}`,
    )
  }
  assert.deepEqual(await audited(at), ['api_key.created'])
})

test("somebody else's key, and one that never was, is one and the same 404", async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const stranger = await aMerchant(at.deps)
  const calls: [Method, string, object | undefined][] = [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'mine now' }],
    ['POST', '/rotate', {}],
    ['POST', '/webhook-secret/rotate', {}],
    ['DELETE', '', undefined],
  ]
  for (const [method, path, body] of calls) {
    const bodies = []
    for (const id of [key.id, 'key_01jd0000000000000000000000', "x'; drop table api_keys --"]) {
      const answer = await call(at, stranger, method, `/${encodeURIComponent(id)}${path}`, body)
      assert.equal(answer.statusCode, 404, `${method} ${path} ${id}`)
      bodies.push({ ...answer.json().error, request_id: '' })
    }
    assert.equal(bodies[0]?.code, 'api_key_not_found')
    assert.deepEqual(bodies[1], bodies[0])
    assert.deepEqual(bodies[2], bodies[0])
    const anonymous = await at.app.inject({ method, url: `/api/v1/boss/appkeys/${key.id}${path}` })
    assert.equal(anonymous.statusCode, 401)
  }
  assert.deepEqual((await call(at, stranger, 'GET')).json().data.data, [])
  assert.deepEqual(await audited(at), ['api_key.created'])
})

test('keys are listed newest first, page by page', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift((await anApiKey(at.deps, merchant)).id)
    at.clock.advance(1)
  }
  const seen: string[] = []
  for (let query = '?limit=2'; query !== ''; ) {
    const page = (await call(at, merchant, 'GET', query)).json().data
    seen.push(...page.data.map((key: { id: string }) => key.id))
    query = page.has_more ? `?limit=2&cursor=${page.next_cursor}` : ''
  }
  assert.deepEqual(seen, ids)
})

test('a key can be renamed and its scopes changed; what changes nothing is not told', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const { id } = await anApiKey(at.deps, merchant, { name: 'old' })
  at.clock.advance(1)
  const patch = async (body: object) => (await call(at, merchant, 'PATCH', `/${id}`, body)).json().data
  assert.equal((await patch({ name: 'new' })).name, 'new')
  const scoped = await patch({ scopes: ['webhooks:read', 'orders:read'] })
  assert.deepEqual([scoped.name, scoped.scopes], ['new', ['orders:read', 'webhooks:read']])
  await patch({})
  await patch({ name: 'new', scopes: ['orders:read', 'webhooks:read'] })
  assert.deepEqual(await audited(at), ['api_key.created', 'api_key.changed', 'api_key.changed'])
})

test('revoking is final and repeatable; a revoked key is not changed, but its webhooks stay signed', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  at.clock.advance(1)
  const first = (await call(at, merchant, 'DELETE', `/${key.id}`)).json().data
  assert.equal(first.revoked_at, at.clock.now().toISOString())
  at.clock.advance(1000)
  assert.deepEqual((await call(at, merchant, 'DELETE', `/${key.id}`)).json().data, first)
  for (const [method, path, body] of [
    ['POST', '/rotate', {}],
    ['PATCH', '', { name: 'again' }],
  ] as const) {
    const answer = await call(at, merchant, method, `/${key.id}${path}`, body)
    assert.deepEqual([answer.statusCode, answer.json().error.code], [409, 'key_revoked'])
  }
  assert.deepEqual(await liveSecrets(at, key.id), [key.webhookSecret])
  const rotated = await call(at, merchant, 'POST', `/${key.id}/webhook-secret/rotate`)
  assert.equal(rotated.statusCode, 200)
  assert.deepEqual(await audited(at), ['api_key.created', 'api_key.revoked', 'api_key.secret_rotated'])
})

/** What signs the webhooks of this key now, newest first. */
const liveSecrets = async (at: TestApp, id: string) => (await openWebhookSecrets(at.deps, [id])).get(id) ?? []

test('webhook secrets overlap two at a time, newest first, and end in time', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const rotate = (body?: object) => call(at, merchant, 'POST', `/${key.id}/webhook-secret/rotate`, body)
  const second = (await rotate({ overlap_seconds: 3600 })).json().data
  assert.equal(second.old_secret_ends_at, new Date(at.clock.now().getTime() + 3600 * SECOND_MS).toISOString())
  assert.deepEqual(await liveSecrets(at, key.id), [second.webhook_secret, key.webhookSecret])
  const third = await rotate({ overlap_seconds: 1 })
  assert.deepEqual([third.statusCode, third.json().error.code], [409, 'secret_overlap_running'])
  at.clock.advance(3600 * SECOND_MS)
  await freshen(at.deps, merchant)
  assert.deepEqual(await liveSecrets(at, key.id), [second.webhook_secret])
  const fourth = (await rotate({ overlap_seconds: 60 })).json().data.webhook_secret
  assert.deepEqual(await liveSecrets(at, key.id), [fourth, second.webhook_secret])
  // A leak is ended at once, overlap or not; an empty body means no overlap.
  const fifth = (await rotate()).json().data.webhook_secret
  assert.deepEqual(await liveSecrets(at, key.id), [fifth])

  const other = await anApiKey(at.deps, merchant)
  const many = await openWebhookSecrets(at.deps, [key.id, other.id, key.id, 'key_none'])
  assert.deepEqual(
    [...many].sort(),
    [
      [key.id, [fifth]],
      [other.id, [other.webhookSecret]],
    ].sort(),
  )
})

test('of ten overlapping rotations at the same time one wins, and never more than two secrets live', async (t) => {
  const at = await testApp(t)
  await warmed(at.deps.sql)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const rotate = (overlap: number) =>
    call(at, merchant, 'POST', `/${key.id}/webhook-secret/rotate`, { overlap_seconds: overlap })
  const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(60)))
  const won = answers.filter((answer) => answer.statusCode === 200)
  assert.equal(won.length, 1)
  assert.ok(answers.every((answer) => [200, 409].includes(answer.statusCode)))
  const live = await liveSecrets(at, key.id)
  assert.deepEqual(live, [won[0]?.json().data.webhook_secret, key.webhookSecret])
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => rotate(0)))
  const newest = await liveSecrets(at, key.id)
  assert.equal(newest.length, 1)
  assert.ok(atOnce.some((answer) => answer.json().data.webhook_secret === newest[0]))
})

test('neither key nor webhook secret ever reaches the log', async (t) => {
  const { deps } = await testDeps(t)
  const captured = capturedLog()
  const app = await buildApp({ ...deps, log: captured.log })
  t.after(() => app.close())
  app.get('/v1/probe', { config: { scope: 'orders:read' } }, async (request) => ({ id: request.apiKey.id }))
  const merchant = await aMerchant(deps)
  const made = (await call({ app }, merchant, 'POST', '', { name: 'k' })).json().data
  const rotated = (await call({ app }, merchant, 'POST', `/${made.id}/rotate`)).json().data
  const secret = (await call({ app }, merchant, 'POST', `/${made.id}/webhook-secret/rotate`)).json().data
  const probe = (headers: Record<string, string>) => app.inject({ url: '/v1/probe', headers })
  assert.equal((await probe({ 'x-api-key': made.api_key })).statusCode, 200)
  assert.equal((await probe({ authorization: `Bearer ${rotated.api_key}` })).statusCode, 200)
  const mistyped = `${made.api_key.slice(0, -1)}!`
  assert.equal((await probe({ 'x-api-key': mistyped })).statusCode, 401)
  assert.equal(
    (await app.inject({ url: `/v1/probe?key=${made.api_key}`, headers: { 'x-api-key': 'x' } })).statusCode,
    401,
  )
  await sendDueMail({ ...deps, log: captured.log })
  const text = captured.text()
  assert.match(text, /"route":"\/v1\/probe"/)
  const leaks = [made.api_key, rotated.api_key, made.webhook_secret, secret.webhook_secret, merchant.token]
  for (const leak of leaks) assert.equal(text.includes(leak.slice(16, 40)), false)
})

test('a key that has expired is refused, cannot be rotated, and says so', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant, { expiresAt: new Date(at.clock.now().getTime() + DAY_MS - 1) })
  const ask = async () => (await at.app.inject({ url: '/v1/orders', headers: key.headers })).statusCode
  assert.equal(await ask(), 200)
  at.clock.advance(DAY_MS)
  assert.equal(await ask(), 401)
  await freshen(at.deps, merchant)
  const answer = await call(at, merchant, 'POST', `/${key.id}/rotate`)
  assert.deepEqual([answer.statusCode, answer.json().error.code], [409, 'action_not_possible'])
})

test('no name of a key becomes a link in the mail about it', () => {
  assert.equal(quotedName('If this was you: https://evil.example/ok'), '"If this was you: https evil[dot]example/ok"')
  assert.equal(quotedName('see www.evil.example'), '"see www[dot]evil[dot]example"')
  assert.equal(quotedName('evil。example'), '"evil[dot]example"')
  assert.equal(quotedName('Shop v1.2'), '"Shop v1.2"')
})
