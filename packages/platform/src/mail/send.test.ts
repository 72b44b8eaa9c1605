import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { capturedLog } from '../../../server/test/captured-log.ts'
import { type TestDeps, testDeps } from '../../../server/test/harness.ts'
import { parseMail, startSilentServer, startSmtp } from '../../../server/test/smtp.ts'
import { withTx } from '../db/tx.ts'
import { makeSecrets } from '../secrets.ts'
import { startJobs } from '../worker/loop.ts'
import { enqueueMail } from './enqueue.ts'
import { smtpMailer } from './mailer.ts'
import { mailJob, retryWaitMs, sendDueMail } from './send.ts'

const mail = { to: 'ann@shop.example', subject: 'Hello', text: 'A line with 424242 in it\n' }

async function enqueue(at: TestDeps, a: { keptMs?: number; text?: string } = {}): Promise<void> {
  const now = at.clock.now()
  const dropAfter = new Date(now.getTime() + (a.keptMs ?? HOUR_MS))
  await withTx(at.deps.sql, (tx) =>
    enqueueMail(tx, at.deps.secrets, { ...mail, text: a.text ?? mail.text }, { now, dropAfter }),
  )
}

function over(t: TestContext, at: TestDeps, port: number, ms = 15_000) {
  const timeouts = { connectMs: ms, silenceMs: ms, wholeMs: ms }
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, 'florin@pay.shop.example', timeouts)
  t.after(() => mailer.close())
  const captured = capturedLog()
  return { parts: { ...at.deps, mailer, log: captured.log }, logged: captured.text }
}

const waiting = async (at: TestDeps): Promise<number> => (await at.deps.sql`select id from mail_outbox`).length

test('mail goes out after the commit that tells of it, once, and leaves nothing behind', async (t) => {
  const at = await testDeps(t)
  const smtp = await startSmtp(t)
  const { parts, logged } = over(t, at, smtp.port)
  await enqueue(at)
  assert.equal(await sendDueMail(parts), 1)
  assert.equal(await sendDueMail(parts), 0)
  const parsed = await parseMail(smtp.received[0])
  assert.deepEqual([parsed.subject, parsed.text], [mail.subject, mail.text])
  assert.equal(await waiting(at), 0)
  assert.equal(logged(), '')
})

test('what a mail says is sealed in the database, and never sent when its transaction fails', async (t) => {
  const at = await testDeps(t)
  await enqueue(at)
  const [row] = await at.deps.sql<{ text: string }[]>`select encode(box, 'escape') as text from mail_outbox`
  assert.doesNotMatch(row?.text ?? '', /424242|shop\.example/)
  const now = at.clock.now()
  await assert.rejects(
    withTx(at.deps.sql, async (tx) => {
      await enqueueMail(tx, at.deps.secrets, mail, { now, dropAfter: now })
      throw new Error('not after all')
    }),
    /not after all/,
  )
  assert.equal(await waiting(at), 1)
})

test('a server that is down gets the mail once it is up, tried at growing intervals', async (t) => {
  const at = await testDeps(t)
  const down = await startSmtp(t)
  await down.stop()
  const { parts, logged } = over(t, at, down.port)
  await enqueue(at)
  for (const wait of [5, 10, 20]) {
    assert.equal(await sendDueMail(parts), 1)
    at.clock.advance(wait * SECOND_MS - 1)
    assert.equal(await sendDueMail(parts), 0)
    at.clock.advance(1)
  }
  const up = await startSmtp(t, { port: down.port })
  assert.equal(await sendDueMail(parts), 1)
  assert.equal(up.received.length, 1)
  assert.equal(await waiting(at), 0)
  assert.match(logged(), /"reason":"ESOCKET: connect ECONNREFUSED 127\.0\.0\.1:\d+".*will retry/)
  assert.doesNotMatch(logged(), /424242/)
})

