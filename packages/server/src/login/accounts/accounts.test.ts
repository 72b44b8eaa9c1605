// Suspending, closing, and another email: by whom, after what delay, and who can stop it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { DAY_MS } from '@florin/protocol'
import { OPERATOR, testConsole } from '../../../test/console.ts'
import { freshen } from '../../../test/factories.ts'
import { listening, openStream, whileTimePasses } from '../../../test/streams.ts'
import { simulate } from '../../orders/simulate.ts'
import { getOrder } from '../../orders/store.ts'
import { endDueChanges } from './email-change.ts'

type At = Awaited<ReturnType<typeof testConsole>>

const linkIn = (text: string, n = 0): string => [...text.matchAll(/\/mail\/[0-9A-Za-z]{32}/g)][n]?.[0] ?? ''
async function mailsTo(at: At, to: string) {
  while ((await sendDueMail(at.deps)) > 0);
  return at.mailbox.mails.filter((mail) => mail.to === to)
}
const click = async (at: At, url: string) => (await at.app.inject({ method: 'POST', url })).body

async function login(at: At, email: string) {
  const post = (path: string, payload: object) =>
    at.app.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload })
  await post('code', { email })
  const codes = (await mailsTo(at, email)).flatMap((mail) => /^(\d{6})\n\n/.exec(mail.text)?.[1] ?? [])
  return post('login', { email, code: codes.at(-1) ?? '' })
}

test('a suspended account is refused everywhere at once, resumes whole, and orders in flight settle', async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  const order = await at.order()
  await simulate(at.deps, order, 'pay', null)
  const origin = await listening(at.app)
  const streams = [
    await openStream(t, `${origin}/v1/events/stream`, at.key.headers),
    await openStream(t, `${origin}/api/v1/boss/stream`, at.merchant.headers),
  ]
  assert.deepEqual(
    streams.map((stream) => stream.status),
    [200, 200],
  )
  const act = (name: string) => operator.post(`merchants/${at.merchant.id}/${name}`, { reason: 'a complaint' })
  const says = async (who: Pick<typeof operator, 'get'>) =>
    (await who.get<{ is_operator: boolean }>('confirmation')).data.is_operator
  assert.deepEqual([await says(operator), await says(at)], [true, false])
  assert.equal((await at.post(`merchants/${at.merchant.id}/resume`, { reason: 'x' })).error?.code, 'operator_required')
  const suspended = await act('suspend')
  assert.equal(suspended.status, 200)
  assert.deepEqual((await act('suspend')).data, suspended.data)

  const byKey = async () => (await at.app.inject({ url: '/v1/orders', headers: at.key.headers })).json().error?.code
  assert.equal(await byKey(), 'merchant_suspended')
  assert.deepEqual(
    [(await at.get('merchant')).status, (await at.get('merchant')).error?.code],
    [403, 'merchant_suspended'],
  )
  assert.equal((await login(at, at.merchant.email)).json().error.code, 'merchant_suspended')
  await whileTimePasses(at, Promise.all(streams.map((stream) => stream.ended)))
  assert.equal((await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'settle', null)).status, 'success')
  const mail = (await mailsTo(at, at.merchant.email)).find((each) => each.subject === 'Your account was suspended')
  assert.ok(mail?.text.includes('a complaint'))

  assert.equal((await act('resume')).status, 200)
  assert.deepEqual([await byKey(), (await at.get('merchant')).status], [undefined, 200])
  await act('close')
  assert.deepEqual([await byKey(), (await at.get('merchant')).error?.code], ['merchant_closed', 'merchant_closed'])
  assert.equal((await act('resume')).error?.code, 'action_not_possible')
  const list = await operator.get<{ data: { id: string; closed_at: string | null }[] }>(
    `merchants?q=${at.merchant.email}`,
  )
  assert.deepEqual(
    list.data.data.map((row) => [row.id, row.closed_at !== null]),
    [[at.merchant.id, true]],
  )
})

