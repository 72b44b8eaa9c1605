import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mail } from '@florin/platform/mail/mailer'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { jwtVerify } from 'jose'
import { aMerchant } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'
import { warmed } from '../../test/warm.ts'

const post = (at: TestApp, url: string, body: object, ip = '127.0.0.1') =>
  at.app.inject({ method: 'POST', url, payload: body, remoteAddress: ip })
const ask = (at: TestApp, email: string, ip?: string) => post(at, '/api/v1/auth/code', { email }, ip)
const login = (at: TestApp, email: string, code: string) => post(at, '/api/v1/auth/login', { email, code })

/** Sends what is due and answers the newest mail to this address. */
async function newestMail(at: TestApp, to: string): Promise<Mail | undefined> {
  await sendDueMail(at.deps)
  return at.mailbox.mails.filter((mail) => mail.to === to).at(-1)
}

async function codeFor(at: TestApp, email: string): Promise<string> {
  assert.equal((await ask(at, email)).statusCode, 200)
  const mail = await newestMail(at, email)
  return /^(\d{6})\n\n/.exec(mail?.text ?? '')?.[1] ?? assert.fail('no code was mailed')
}

const wrongOf = (code: string): string => (code === '000000' ? '111111' : '000000')

test('an emailed code becomes a console token, a merchant and a session; the merchant is told', async (t) => {
  const at = await testApp(t)
  const asked = await ask(at, 'Ann@Shop.example')
  assert.deepEqual(asked.json(), { code: 0, data: { sent: true, expires_in: 600, resend_after: 60, code_length: 6 } })
  const mail = await newestMail(at, 'ann@shop.example')
  const code = /^(\d{6})\n\n/.exec(mail?.text ?? '')?.[1] ?? ''
  const answer = await login(at, 'ANN@shop.example', code)
  assert.equal(answer.statusCode, 200)
  const { token, merchant, expires_at } = answer.json().data
  assert.deepEqual(Object.keys(merchant), ['id', 'email', 'name', 'default_settle_chain', 'time_zone', 'created_at'])
  assert.match(merchant.id, /^mer_/)
  assert.equal(merchant.email, 'ann@shop.example')
  const lifetime = Date.parse(expires_at) - at.clock.now().getTime()
  assert.ok(lifetime > 7 * DAY_MS - 1000 && lifetime <= 7 * DAY_MS)

  const { payload, protectedHeader } = await jwtVerify(token, at.deps.secrets.derive('console token'))
  assert.equal(protectedHeader.alg, 'HS256')
  assert.equal(payload.sub, merchant.id)
  assert.equal((payload.exp ?? 0) * 1000, Date.parse(expires_at))

  const headers = { authorization: `Bearer ${token}` }
  const me = await at.app.inject({ url: '/api/v1/boss/merchant', headers })
  assert.deepEqual(me.json(), { code: 0, data: merchant })
  const notice = await newestMail(at, 'ann@shop.example')
  assert.equal(notice?.subject, 'New sign-in to your account')

  // The second sign-in finds the same merchant.
  at.clock.advance(MINUTE_MS)
  const again = await login(at, 'ann@shop.example', await codeFor(at, 'ann@shop.example'))
  assert.equal(again.json().data.merchant.id, merchant.id)
  assert.notEqual(again.json().data.token, token)
})

test('a code works once, for ten minutes, for its own email; every failure has one and the same message', async (t) => {
  const at = await testApp(t)
  const used = await codeFor(at, 'ann@shop.example')
  assert.equal((await login(at, 'ann@shop.example', used)).statusCode, 200)
  const late = await codeFor(at, 'late@shop.example')
  const others = await codeFor(at, 'bob@shop.example')
  const bodies = [
    await login(at, 'ann@shop.example', used),
    await login(at, 'ann@shop.example', others),
    await login(at, 'stranger@shop.example', '123456'),
    await login(at, 'bob@shop.example', wrongOf(others)),
    await login(at, 'bob@shop.example', `${others} `),
    await login(at, 'bob@shop.example', 'not six digits'),
  ]
  at.clock.advance(10 * MINUTE_MS)
  bodies.push(await login(at, 'late@shop.example', late))
  for (const answer of bodies) {
    assert.equal(answer.statusCode, 401)
    const body = answer.json()
    assert.equal(body.code, 40103)
    assert.deepEqual({ ...body.error, request_id: '' }, { ...bodies[0]?.json().error, request_id: '' })
    assert.equal(body.error.code, 'invalid_login')
  }
})