test('4xx and silence are tried again, 5xx is logged and dropped', async (t) => {
  const at = await testDeps(t)
  const later = await startSmtp(t, { refuseContent: { code: 452, text: 'mailbox full' } })
  await enqueue(at)
  await sendDueMail(over(t, at, later.port).parts)
  assert.equal(await waiting(at), 1)
  at.clock.advance(5 * SECOND_MS)
  const silent = await startSilentServer(t, ['220 ready'])
  await sendDueMail(over(t, at, silent.port, 300).parts)
  assert.equal(await waiting(at), 1)
  at.clock.advance(10 * SECOND_MS)
  const never = await startSmtp(t, { refuseRecipient: { code: 550, text: 'no such mailbox' } })
  const { parts, logged } = over(t, at, never.port)
  await sendDueMail(parts)
  assert.equal(await waiting(at), 0)
  assert.match(logged(), /"reason":"EENVELOPE: 550 no such mailbox".*dropped/)
})

test('a mail past its time is dropped: loudly when it was tried, silently when it never was to be sent', async (t) => {
  const at = await testDeps(t)
  const down = await startSmtp(t)
  await down.stop()
  const { parts, logged } = over(t, at, down.port)
  await enqueue(at, { keptMs: 3 * SECOND_MS })
  await sendDueMail(parts)
  at.clock.advance(5 * SECOND_MS)
  assert.equal(await sendDueMail(parts), 1)
  assert.equal(await waiting(at), 0)
  assert.match(logged(), /expired before it could be sent; dropped/)
  const quiet = over(t, at, down.port)
  await enqueue(at, { keptMs: 0 })
  await sendDueMail(quiet.parts)
  assert.deepEqual([await waiting(at), quiet.logged()], [0, ''])
})

test('workers side by side send each mail once; a dead one leaves its mail to the next', async (t) => {
  const at = await testDeps(t)
  const smtp = await startSmtp(t)
  const { parts } = over(t, at, smtp.port)
  for (let n = 0; n < 25; n++) await enqueue(at, { text: `mail ${n}\n` })
  // This one claims ten and dies before it can record the results.
  await new Promise<void>((claimed) => {
    const send = (): Promise<void> => new Promise(() => claimed())
    void sendDueMail({ ...parts, mailer: { send, close: () => undefined } })
  })
  const inTime = await Promise.all([sendDueMail(parts), sendDueMail(parts), sendDueMail(parts)])
  assert.equal(inTime.reduce((a, b) => a + b, 0) + (await sendDueMail(parts)), 15)
  at.clock.advance(2 * MINUTE_MS)
  await sendDueMail(parts)
  const texts = await Promise.all(smtp.received.map(async (received) => (await parseMail(received)).text))
  assert.deepEqual(texts.sort(), Array.from({ length: 25 }, (_, n) => `mail ${n}\n`).sort())
  assert.equal(await waiting(at), 0)
})

test('a mail that no key opens does not stop the others', async (t) => {
  const at = await testDeps(t)
  const smtp = await startSmtp(t)
  await withTx(at.deps.sql, (tx) => {
    const now = at.clock.now()
    const dropAfter = new Date(now.getTime() + HOUR_MS)
    return enqueueMail(tx, makeSecrets('77'.repeat(32)), mail, { now, dropAfter })
  })
  await enqueue(at)
  const { parts, logged } = over(t, at, smtp.port)
  await sendDueMail(parts)
  assert.deepEqual([smtp.received.length, await waiting(at)], [1, 0])
  assert.match(logged(), /cannot be decrypted/)
})

test('the job is woken by a commit instead of waiting for its turn', async (t) => {
  const at = await testDeps(t)
  const smtp = await startSmtp(t)
  const { parts } = over(t, at, smtp.port)
  const arrived = Promise.withResolvers<void>()
  const idle = Promise.withResolvers<void>()
  const mailer = { ...parts.mailer, send: (sent: typeof mail) => parts.mailer.send(sent).then(arrived.resolve) }
  const job = mailJob({ ...parts, mailer, wake: at.deps.wake })
  const run = (signal: AbortSignal): Promise<number> => job.run(signal).finally(idle.resolve)
  const running = startJobs([{ ...job, run }], { clock: at.clock, log: at.deps.log })
  t.after(() => running.stop())
  await idle.promise
  await enqueue(at)
  at.deps.wake.mail.fire()
  await arrived.promise
  assert.equal(smtp.received.length, 1)
})

test('waits between tries double up to a quarter of an hour', () => {
  assert.deepEqual(
    [1, 2, 3, 8, 9, 100].map((n) => retryWaitMs(n) / SECOND_MS),
    [5, 10, 20, 640, 900, 900],
  )
})
