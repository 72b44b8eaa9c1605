import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parseMail, startDrippingServer, startSilentServer, startSmtp } from '../../../server/test/smtp.ts'
import { composeMail, withLogo } from './compose.ts'
import { type Mailer, MailNotSent, MailRefused, smtpMailer, terminalMailer } from './mailer.ts'

const from = 'Florin <florin@pay.shop.example>'
const mail = { to: 'ann@shop.example', subject: 'Your sign-in code', text: '042137\n\nThis is your code.\n' }

/** Long timeouts, so that a busy machine fails no test; tests of silence set their own. */
function mailerTo(t: TestContext, url: string, ms = 15_000): Mailer {
  const mailer = smtpMailer(url, from, { connectMs: ms, silenceMs: ms, wholeMs: ms })
  t.after(() => mailer.close())
  return mailer
}

test('plain ASCII travels as one text/plain part of 7 bits, word for word', async (t) => {
  const smtp = await startSmtp(t)
  await mailerTo(t, `smtp://127.0.0.1:${smtp.port}`).send(mail)
  const [received] = smtp.received
  assert.deepEqual([received?.from, received?.to], ['florin@pay.shop.example', ['ann@shop.example']])
  assert.match(received?.raw ?? '', /^[\r\n\t\x20-\x7e]*$/)
  assert.match(received?.raw ?? '', /^Content-Type: text\/plain; charset=utf-8\r$/m)
  assert.match(received?.raw ?? '', /^Content-Transfer-Encoding: 7bit\r$/m)
  assert.match(received?.raw ?? '', /\r\n\r\n042137\r\n\r\n/)
  const parsed = await parseMail(received)
  assert.equal(parsed.subject, 'Your sign-in code')
  assert.deepEqual(parsed.from, { name: 'Florin', address: 'florin@pay.shop.example' })
  assert.deepEqual(parsed.to, [{ name: '', address: 'ann@shop.example' }])
  assert.equal(parsed.text, mail.text)
  assert.equal(parsed.html, undefined)
  assert.equal(parsed.headers.find((header) => header.key === 'auto-submitted')?.value, 'auto-generated')
})

test('text outside ASCII arrives as it was written, still over 7 bits', async (t) => {
  const smtp = await startSmtp(t)
  const text = `The key “Füße = ${'ä'.repeat(200)}” was made.\n.\n`
  await mailerTo(t, `smtp://127.0.0.1:${smtp.port}`).send({ ...mail, subject: 'Schlüssel', text })
  assert.match(smtp.received[0]?.raw ?? '', /^[\r\n\t\x20-\x7e]*$/)
  const parsed = await parseMail(smtp.received[0])
  assert.deepEqual([parsed.subject, parsed.text], ['Schlüssel', text])
})

test('a user signs in over STARTTLS, or over TLS from the start', async (t) => {
  const user = { name: 'florin', password: 'p@ss/wörd' }
  const login = `florin:${encodeURIComponent(user.password)}`
  const upgraded = await startSmtp(t, { startTls: true, user })
  await mailerTo(t, `smtp://${login}@127.0.0.1:${upgraded.port}?tls.rejectUnauthorized=false`).send(mail)
  const wrapped = await startSmtp(t, { secure: true, user })
  await mailerTo(t, `smtps://${login}@127.0.0.1:${wrapped.port}?tls.rejectUnauthorized=false`).send(mail)
  for (const smtp of [upgraded, wrapped]) {
    assert.deepEqual([smtp.received[0]?.secure, smtp.received[0]?.user], [true, 'florin'])
    assert.deepEqual(smtp.logins, [{ user: 'florin', password: user.password }])
  }
})

test('a password never travels in the open, unless the operator says so', async (t) => {
  const user = { name: 'florin', password: 'secret-word' }
  const plain = await startSmtp(t, { user })
  await assert.rejects(mailerTo(t, `smtp://florin:secret-word@127.0.0.1:${plain.port}`).send(mail), MailNotSent)
  assert.deepEqual(plain.logins, [])
  await mailerTo(t, `smtp://florin:secret-word@127.0.0.1:${plain.port}?requireTLS=false`).send(mail)
  assert.equal(plain.received.length, 1)
})

test('a certificate that proves nothing is not believed', async (t) => {
  const smtp = await startSmtp(t, { startTls: true })
  await assert.rejects(
    mailerTo(t, `smtp://127.0.0.1:${smtp.port}`).send(mail),
    (error) => error instanceof MailNotSent && /^ESOCKET: .*certificate/.test(error.message),
  )
  assert.equal(smtp.received.length, 0)
})