test('five wrong tries void a code, even a right sixth one', async (t) => {
  const at = await testApp(t)
  const first = await codeFor(at, 'ann@shop.example')
  for (let n = 0; n < 4; n++) assert.equal((await login(at, 'ann@shop.example', wrongOf(first))).statusCode, 401)
  assert.equal((await login(at, 'ann@shop.example', first)).statusCode, 200)
  const second = await codeFor(at, 'ann@shop.example')
  for (let n = 0; n < 5; n++) assert.equal((await login(at, 'ann@shop.example', wrongOf(second))).statusCode, 401)
  assert.equal((await login(at, 'ann@shop.example', second)).statusCode, 401)
})

test('a code gives way to the next one of the same browser, and to nobody else’s', async (t) => {
  const at = await testApp(t)
  const older = await codeFor(at, 'ann@shop.example')
  at.clock.advance(1000)
  const newer = await codeFor(at, 'ann@shop.example')
  for (let n = 0; n < 8; n++) await ask(at, 'ann@shop.example', `192.0.2.${n}`)
  assert.equal((await login(at, 'ann@shop.example', older)).statusCode, 401)
  assert.equal((await login(at, 'ann@shop.example', newer)).statusCode, 200)
})

test('of twenty sign-ins with one code at the same time exactly one wins', async (t) => {
  const at = await testApp(t)
  await warmed(at.deps.sql)
  const code = await codeFor(at, 'ann@shop.example')
  const answers = await Promise.all(Array.from({ length: 20 }, () => login(at, 'ann@shop.example', code)))
  const won = answers.filter((answer) => answer.statusCode === 200)
  assert.equal(won.length, 1)
  assert.deepEqual([...(await at.deps.sql`select count(*)::int as n from sessions`)], [{ n: 1 }])
  assert.deepEqual([...(await at.deps.sql`select count(*)::int as n from merchants`)], [{ n: 1 }])
})

test('wrong tries side by side are counted one by one: a sixth guess never meets a live code', async (t) => {
  const at = await testApp(t)
  await warmed(at.deps.sql)
  const code = await codeFor(at, 'ann@shop.example')
  const guesses = Array.from({ length: 12 }, () => login(at, 'ann@shop.example', wrongOf(code)))
  assert.ok((await Promise.all(guesses)).every((answer) => answer.statusCode === 401))
  assert.deepEqual([...(await at.deps.sql`select wrong_tries as tries from login_codes`)], [{ tries: 5 }])
  assert.deepEqual([...(await at.deps.sql`select tries from login_wrong_tries`)], [{ tries: 5 }])
  assert.equal((await login(at, 'ann@shop.example', code)).statusCode, 401)
})

test('codes are limited per browser: one a minute, ten an hour', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  assert.equal((await ask(at, 'ann@shop.example')).statusCode, 200)
  at.clock.advance(1500)
  const soon = await ask(at, 'ANN@shop.example')
  assert.equal(soon.statusCode, 429)
  assert.equal(soon.headers['retry-after'], '59')
  assert.equal(soon.json().error.code, 'rate_limited')
  for (let n = 1; n < 10; n++) {
    at.clock.advance(MINUTE_MS)
    assert.equal((await ask(at, 'ann@shop.example')).statusCode, 200)
  }
  at.clock.advance(MINUTE_MS)
  assert.equal((await ask(at, 'ann@shop.example')).statusCode, 429)
  assert.equal((await ask(at, 'bob@shop.example')).statusCode, 200)
  at.clock.advance(HOUR_MS - 10 * MINUTE_MS)
  assert.equal((await ask(at, 'ann@shop.example')).statusCode, 200)
})

test('codes are limited per client: thirty an hour, an IPv6 network counted as one', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  for (let n = 0; n < 30; n++)
    assert.equal((await ask(at, `a${n}@shop.example`, `2001:db8:1:2::${n + 1}`)).statusCode, 200)
  const more = await ask(at, 'more@shop.example', '2001:db8:1:2:ffff::1')
  assert.equal(more.statusCode, 429)
  assert.equal(more.headers['retry-after'], '3600')
  assert.equal((await ask(at, 'more@shop.example', '2001:db8:1:3::1')).statusCode, 200)
  at.clock.advance(HOUR_MS)
  assert.equal((await ask(at, 'other@shop.example', '2001:db8:1:2::1')).statusCode, 200)
})

