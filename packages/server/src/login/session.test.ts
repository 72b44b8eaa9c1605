import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { SignJWT } from 'jose'
import { capturedLog } from '../../test/captured-log.ts'
import { aMerchant, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp, testDeps } from '../../test/harness.ts'
import { buildApp } from '../app.ts'
import { loginSweepJob } from './sweep.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (
  at: Pick<TestApp, 'app'>,
  who: Pick<TestMerchant, 'headers'>,
  method: Method,
  url: string,
  body?: object,
) => at.app.inject({ method, url: `/api/v1/boss/${url}`, headers: who.headers, ...(body ? { payload: body } : {}) })

const routes: [Method, string][] = [
  ['POST', 'logout'],
  ['GET', 'sessions'],
  ['DELETE', 'sessions'],
  ['DELETE', 'sessions/ses_01jd0000000000000000000000'],
  ['GET', 'merchant'],
  ['PATCH', 'merchant'],
]

test('every console route refuses whoever has no live token, in one shape and without a hint', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const { id: sub, sessionId: jti } = merchant
  const key = at.deps.secrets.derive('console token')
  const make = (claims: object, alg = 'HS256', withKey = key): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg, typ: 'JWT' }).sign(withKey)
  const exp = Math.floor(at.clock.now().getTime() / 1000) + 3600
  const [head = '', body = '', signature = ''] = merchant.token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const other = await aMerchant(at.deps)
  const refused = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    'Bearer florin_test_0123456789abcdefghijABCDEFGHIJ01abcdef',
    merchant.token,
    `Bearer ${merchant.token}x`,
    `Bearer ${head}.${body}.`,
    `Bearer ${none}.${body}.`,
    `Bearer ${none}.${body}.${signature}`,
    `Bearer ${head}.${Buffer.from(JSON.stringify({ sub: other.id, jti, exp })).toString('base64url')}.${signature}`,
    `Bearer ${await make({ sub, jti, exp }, 'HS512', new Uint8Array(64))}`,
    `Bearer ${await make({ sub, jti, exp }, 'HS256', at.deps.secrets.derive('another purpose'))}`,
    `Bearer ${await make({ sub, jti })}`,
    `Bearer ${await make({ sub, exp })}`,
    `Bearer ${await make({ jti, exp })}`,
    `Bearer ${await make({ sub, jti, exp: exp - 3601 })}`,
    `Bearer ${await make({ sub: other.id, jti, exp })}`,
    `Bearer ${await make({ sub, jti: 'ses_01jd0000000000000000000000', exp })}`,
  ]
  for (const [method, url] of routes) {
    for (const authorization of refused) {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await at.app.inject({ method, url: `/api/v1/boss/${url}`, headers })
      assert.equal(answer.statusCode, 401, `${method} ${url} ${authorization}`)
      const { request_id, ...error } = answer.json().error
      const message = 'No valid console token was given. Sign in again.'
      assert.deepEqual(error, { type: 'authentication', code: 'invalid_token', message, param: null })
      assert.equal(answer.json().code, 40102)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
  }
  assert.equal((await call(at, merchant, 'GET', 'merchant')).statusCode, 200)
})

test('the guard stands before the body is read, and the scheme may be written in any case', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const headers = { 'content-type': 'application/json' }
  const stranger = await at.app.inject({ method: 'PATCH', url: '/api/v1/boss/merchant', headers, payload: '{broken' })
  assert.equal(stranger.statusCode, 401)
  const lower = { headers: { authorization: `bearer ${merchant.token}` } }
  assert.equal((await call(at, lower, 'GET', 'merchant')).statusCode, 200)
})

test('a token ends after seven days', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  at.clock.advance(7 * DAY_MS - 2000)
  assert.equal((await call(at, merchant, 'GET', 'merchant')).statusCode, 200)
  at.clock.advance(2000)
  assert.equal((await call(at, merchant, 'GET', 'merchant')).statusCode, 401)
})

test('an ended session is refused at once, on every replica', async (t) => {
  const at = await testApp(t)
  const replica = { app: await buildApp(at.deps) }
  t.after(() => replica.app.close())
  const merchant = await aMerchant(at.deps)
  assert.equal((await call(replica, merchant, 'GET', 'merchant')).statusCode, 200)
  const out = await call(at, merchant, 'POST', 'logout')
  assert.deepEqual([out.statusCode, out.json()], [200, { code: 0, data: {} }])
  assert.equal((await call(replica, merchant, 'GET', 'merchant')).statusCode, 401)
  assert.equal((await call(at, merchant, 'POST', 'logout')).statusCode, 401)
})