test('a wrong password may be mended, so the mail waits; the password is not in the error', async (t) => {
  const smtp = await startSmtp(t, { user: { name: 'florin', password: 'right' } })
  await assert.rejects(
    mailerTo(t, `smtp://florin:wrong-word@127.0.0.1:${smtp.port}?requireTLS=false`).send(mail),
    (error) =>
      error instanceof MailNotSent && /^EAUTH: 535 /.test(error.message) && !/wrong-word/.test(String(error.stack)),
  )
})

test('4xx means later, 5xx means never, wherever in the conversation it is said', async (t) => {
  for (const where of ['refuseRecipient', 'refuseContent'] as const) {
    const later = await startSmtp(t, { [where]: { code: 451, text: 'greylisted, come back' } })
    await assert.rejects(mailerTo(t, `smtp://127.0.0.1:${later.port}`).send(mail), MailNotSent)
    const never = await startSmtp(t, { [where]: { code: 550, text: 'no such mailbox' } })
    await assert.rejects(
      mailerTo(t, `smtp://127.0.0.1:${never.port}`).send(mail),
      (error) => error instanceof MailRefused && /550 no such mailbox/.test(error.message),
    )
  }
  // A server that accepts no connection says nothing about this mail.
  const closed = await startSilentServer(t, ['554 no service here'])
  await assert.rejects(
    mailerTo(t, `smtp://127.0.0.1:${closed.port}`).send(mail),
    (error) => error instanceof MailNotSent && /554 no service here/.test(error.message),
  )
})

test('a server that falls silent, or is not there, is given up in time', async (t) => {
  const silences = [[], ['220 ready'], ['220 ready', '250 hello', '250 sender', '250 recipient', '354 go on']]
  for (const lines of silences) {
    const server = await startSilentServer(t, lines)
    await assert.rejects(mailerTo(t, `smtp://127.0.0.1:${server.port}`, 400).send(mail), MailNotSent)
  }
  const smtp = await startSmtp(t)
  await smtp.stop()
  await assert.rejects(mailerTo(t, `smtp://127.0.0.1:${smtp.port}`).send(mail), MailNotSent)
})

test('a server that keeps talking and never comes to the point is given up in time', async (t) => {
  const server = await startDrippingServer(t, '220-patience')
  const mailer = smtpMailer(`smtp://127.0.0.1:${server.port}`, from, {
    connectMs: 15_000,
    silenceMs: 15_000,
    wholeMs: 400,
  })
  t.after(() => mailer.close())
  await assert.rejects(mailer.send(mail), {
    constructor: MailNotSent,
    message: 'ETIMEDOUT: the conversation took too long',
  })
})

test('without an SMTP server the mail is shown on the terminal, loudly marked', async () => {
  const shown: string[] = []
  await terminalMailer((text) => shown.push(text)).send(mail)
  assert.match(shown.join(''), /no SMTP_URL is set[\s\S]*│ To: ann@shop\.example\n[\s\S]*│ 042137\n/)
})

test('the logo of a shop is a part of the mail, shown where the mail has its place, and nothing is loaded from elsewhere', async (t) => {
  const smtp = await startSmtp(t)
  const url = 'https://pay.shop.example/pay/x'
  const composed = composeMail({
    ...{ subject: 'Receipt', from: 'Two $& Mugs', paragraphs: ['Paid.'], facts: [], foot: [] },
    ...{ button: { label: 'Open', url }, logo: { id: 'brd_1', alt: 'Two "Mugs"', width: 120, height: 40 } },
  })
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const sent = async (picture: Buffer | null) => {
    const { logo, ...rest } = { to: mail.to, ...composed }
    const html = withLogo(rest.html, picture === null ? '' : (logo?.tag ?? ''))
    await mailerTo(t, `smtp://127.0.0.1:${smtp.port}`).send({ ...rest, html, ...(picture === null ? {} : { picture }) })
    return parseMail(smtp.received.at(-1))
  }
  const whole = await sent(png)
  assert.match(whole.html ?? '', /<img src="cid:logo@florin" alt="Two &#34;Mugs&#34;" width="120" height="40"/)
  assert.deepEqual(
    whole.attachments.map((part) => [
      part.mimeType,
      part.disposition,
      part.contentId,
      Buffer.from(part.content as ArrayBuffer),
    ]),
    [['image/png', 'inline', '<logo@florin>', png]],
  )
  assert.doesNotMatch(whole.html ?? '', /src="http/)
  assert.equal(whole.text?.trimEnd(), composed.text.trimEnd(), 'the plain text is what it was')
  const bare = await sent(null)
  assert.deepEqual([bare.attachments, /<img|<!--/.test(bare.html ?? '')], [[], false])
})
