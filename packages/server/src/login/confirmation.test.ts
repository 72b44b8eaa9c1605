// What an old sign-in is asked for, and that the question can be answered by the mailbox alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { aMerchant, anApiKey, aReceivingAddress, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'
import { warmed } from '../../test/warm.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
async function call(at: TestApp, who: Pick<TestMerchant, 'headers'>, method: Method, path: string, payload?: object) {
  const url = `/api/v1/boss/${path}`
  const { headers } = who
  const reply = await at.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  const { data, error } = reply.json()
  return { status: reply.statusCode, data, error, headers: reply.headers }
}

const newest = async (at: TestApp) => {
  await sendDueMail(at.deps)
  return at.mailbox.mails.at(-1) ?? assert.fail('no mail')
}
const codeIn = (text: string): string => /^(\d{6})\n\n/.exec(text)?.[1] ?? assert.fail('no code')
const wrongOf = (code: string): string => (code === '000000' ? '111111' : '000000')

async function oldSession(t: Parameters<typeof testApp>[0], overrides = {}) {
  const at = await testApp(t, overrides)
  const merchant = await aMerchant(at.deps)
  await aReceivingAddress(at.deps, merchant)
  const key = await anApiKey(at.deps, merchant)
  // Out of the way: mails of one moment come in any order.
  await sendDueMail(at.deps)
  at.clock.advance(15 * MINUTE_MS)
  return { at, merchant, key }
}

test('every act that can move money asks an old sign-in for a code, and takes place after it', async (t) => {
  const { at, merchant, key } = await oldSession(t)
  const acts: [Method, string, object?][] = [
    ['POST', `appkeys/${key.id}/rotate`],
    ['POST', `appkeys/${key.id}/webhook-secret/rotate`],
    ['PATCH', `appkeys/${key.id}`, { scopes: ['orders:read', 'refunds:write'] }],
    ['POST', 'appkeys', { name: 'r', scopes: ['refunds:write'] }],
    ['PATCH', 'merchant', { default_settle_chain: 'eth' }],
  ]
  for (const [method, path, body] of acts) {
    const refused = await call(at, merchant, method, path, body)
    assert.deepEqual([refused.status, refused.error?.code], [403, 'confirmation_required'], path)
    assert.match(refused.error.message, /POST \/api\/v1\/boss\/confirmation\/code/)
  }
  // What moves nothing goes on as it was.
  for (const [method, path, body] of [
    ['PATCH', `appkeys/${key.id}`, { name: 'renamed', scopes: ['orders:read'] }],
    ['PATCH', 'merchant', { name: 'Shop', default_settle_chain: 'base' }],
    ['GET', 'orders?livemode=false'],
  ] as const) {
    assert.equal((await call(at, merchant, method, path, body)).status, 200, path)
  }
  assert.equal((await call(at, merchant, 'GET', 'confirmation')).data.is_fresh, false)
  const sent = await call(at, merchant, 'POST', 'confirmation/code')
  assert.deepEqual(sent.data, { sent: true, expires_in: 600, resend_after: 60 })
  await sendDueMail(at.deps)
  const mail = at.mailbox.mails.findLast((each) => /^\d{6}\n\n/.test(each.text)) ?? assert.fail('no code was mailed')
  assert.equal(mail.to, merchant.email)
  const done = await call(at, merchant, 'POST', 'confirmation', { code: codeIn(mail.text) })
  const until = new Date(at.clock.now().getTime() + 15 * MINUTE_MS).toISOString()
  assert.deepEqual([done.status, done.data], [200, { is_fresh: true, fresh_until: until }])
  for (const [method, path, body] of acts) {
    assert.equal((await call(at, merchant, method, path, body)).status, 200, path)
  }
  await sendDueMail(at.deps)
  const subjects = at.mailbox.mails.map((each) => each.subject)
  for (const subject of [
    'An API key was rotated',
    'A webhook secret was rotated',
    'Your default settle chain was changed',
  ])
    assert.ok(subjects.includes(subject), subject)
  at.clock.advance(15 * MINUTE_MS)
  assert.equal((await call(at, merchant, 'POST', `appkeys/${key.id}/rotate`)).status, 403)
})