test('sessions are listed, ended singly and all at once; those of others do not exist', async (t) => {
  const at = await testApp(t)
  const tokens: { headers: { authorization: string } }[] = []
  for (let n = 0; n < 3; n++) {
    const who = { email: 'ann@shop.example', nonce: `browser number ${n} of Ann` }
    await at.app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: who })
    await sendDueMail(at.deps)
    const code = at.mailbox.mails.findLast((mail) => /^\d{6}\n/.test(mail.text))?.text.slice(0, 6)
    const answer = await at.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { 'user-agent': 'A Browser/1.0' },
      payload: { ...who, code },
    })
    tokens.push({ headers: { authorization: `Bearer ${answer.json().data.token}` } })
    at.clock.advance(10)
  }
  const [first, second, third] = tokens
  assert.ok(first && second && third)
  const list = (await call(at, second, 'GET', 'sessions')).json().data
  assert.deepEqual(
    list.data.map((session: { current: boolean }) => session.current),
    [false, true, false],
  )
  assert.deepEqual([list.has_more, list.next_cursor], [false, null])
  assert.equal(list.data[0].user_agent, 'A Browser/1.0')
  assert.equal(list.data[0].ip, '127.0.0.1')

  const page = (await call(at, second, 'GET', 'sessions?limit=2')).json().data
  assert.equal(page.has_more, true)
  const rest = (await call(at, second, 'GET', `sessions?limit=2&cursor=${page.next_cursor}`)).json().data
  assert.deepEqual([...page.data, ...rest.data], list.data)

  const stranger = await aMerchant(at.deps)
  const foreign = await call(at, stranger, 'DELETE', `sessions/${list.data[0].id}`)
  const missing = await call(at, stranger, 'DELETE', 'sessions/nonsense')
  assert.deepEqual([foreign.statusCode, foreign.json().error.code], [404, 'session_not_found'])
  assert.deepEqual({ ...missing.json().error, request_id: '' }, { ...foreign.json().error, request_id: '' })

  const ended = await call(at, second, 'DELETE', `sessions/${list.data[0].id}`)
  assert.deepEqual(ended.json(), { code: 0, data: { revoked: 1 } })
  assert.equal((await call(at, second, 'DELETE', `sessions/${list.data[0].id}`)).statusCode, 404)
  assert.equal((await call(at, third, 'GET', 'merchant')).statusCode, 401)
  assert.equal((await call(at, first, 'GET', 'merchant')).statusCode, 200)

  assert.deepEqual((await call(at, second, 'DELETE', 'sessions')).json(), { code: 0, data: { revoked: 2 } })
  for (const token of tokens) assert.equal((await call(at, token, 'GET', 'merchant')).statusCode, 401)
  assert.equal((await call(at, stranger, 'GET', 'merchant')).statusCode, 200)
})

test('bad paging is refused by name', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const cases: [string, number, string, string][] = [
    ['limit=0', 422, 'validation_failed', 'limit'],
    ['limit=101', 422, 'validation_failed', 'limit'],
    ['limit=x', 422, 'validation_failed', 'limit'],
    ['cursor=e30', 400, 'malformed_cursor', 'cursor'],
    ['cursor=%21', 422, 'validation_failed', 'cursor'],
    ['page=2', 422, 'unknown_field', 'page'],
  ]
  for (const [query, status, code, param] of cases) {
    const answer = await call(at, merchant, 'GET', `sessions?${query}`)
    const { error } = answer.json()
    assert.deepEqual([answer.statusCode, error.code, error.param], [status, code, param], query)
  }
})

test('when a session was last seen is written at most once a minute', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const seen = async (): Promise<number> => {
    const [row] = await at.deps.sql<{ at: Date }[]>`select last_seen_at as at from sessions`
    return row?.at.getTime() ?? 0
  }
  const start = await seen()
  at.clock.advance(MINUTE_MS - 1)
  await call(at, merchant, 'GET', 'merchant')
  assert.equal(await seen(), start)
  at.clock.advance(1)
  await Promise.all(Array.from({ length: 5 }, () => call(at, merchant, 'GET', 'merchant')))
  assert.equal(await seen(), start + MINUTE_MS)
})

test('a merchant can be named and unnamed; what is not given stays', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const change = async (body: object) => (await call(at, merchant, 'PATCH', 'merchant', body)).json().data.name
  assert.equal(await change({ name: '  Ann’s shop ' }), 'Ann’s shop')
  assert.equal(await change({}), 'Ann’s shop')
  assert.equal(await change({ name: null }), null)
  const bad: [object, string, string][] = [
    [{ name: '' }, 'validation_failed', 'name'],
    [{ name: '   ' }, 'validation_failed', 'name'],
    [{ name: 'a\nb' }, 'validation_failed', 'name'],
    [{ name: 'x'.repeat(101) }, 'validation_failed', 'name'],
    [{ name: 5 }, 'validation_failed', 'name'],
    [{ email: 'new@shop.example' }, 'unknown_field', 'email'],
  ]
  for (const [body, code, param] of bad) {
    const answer = await call(at, merchant, 'PATCH', 'merchant', body)
    const { error } = answer.json()
    assert.deepEqual([answer.statusCode, error.code, error.param], [422, code, param], JSON.stringify(body))
  }
})