test('whose request it is a proxy may say only where it is trusted', async (t) => {
  for (const [trustProxy, statuses] of [
    [[], [200, 429]],
    [['127.0.0.0/8'], [200, 200]],
  ] as const) {
    const at = await testApp(t, { rateLimits: true, trustProxy })
    const askVia = async (email: string, client: string): Promise<number> => {
      const headers = { 'x-forwarded-for': `198.51.100.7, ${client}` }
      const answer = await at.app.inject({ method: 'POST', url: '/api/v1/auth/code', headers, payload: { email } })
      return answer.statusCode
    }
    for (let n = 0; n < 29; n++) await askVia(`a${n}@shop.example`, '203.0.113.1')
    assert.deepEqual(
      [await askVia('b@shop.example', '203.0.113.1'), await askVia('c@shop.example', '203.0.113.2')],
      statuses,
    )
  }
})

test('of ten requests for a code at the same time one is served', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  await warmed(at.deps.sql)
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(at, 'ann@shop.example')))
  const statuses = answers.map((answer) => answer.statusCode).sort()
  assert.deepEqual(statuses, [200, ...Array<number>(9).fill(429)])
})

test('with sign-up closed a stranger sees no difference but gets no mail and never comes in', async (t) => {
  const at = await testApp(t, { signup: { kind: 'closed' }, operatorEmails: ['Boss@Shop.example'] })
  await aMerchant(at.deps, 'ann@shop.example')
  const known = await ask(at, 'ann@shop.example')
  const unknown = await ask(at, 'eve@shop.example')
  assert.deepEqual(unknown.json(), known.json())
  assert.deepEqual(Object.keys(unknown.headers), Object.keys(known.headers))
  // The same rows are written for both, so both take the same time.
  assert.deepEqual(
    [...(await at.deps.sql`select count(*)::int as n from mail_outbox group by octet_length(box)`)],
    [{ n: 2 }],
  )
  assert.equal((await ask(at, 'boss@shop.example')).statusCode, 200)
  await sendDueMail(at.deps)
  assert.deepEqual(at.mailbox.mails.map((mail) => mail.to).sort(), ['ann@shop.example', 'boss@shop.example'])
  assert.deepEqual([...(await at.deps.sql`select id from mail_outbox`)], [])
  const refused = await login(at, 'eve@shop.example', '123456')
  assert.equal(refused.statusCode, 401)
  assert.equal(refused.json().error.code, 'invalid_login')
})

test('an allow list admits who is on it, and nobody who was on it when the code was mailed only', async (t) => {
  const at = await testApp(t, { signup: { kind: 'allowlist', patterns: ['*@shop.example'] } })
  const code = await codeFor(at, 'ann@shop.example')
  await ask(at, 'ann@elsewhere.example')
  assert.equal(await newestMail(at, 'ann@elsewhere.example'), undefined)
  Object.assign(at.deps, { config: { ...at.deps.config, signup: { kind: 'closed' } } })
  assert.equal((await login(at, 'ann@shop.example', code)).statusCode, 401)
  assert.deepEqual([...(await at.deps.sql`select id from merchants`)], [])
})

test('bad input is refused by name before anything is written', async (t) => {
  const at = await testApp(t)
  const cases: [string, object, number, string, string | null][] = [
    ['/api/v1/auth/code', {}, 422, 'missing_field', 'email'],
    ['/api/v1/auth/code', { email: 'nobody' }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: '' }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: 7 }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: null }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: ['ann@shop.example'] }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: `${'a'.repeat(2000)}@shop.example` }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: 'a@shop.example\r\nBcc: b@x.example' }, 422, 'validation_failed', 'email'],
    ['/api/v1/auth/code', { email: 'ann@shop.example', cc: 'x' }, 422, 'unknown_field', 'cc'],
    ['/api/v1/auth/code', [], 422, 'validation_failed', null],
    ['/api/v1/auth/login', { email: 'ann@shop.example' }, 422, 'missing_field', 'code'],
    ['/api/v1/auth/login', { email: 'ann@shop.example', code: 123456 }, 422, 'validation_failed', 'code'],
    ['/api/v1/auth/login', { email: 'ann', code: '123456' }, 422, 'validation_failed', 'email'],
  ]
  for (const [url, body, status, code, param] of cases) {
    const answer = await post(at, url, body)
    const { error } = answer.json()
    assert.deepEqual([answer.statusCode, error.code, error.param], [status, code, param], JSON.stringify(body))
  }
  assert.deepEqual([...(await at.deps.sql`select id from login_codes`)], [])
  assert.deepEqual([...(await at.deps.sql`select email from login_wrong_tries`)], [])
})