test('a new key from an old sign-in never refunds, and its mail revokes it and ends the session', async (t) => {
  const { at, merchant } = await oldSession(t)
  const made = await call(at, merchant, 'POST', 'appkeys', { name: 'thief' })
  assert.equal(made.status, 200)
  assert.ok(!made.data.scopes.includes('refunds:write'))
  const mail = await newest(at)
  assert.equal(mail.subject, 'A new API key was made')
  const path = /\/mail\/[0-9A-Za-z]{32}/.exec(mail.text)?.[0] ?? ''
  const key = { 'x-api-key': made.data.api_key }
  const works = async () => (await at.app.inject({ url: '/v1/orders', headers: key })).statusCode
  for (const method of ['GET', 'HEAD'] as const)
    assert.equal((await at.app.inject({ method, url: path })).statusCode, 200)
  assert.equal(await works(), 200, 'a look does nothing')
  const page = await at.app.inject({ url: path })
  assert.match(
    String(page.headers['content-security-policy']),
    /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self'/,
  )
  assert.doesNotMatch(page.body, /<script/)
  assert.match(page.body, /name="viewport"/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  const done = await at.app.inject({ method: 'POST', url: path })
  assert.match(done.body, /The key is revoked/)
  assert.equal(await works(), 401)
  assert.equal((await call(at, merchant, 'GET', 'merchant')).error.code, 'invalid_token')
  for (const url of [path, '/mail/x', `/mail/${'0'.repeat(32)}`])
    assert.equal((await at.app.inject({ method: 'POST', url })).statusCode, 404)
})

test('of twenty clicks at the same time one does it', async (t) => {
  const { at, merchant } = await oldSession(t)
  await call(at, merchant, 'POST', 'appkeys', { name: 'k' })
  const url = /\/mail\/[0-9A-Za-z]{32}/.exec((await newest(at)).text)?.[0] ?? ''
  const clicks = await Promise.all(Array.from({ length: 20 }, () => at.app.inject({ method: 'POST', url })))
  assert.equal(clicks.filter((each) => each.statusCode === 200).length, 1)
})

test('a code is asked for once a minute and ten times an hour, in each session on its own', async (t) => {
  const { at, merchant } = await oldSession(t, { rateLimits: true })
  const ask = () => call(at, merchant, 'POST', 'confirmation/code')
  assert.equal((await ask()).status, 200)
  const soon = await ask()
  assert.deepEqual([soon.status, soon.headers['retry-after']], [429, '60'])
  for (let n = 1; n < 10; n++) {
    at.clock.advance(MINUTE_MS)
    assert.equal((await ask()).status, 200)
  }
  at.clock.advance(MINUTE_MS)
  assert.equal((await ask()).status, 429)
  at.clock.advance(HOUR_MS)
  assert.equal((await ask()).status, 200)
})

test('a confirmation code is worth nothing elsewhere: not to sign in, not in another session, not twice, not late', async (t) => {
  const { at, merchant } = await oldSession(t)
  await call(at, merchant, 'POST', 'confirmation/code')
  const code = codeIn((await newest(at)).text)
  const login = await at.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { email: merchant.email, code },
  })
  assert.equal(login.json().error.code, 'invalid_login')
  const other = await aMerchant(at.deps)
  const confirm = (who: TestMerchant, given: string) => call(at, who, 'POST', 'confirmation', { code: given })
  assert.equal((await confirm(other, code)).error.code, 'invalid_confirmation')
  at.clock.advance(10 * MINUTE_MS)
  assert.equal((await confirm(merchant, code)).error.code, 'invalid_confirmation')
  await call(at, merchant, 'POST', 'confirmation/code')
  const second = codeIn((await newest(at)).text)
  await call(at, merchant, 'POST', 'confirmation/code')
  const third = codeIn((await newest(at)).text)
  if (second !== third) assert.equal((await confirm(merchant, second)).status, 401, 'the newest alone can be right')
  assert.equal((await confirm(merchant, third)).status, 200)
  assert.equal((await confirm(merchant, third)).status, 401)
})