test('the default settle chain is any known chain, answered by its id', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const change = async (chain: unknown) =>
    (await call(at, merchant, 'PATCH', 'merchant', { default_settle_chain: chain })).json()
  for (const [given, id] of [
    ['base', 'base'],
    ['Polygon', 'pol'],
    ['eip155:1', 'eth'],
    [null, null],
  ]) {
    assert.equal((await change(given)).data.default_settle_chain, id)
  }
  await change('btc')
  const named = await call(at, merchant, 'PATCH', 'merchant', { name: 'Shop' })
  assert.equal(named.json().data.default_settle_chain, 'btc')
  for (const [given, code] of [
    ['nochain', 'unknown_chain'],
    ['', 'unknown_chain'],
    [7, 'validation_failed'],
  ]) {
    const { error } = await change(given)
    assert.deepEqual([error.code, error.param], [code, 'default_settle_chain'])
  }
  const told = await at.deps.sql<{ detail: object; actor: string }[]>`
    select detail, actor from audit_log where action = 'default_settle_chain.changed' order by id desc limit 2`
  assert.deepEqual(
    told.map((row) => ({ ...row })),
    [
      { detail: { before: null, after: 'btc' }, actor: merchant.email },
      { detail: { before: 'eth', after: null }, actor: merchant.email },
    ],
  )
})

test('time zone: none until the merchant sets one → a zone by its name, audited', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const zoneOf = async () => (await call(at, merchant, 'GET', 'merchant')).json().data.time_zone
  assert.equal(await zoneOf(), null)
  for (const zone of ['Asia/Kathmandu', 'america/new_york', 'UTC']) {
    assert.equal((await call(at, merchant, 'PATCH', 'merchant', { time_zone: zone })).statusCode, 200)
  }
  assert.equal(await zoneOf(), 'UTC')
  for (const zone of ['', '+05:45', 'Mars/Base', 'Europe/Berlin\n', null, 7]) {
    const { error } = (await call(at, merchant, 'PATCH', 'merchant', { time_zone: zone })).json()
    assert.deepEqual([error.code, error.param], ['validation_failed', 'time_zone'], String(zone))
  }
  const told = await at.deps.sql<{ detail: object }[]>`
    select detail from audit_log where action = 'time_zone.changed' order by id`
  assert.deepEqual(
    told.map(({ detail }) => detail),
    [
      { before: null, after: 'Asia/Kathmandu' },
      { before: 'Asia/Kathmandu', after: 'America/New_York' },
      { before: 'America/New_York', after: 'UTC' },
    ],
  )
})

test('an operator is known by the email, however it is written', async (t) => {
  const { deps } = await testDeps(t, { operatorEmails: ['boss@müller.example', 'not an address'] })
  const app = await buildApp(deps)
  t.after(() => app.close())
  app.get('/api/v1/boss/rails-of-all', { config: { operator: true } }, async (request) => ({
    code: 0,
    data: request.merchant.isOperator,
  }))
  const boss = await aMerchant(deps, 'Boss@MÜLLER.example')
  const other = await aMerchant(deps)
  assert.equal((await call({ app }, boss, 'GET', 'rails-of-all')).json().data, true)
  const refused = await call({ app }, other, 'GET', 'rails-of-all')
  assert.deepEqual([refused.statusCode, refused.json().error.code], [403, 'operator_required'])
})

test('old codes, wrong tries and sessions are forgotten', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  await at.app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: { email: 'ann@shop.example' } })
  const login = { email: 'ann@shop.example', code: 'x' }
  await at.app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: login })
  const sweep = loginSweepJob(at.deps)
  const run = (): Promise<number> => sweep.run(new AbortController().signal)
  assert.equal(await run(), 0)
  at.clock.advance(DAY_MS + 1)
  assert.equal(await run(), 2)
  assert.equal((await call(at, merchant, 'GET', 'merchant')).statusCode, 200)
  at.clock.advance(37 * DAY_MS)
  assert.equal(await run(), 1)
})

test('neither code nor token nor session id ever reaches the log', async (t) => {
  const { deps, mailbox } = await testDeps(t)
  const captured = capturedLog()
  const app = await buildApp({ ...deps, log: captured.log })
  t.after(() => app.close())
  const email = 'ann@shop.example'
  await app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: { email } })
  await sendDueMail({ ...deps, log: captured.log })
  const code = mailbox.mails[0]?.text.slice(0, 6) ?? ''
  const wrong = await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: { email, code: '98765-wrong' } })
  assert.equal(wrong.statusCode, 401)
  const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: { email, code } })
  const { token } = answer.json().data
  const headers = { authorization: `Bearer ${token}` }
  const sessions = (await app.inject({ url: '/api/v1/boss/sessions', headers })).json().data.data
  await app.inject({ method: 'DELETE', url: `/api/v1/boss/sessions/${sessions[0].id}`, headers })
  await app.inject({ url: '/api/v1/boss/merchant', headers })
  const text = captured.text()
  assert.match(text, /"route":"\/api\/v1\/boss\/sessions\/:id"/)
  for (const secret of [code, '98765-wrong', token, token.split('.')[2], sessions[0].id]) {
    assert.equal(text.includes(secret), false, `the log holds ${secret}`)
  }
})
