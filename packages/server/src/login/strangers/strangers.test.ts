// Attacks on sign-in by strangers who know nothing but an email: they cannot guess their way in, cannot keep the owner
// out, and cannot make this service a source of mail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { aMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import { flood } from './strangers.fixture.ts'

const email = 'ann@shop.example'
const post = (at: TestApp, path: string, payload: object, ip = '127.0.0.1', cookie = '') =>
  at.app.inject({
    method: 'POST',
    url: `/api/v1/auth/${path}`,
    payload,
    remoteAddress: ip,
    headers: cookie ? { cookie } : {},
  })

const sendAll = async (at: TestApp): Promise<void> => {
  while ((await sendDueMail(at.deps)) > 0);
}

/** The newest code or link in the owner's mailbox. */
async function newest(at: TestApp, pattern: RegExp): Promise<string> {
  await sendAll(at)
  const mail = at.mailbox.mails.filter((one) => one.to === email && pattern.test(one.text)).at(-1)
  return pattern.exec(mail?.text ?? '')?.[1] ?? assert.fail(`no mail has ${pattern}`)
}
const code = /^(\d{6}|[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})\n\n/
const link = /#link=([0-9A-Za-z]{32})/

/** As the owner's page does it: one nonce for both calls. */
async function ownerSignsIn(at: TestApp, n: number): Promise<number> {
  const nonce = `the owner of this mailbox ${n}`
  assert.equal((await post(at, 'code', { email, nonce })).statusCode, 200)
  return (await post(at, 'login', { email, nonce, code: await newest(at, code) })).statusCode
}

test('a stranger with wrong codes from many addresses stops nobody: the owner signs in at the first try', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  await aMerchant(at.deps, email)
  await flood(at, {
    email,
    wrongCodes: 300,
    addresses: 25,
    hour: HOUR_MS,
    owner: (n) => ownerSignsIn(at, n),
    ownerTimes: 3,
  })
})

test('strangers share ten guesses a day however many browsers, addresses and codes they have', async (t) => {
  const at = await testApp(t)
  await aMerchant(at.deps, email)
  let long = 0
  for (let n = 0; n < 40; n++) {
    const nonce = `a stranger's browser ${n}`
    const asked = await post(at, 'code', { email, nonce }, `192.0.2.${n}`)
    if (asked.json().data.code_length === 12) long += 1
    for (let guess = 0; guess < 6; guess++) {
      const answer = await post(at, 'login', { email, nonce, code: String(guess).repeat(6) }, `192.0.2.${n}`)
      assert.equal(answer.statusCode, 401)
    }
    at.clock.advance(20 * MINUTE_MS)
  }
  assert.equal(long, 38, 'two codes of six digits are all that strangers may guess at')
  const [{ tries } = { tries: 0 }] = await at.deps.sql<{ tries: number }[]>`
    select sum(wrong_tries)::int as tries from login_codes where not is_long`
  assert.equal(tries, 10)
  // The owner, whose code is long now, types it as people do.
  const nonce = 'the owner of this mailbox'
  assert.equal((await post(at, 'code', { email, nonce })).json().data.code_length, 12)
  const mailed = await newest(at, code)
  assert.equal(
    (await post(at, 'login', { email, nonce, code: ` ${mailed.toLowerCase().replaceAll('-', ' ')}` })).statusCode,
    200,
  )
  at.clock.advance(DAY_MS)
  assert.equal((await post(at, 'code', { email, nonce })).json().data.code_length, 6)
})

test('guesses without a code of the same browser are compared with none and counted nowhere', async (t) => {
  const at = await testApp(t)
  await aMerchant(at.deps, email)
  const nonce = 'the owner of this mailbox'
  await post(at, 'code', { email, nonce })
  const right = await newest(at, code)
  // Even the right one, from another browser or none.
  assert.equal((await post(at, 'login', { email, code: right })).statusCode, 401)
  assert.equal((await post(at, 'login', { email, code: right, nonce: 'another browser altogether' })).statusCode, 401)
  assert.deepEqual([...(await at.deps.sql`select email from login_wrong_tries`)], [])
  assert.equal((await post(at, 'login', { email, code: right, nonce })).statusCode, 200)
})