test('each session has a code of its own, however many others ask for theirs after it', async (t) => {
  const { at, merchant } = await oldSession(t)
  await call(at, merchant, 'POST', 'confirmation/code')
  const first = codeIn((await newest(at)).text)
  at.clock.advance(MINUTE_MS)
  const other = await aMerchant(at.deps)
  await call(at, other, 'POST', 'confirmation/code')
  const second = codeIn((await newest(at)).text)
  assert.equal((await call(at, merchant, 'POST', 'confirmation', { code: first })).status, 200)
  assert.equal((await call(at, other, 'POST', 'confirmation', { code: second })).status, 200)
})

test('a thief with a token can neither guess the code nor keep the owner from confirming', async (t) => {
  const { at, merchant } = await oldSession(t)
  const confirm = (code: string) => call(at, merchant, 'POST', 'confirmation', { code })
  // No code, no count.
  for (let n = 0; n < 30; n++) assert.equal((await confirm('123456')).error.code, 'invalid_confirmation')
  let tries = 0
  for (const round of [1, 2]) {
    await call(at, merchant, 'POST', 'confirmation/code')
    const code = codeIn((await newest(at)).text)
    for (let n = 0; n < 5; n++) {
      tries++
      const answer = await confirm(wrongOf(code))
      assert.equal(answer.error.code, tries === 10 ? 'invalid_token' : 'invalid_confirmation')
    }
    // Void after five, the right one included.
    if (round === 1) assert.equal((await confirm(code)).error.code, 'invalid_confirmation')
  }
  assert.equal((await call(at, merchant, 'GET', 'merchant')).status, 401, 'the session has ended')
  const mail = await newest(at)
  assert.equal(mail.subject, 'A session was ended: too many wrong codes')
  // The owner signs in as ever, and is fresh.
  await at.app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: { email: merchant.email } })
  const payload = { email: merchant.email, code: codeIn((await newest(at)).text) }
  const login = await at.app.inject({ method: 'POST', url: '/api/v1/auth/login', payload })
  assert.equal(login.statusCode, 200)
})

test('wrong codes side by side are counted one by one', async (t) => {
  const { at, merchant } = await oldSession(t)
  await warmed(at.deps.sql)
  await call(at, merchant, 'POST', 'confirmation/code')
  const code = codeIn((await newest(at)).text)
  await Promise.all(
    Array.from({ length: 12 }, () => call(at, merchant, 'POST', 'confirmation', { code: wrongOf(code) })),
  )
  assert.equal((await call(at, merchant, 'POST', 'confirmation', { code })).error.code, 'invalid_confirmation')
})

test('the mail with the code ends the session that asked, and no other', async (t) => {
  const { at, merchant } = await oldSession(t)
  await call(at, merchant, 'POST', 'confirmation/code')
  const url = /\/mail\/[0-9A-Za-z]{32}/.exec((await newest(at)).text)?.[0] ?? ''
  const other = await aMerchant(at.deps)
  assert.match((await at.app.inject({ method: 'POST', url })).body, /The session has ended/)
  assert.equal((await call(at, merchant, 'GET', 'merchant')).status, 401)
  assert.equal((await call(at, other, 'GET', 'merchant')).status, 200)
})

test('the default chain goes back by the link, unless it was changed again', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const set = (chain: string | null) => call(at, merchant, 'PATCH', 'merchant', { default_settle_chain: chain })
  await set('base')
  await sendDueMail(at.deps)
  await set('eth')
  const url = /\/mail\/[0-9A-Za-z]{32}/.exec((await newest(at)).text)?.[0] ?? ''
  assert.match((await at.app.inject({ url })).body, /Before, and then again: base/)
  await at.app.inject({ method: 'POST', url })
  const [row] = await at.deps.sql<
    { chain: string }[]
  >`select default_settle_chain as chain from merchants where id = ${merchant.id}`
  assert.equal(row?.chain, 'base')
})

test('a link is good for 72 hours', async (t) => {
  const { at, merchant } = await oldSession(t)
  await call(at, merchant, 'POST', 'appkeys', { name: 'k' })
  const url = /\/mail\/[0-9A-Za-z]{32}/.exec((await newest(at)).text)?.[0] ?? ''
  at.clock.advance(3 * DAY_MS - 1)
  assert.equal((await at.app.inject({ url })).statusCode, 200)
  at.clock.advance(1)
  assert.equal((await at.app.inject({ url })).statusCode, 404)
})