test("a stolen operator's session suspends nobody, and no operator suspends itself", async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  const self = await operator.post(`merchants/${operator.merchant.id}/close`, { reason: 'x' })
  assert.equal(self.error?.code, 'action_not_possible')
  assert.equal((await operator.post('merchants/mer_none/close', { reason: 'x' })).error?.code, 'merchant_not_found')
  at.clock.advance(DAY_MS)
  for (const path of ['suspend', 'close', 'email', 'email/cancel']) {
    const body = { reason: 'x', ...(path === 'email' ? { email: 'thief@evil.example' } : {}) }
    const refused = await operator.post(`merchants/${at.merchant.id}/${path}`, body)
    assert.equal(refused.error?.code, 'confirmation_required')
  }
})

test('an email changes when both mailboxes have said yes and a day has passed; then all sessions end', async (t) => {
  const at = await testConsole(t)
  const old = at.merchant.email
  const asked = await at.post<{ effective_at: string | null }>('email', { email: 'New@shop.example' })
  assert.deepEqual([asked.status, asked.data.effective_at], [200, null])
  const toOld = (await mailsTo(at, old)).find((mail) => mail.subject === 'The email of your account is to change')
  const [toNew] = await mailsTo(at, 'new@shop.example')
  assert.match(await click(at, linkIn(toNew?.text ?? '')), /other mailbox has to say yes/)
  const open = await at.get<{ old_mailbox: boolean; new_mailbox: boolean }>('email')
  assert.deepEqual([open.data.old_mailbox, open.data.new_mailbox], [false, true])
  at.clock.advance(2 * DAY_MS)
  assert.equal(await endDueChanges(at.deps), 0)
  assert.match(await click(at, linkIn(toOld?.text ?? '')), /will change at/)
  at.clock.advance(DAY_MS - 1)
  assert.equal(await endDueChanges(at.deps), 0)
  assert.equal((await at.get('merchant')).status, 200)
  at.clock.advance(1)
  assert.equal(await endDueChanges(at.deps), 1)
  assert.equal((await at.get('merchant')).error?.code, 'invalid_token')
  const signedIn = (await login(at, 'new@shop.example')).json().data.merchant
  assert.deepEqual([signedIn.id, signedIn.email], [at.merchant.id, 'new@shop.example'])
  for (const to of [old, 'new@shop.example'])
    assert.ok((await mailsTo(at, to)).some((mail) => mail.subject === 'About the email of your account'))
})

test('whoever holds the session alone, even a fresh one, does not get the account', async (t) => {
  const at = await testConsole(t)
  await at.post('email', { email: 'thief@evil.example' })
  const [toThief] = await mailsTo(at, 'thief@evil.example')
  await click(at, linkIn(toThief?.text ?? ''))
  at.clock.advance(DAY_MS)
  await endDueChanges(at.deps)
  assert.equal((await at.get<{ email: string }>('merchant')).data.email, at.merchant.email)
  // One click of the owner ends it, and the session that asked.
  const mail = (await mailsTo(at, at.merchant.email)).find((each) => each.subject.startsWith('The email of your'))
  assert.match(await click(at, linkIn(mail?.text ?? '', 1)), /The change is stopped/)
  assert.equal((await at.get('merchant')).status, 401)
})

test('a change is cancelled in the console, lapses unapproved, and never takes an email that is in use', async (t) => {
  const at = await testConsole(t)
  const other = await at.another()
  await at.post('email', { email: other.merchant.email })
  const told = await mailsTo(at, other.merchant.email)
  assert.ok(told.some((mail) => mail.subject === 'This email has an account already'))
  const remove = () => at.app.inject({ method: 'DELETE', url: '/api/v1/boss/email', headers: at.merchant.headers })
  assert.equal((await remove()).statusCode, 200)
  assert.equal((await remove()).json().error.code, 'change_not_found')
  await at.post('email', { email: 'late@shop.example' })
  at.clock.advance(3 * DAY_MS)
  assert.equal(await endDueChanges(at.deps), 1)
  assert.deepEqual([(await at.get('email')).status, (await at.get('email')).data], [200, null])
  await freshen(at.deps, at.merchant)
  for (let n = 0; n < 5; n++) assert.equal((await at.post('email', { email: `n${n}@shop.example` })).status, 200)
  assert.equal((await at.post('email', { email: 'n6@shop.example' })).status, 429)
})