test('who asks for codes without end gets twenty mails an hour out; the owner has a link and a known browser', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  const merchant = await aMerchant(at.deps, email)
  const first = await post(at, 'code', { email, nonce: 'the owner of this mailbox' })
  assert.equal(first.statusCode, 200)
  const entered = await post(at, 'login', { email, nonce: 'the owner of this mailbox', code: await newest(at, code) })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  assert.match(cookie, /florin_browser_\w{10}=/)
  at.clock.advance(HOUR_MS)

  await sendAll(at)
  const before = at.mailbox.mails.length
  const statuses: number[] = []
  for (let n = 0; n < 60; n++) {
    statuses.push(
      (await post(at, 'code', { email, nonce: `a stranger's browser ${n}` }, `198.51.100.${n % 20}`)).statusCode,
    )
    at.clock.advance(10 * SECOND_MS)
    // Codes are for minutes: what waits is sent as the job does it.
    await sendAll(at)
  }
  assert.equal(statuses.filter((status) => status === 200).length, 20)
  assert.equal(at.mailbox.mails.length - before, 21, 'and one that tells the owner')

  // On a browser that the account knows nothing is in the way.
  const known = await post(at, 'code', { email, nonce: 'the owner, tomorrow' }, '203.0.113.9', cookie)
  assert.equal(known.statusCode, 200)
  const login = await post(
    at,
    'login',
    { email, nonce: 'the owner, tomorrow', code: await newest(at, code) },
    '203.0.113.9',
    cookie,
  )
  assert.equal(login.statusCode, 200)
  // On any other the link of the mail does it, once.
  const unknown = await post(at, 'code', { email, nonce: 'the owner, on a phone' }, '203.0.113.8')
  assert.equal(unknown.statusCode, 429)
  assert.match(unknown.json().error.message, /mailbox has a link/)
  const token = await newest(at, link)
  const byLink = await post(at, 'link', { token }, '203.0.113.8')
  assert.equal(byLink.statusCode, 200)
  assert.equal(byLink.json().data.merchant.id, merchant.id)
  const again = await post(at, 'link', { token })
  assert.deepEqual([again.statusCode, again.json().error.code], [401, 'invalid_login'])
})

test('a link of the mail is nothing to the page of other links, and does not outlive its day', async (t) => {
  const at = await testApp(t)
  await aMerchant(at.deps, email)
  for (let n = 0; n < 2; n++) {
    const nonce = `a stranger's browser ${n}`
    await post(at, 'code', { email, nonce })
    for (let guess = 0; guess < 5; guess++) await post(at, 'login', { email, nonce, code: 'wrong' })
  }
  const token = await newest(at, link)
  assert.equal((await at.app.inject({ url: `/mail/${token}` })).statusCode, 404)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await at.app.inject({ method: 'POST', url: `/mail/${token}`, headers, payload: '' })
  at.clock.advance(DAY_MS - 1000)
  assert.equal((await post(at, 'link', { token })).statusCode, 200)
  at.clock.advance(1000)
  assert.equal((await post(at, 'link', { token: 'x'.repeat(32) })).statusCode, 401)
})

test('strangers cannot make this service mail the world: so many codes an hour go to emails that nobody here has', async (t) => {
  const at = await testApp(t, { rateLimits: true, signupMailsPerHour: 5 })
  await aMerchant(at.deps, email)
  for (let n = 0; n < 12; n++) {
    const answer = await post(at, 'code', { email: `victim${n}@elsewhere.example` }, `198.51.100.${n}`)
    assert.equal(answer.statusCode, 200, 'the same answer, so that nobody learns which emails are known')
  }
  await sendAll(at)
  assert.equal(at.mailbox.mails.length, 5)
  assert.equal(await ownerSignsIn(at, 1), 200, 'merchants sign in all the while')
  at.clock.advance(HOUR_MS)
  await post(at, 'code', { email: 'late@elsewhere.example' }, '198.51.100.99')
  await sendAll(at)
  assert.equal(at.mailbox.mails.filter((mail) => mail.to === 'late@elsewhere.example').length, 1)
})
