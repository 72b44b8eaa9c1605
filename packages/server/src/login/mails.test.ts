import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpMailer } from '@florin/platform/mail/mailer'
import { sendDueMail } from '@florin/platform/mail/send'
import { testDeps } from '../../test/harness.ts'
import { parseMail, startSmtp } from '../../test/smtp.ts'
import { buildApp } from '../app.ts'
import { codeMail, signInMail, triesMail } from './mails.ts'

test('a merchant signs in with what came over a real SMTP conversation', async (t) => {
  const smtp = await startSmtp(t)
  const { deps } = await testDeps(t, { baseUrl: 'https://pay.shop.example' })
  const mailer = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, 'Florin <florin@pay.shop.example>')
  t.after(() => mailer.close())
  const app = await buildApp(deps)
  t.after(() => app.close())
  const email = 'ann@shop.example'
  const asked = await app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: { email } })
  assert.equal(asked.statusCode, 200)
  // The answer does not wait for the mail.
  assert.equal(smtp.received.length, 0)
  await sendDueMail({ ...deps, mailer })
  const [received] = smtp.received
  assert.match(received?.raw ?? '', /^Content-Type: text\/plain/m)
  assert.match(received?.raw ?? '', /^Content-Transfer-Encoding: 7bit\r$/m)
  const { text, subject, to } = await parseMail(received)
  assert.deepEqual(to, [{ name: '', address: email }])
  const [code = '', blank] = (text ?? '').split('\n')
  assert.match(code, /^\d{6}$/)
  assert.equal(blank, '')
  assert.equal(subject?.includes(code), false)
  const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: { email, code } })
  assert.equal(answer.statusCode, 200)
  await sendDueMail({ ...deps, mailer })
  const notice = await parseMail(smtp.received[1])
  assert.match(notice.text ?? '', /^Address: 127\.0\.0\.1$/m)
})

test('every mail of sign-in is plain ASCII in short lines, whatever the client claims to be', () => {
  const to = 'ann@shop.example'
  const at = new Date(1_800_000_000_000)
  const baseUrl = 'https://pay.shop.example'
  const mails = [
    codeMail(to, '000000', baseUrl),
    signInMail(to, { at, ip: '2001:db8:1111:2222:3333:4444:5555:6666', baseUrl }),
    signInMail(to, { at, ip: 'evil.example\r\nVisit me', baseUrl }),
    triesMail(to, { at, tries: 10, baseUrl, link: `${baseUrl}/console/login#link=${'a'.repeat(32)}` }),
  ]
  for (const mail of mails) {
    assert.match(mail.text, /^[\n\x20-\x7e]+$/)
    for (const line of mail.text.split('\n')) assert.ok(line.length <= 76, line)
    assert.doesNotMatch(mail.text, /evil/)
  }
})
