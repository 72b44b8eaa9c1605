// Sends the outbox: claim, send, then delete, postpone or give up. At least once: a worker that dies between the SMTP
// server's acceptance and the delete sends that mail again.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { Counter } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { metrics } from '../metrics.ts'
import type { Secrets } from '../secrets.ts'
import type { Job, Log } from '../worker/job.ts'
import type { Wake } from '../worker/wake.ts'
import { type ClaimedMail, claimMail, finishMail, mailContext, postponeMail } from './claim.ts'
import { withLogo } from './compose.ts'
import { type Mail, type Mailer, MailRefused } from './mailer.ts'

export interface MailParts {
  sql: Sql
  clock: Clock
  secrets: Secrets
  mailer: Mailer
  /** The picture of a shop's logo; null: the brand changed since. */
  logoOf(id: string): Promise<Uint8Array | null>
  log: Log
}

const mails = new Counter({
  name: 'florin_mails_total',
  help: 'Tries to send a mail, by outcome: sent, postponed (tried again), refused, expired, unreadable',
  labelNames: ['outcome'] as const,
  registers: [metrics],
})

const BATCH = 10
/** Longer than the longest conversation that the mailer's timeouts allow in practice. */
const LEASE_MS = 2 * MINUTE_MS

export function mailJob(deps: MailParts & { wake: { mail: Wake } }): Job {
  return {
    name: 'mail',
    everyMs: SECOND_MS,
    run: () => sendDueMail(deps),
    wakeOn: (wake) => deps.wake.mail.on(wake),
  }
}

/** Sends one batch of due mail concurrently. @returns how many were due. */
export async function sendDueMail(deps: MailParts): Promise<number> {
  const claimed = await claimMail(deps.sql, { now: deps.clock.now(), leaseMs: LEASE_MS, limit: BATCH })
  await Promise.all(claimed.map((mail) => sendOne(deps, mail)))
  return claimed.length
}

/** Found now, not when the mail was written: a thousand that wait share one picture. */
async function illustrated(deps: MailParts, mail: Mail): Promise<Mail> {
  const { logo, ...rest } = mail
  if (logo === undefined || mail.html === undefined) return rest
  const picture = await deps.logoOf(logo.id)
  return picture === null
    ? { ...rest, html: withLogo(mail.html, '') }
    : { ...rest, html: withLogo(mail.html, logo.tag), picture }
}

async function sendOne(deps: MailParts, claimed: ClaimedMail): Promise<void> {
  const line = { mail: claimed.id, attempt: claimed.attempts }
  if (claimed.dropAfter <= deps.clock.now()) {
    if (claimed.attempts > 1) deps.log.error(line, 'a mail expired before it could be sent; dropped')
    mails.inc({ outcome: 'expired' })
    await finishMail(deps.sql, claimed)
    return
  }
  const mail = openMail(deps.secrets, claimed)
  if (mail === null) {
    deps.log.error(line, 'a queued mail cannot be decrypted with the master keys known here; dropped')
    mails.inc({ outcome: 'unreadable' })
    await finishMail(deps.sql, claimed)
    return
  }
  try {
    await deps.mailer.send(await illustrated(deps, mail))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    if (error instanceof MailRefused) {
      deps.log.error({ ...line, reason }, 'the SMTP server permanently rejected a mail; dropped')
      mails.inc({ outcome: 'refused' })
      await finishMail(deps.sql, claimed)
      return
    }
    deps.log.warn({ ...line, reason }, 'a mail could not be sent; will retry')
    mails.inc({ outcome: 'postponed' })
    await postponeMail(deps.sql, claimed, new Date(deps.clock.now().getTime() + retryWaitMs(claimed.attempts)))
    return
  }
  mails.inc({ outcome: 'sent' })
  await finishMail(deps.sql, claimed)
}

function openMail(secrets: Secrets, claimed: ClaimedMail): Mail | null {
  try {
    return JSON.parse(secrets.open(claimed, mailContext(claimed.id)))
  } catch {
    return null
  }
}

/** 5 s, 10 s, 20 s … up to a quarter of an hour: a waiting sign-in code is worth frequent tries. */
export function retryWaitMs(attempts: number): number {
  return Math.min(5 * SECOND_MS * 2 ** (attempts - 1), 15 * MINUTE_MS)
}