test('a lost mailbox: the operator asks, the new mailbox says yes, and all addresses on file can stop it', async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  const ask = (email: string) =>
    operator.post(`merchants/${at.merchant.id}/email`, { email, reason: 'the domain is gone' })
  assert.equal((await ask('new@shop.example')).status, 200)
  const [toNew] = await mailsTo(at, 'new@shop.example')
  assert.match(await click(at, linkIn(toNew?.text ?? '')), /will change at/)
  at.clock.advance(3 * DAY_MS - 1)
  assert.equal(await endDueChanges(at.deps), 0)
  at.clock.advance(1)
  assert.equal(await endDueChanges(at.deps), 1)
  // The next one reaches the former address too, and its link is enough.
  await freshen(at.deps, operator.merchant)
  await ask('third@shop.example')
  const former = (await mailsTo(at, at.merchant.email)).filter((mail) => mail.subject.startsWith('The email of your'))
  assert.equal(former.length, 2)
  assert.ok(former[1]?.text.includes('the domain is gone'))
  assert.match(await click(at, linkIn(former[1]?.text ?? '')), /The change is stopped/)
})

test('an operator sees the change of email that is open on an account and cancels it: everybody on file hears why', async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  const path = `merchants/${at.merchant.id}`
  const seen = async () =>
    (await operator.get<{ data: { email_change: object | null }[] }>(`merchants?q=${at.merchant.id}`)).data.data[0]
      ?.email_change
  const cancel = (who: Pick<typeof operator, 'post'> = operator) =>
    who.post(`${path}/email/cancel`, { reason: 'the caller was not the owner' })
  // A former address is on file: the account moved once.
  await operator.post(`${path}/email`, { email: 'second@shop.example', reason: 'moved' })
  await click(at, linkIn((await mailsTo(at, 'second@shop.example'))[0]?.text ?? ''))
  at.clock.advance(3 * DAY_MS)
  assert.equal(await endDueChanges(at.deps), 1)
  await freshen(at.deps, operator.merchant)
  assert.deepEqual([await seen(), (await cancel()).error?.code], [null, 'change_not_found'])

  await operator.post(`${path}/email`, { email: 'thief@evil.example', reason: 'a call' })
  const effectiveAt = new Date(at.clock.now().getTime() + 3 * DAY_MS).toISOString()
  await click(at, linkIn((await mailsTo(at, 'thief@evil.example'))[0]?.text ?? ''))
  assert.deepEqual(await seen(), {
    ...{ new_email: 'thief@evil.example', asked_by: `operator:${OPERATOR}` },
    ...{ old_mailbox: true, new_mailbox: true, effective_at: effectiveAt },
  })
  const stranger = await at.another()
  assert.equal((await cancel(stranger)).error?.code, 'operator_required')
  assert.equal(
    (await operator.post('merchants/mer_none/email/cancel', { reason: 'x' })).error?.code,
    'merchant_not_found',
  )
  assert.equal((await operator.post(`${path}/email/cancel`, {})).error?.code, 'missing_field')
  assert.equal((await cancel()).status, 200)
  assert.equal(await seen(), null)
  for (const to of [at.merchant.email, 'second@shop.example']) {
    const mail = (await mailsTo(at, to)).find(({ text }) => text.includes('was canceled by the operator.'))
    assert.ok(mail?.text.includes('Reason:  the caller was not the owner'), to)
  }
  at.clock.advance(4 * DAY_MS)
  assert.equal(await endDueChanges(at.deps), 0)
  const [audit] = await at.deps.sql`
    select merchant_id, actor, detail from audit_log where action = 'email_change.canceled'`
  assert.deepEqual(audit, {
    ...{ merchant_id: at.merchant.id, actor: `operator:${OPERATOR}` },
    detail: { to: 'thief@evil.example', reason: 'the caller was not the owner' },
  })
})
