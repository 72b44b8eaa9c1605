// Notices to merchants. Up to a number per hour each is mailed on its own, the rest is collected into digests;
// important ones are counted apart, so no number of harmless acts can displace them.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { type Tx, withTx } from '../db/tx.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import type { Job } from '../worker/loop.ts'
import type { Wake } from '../worker/wake.ts'
import { enqueueMail, NOTICE_KEPT_MS } from './enqueue.ts'
import * as store from './notices.store.ts'

export interface Notice {
  merchantId: string
  to: string
  weight: store.Weight
  subject: string
  /** Lines of plain ASCII, with what to do about it. */
  text: readonly string[]
}

const ONE_BY_ONE_AN_HOUR = { matters: 20, routine: 10 } as const
/** How long the oldest may wait for its digest. */
const DIGEST_AFTER_MS = { matters: 30 * SECOND_MS, routine: HOUR_MS } as const
const DIGEST_MAX = 200
/** More important acts than this in an hour are not a person's work. */
const MATTERS_AN_HOUR_MAX = 200

interface NoticeParts {
  secrets: Secrets
  config: { rateLimits: boolean }
}

/**
 * Notifies a merchant, in the transaction of what it reports. Fire `deps.wake.mail` after the commit.
 * @throws AppError rate_limited beyond 200 important acts in an hour
 */
export async function enqueueNotice(tx: Tx, parts: NoticeParts, notice: Notice, now: Date): Promise<void> {
  const { merchantId, weight, to, subject } = notice
  const text = notice.text.join('\n')
  const since = new Date(now.getTime() - HOUR_MS)
  const before = await store.countNotices(tx, { merchantId, weight, since, max: MATTERS_AN_HOUR_MAX })
  if (weight === 'matters' && before >= MATTERS_AN_HOUR_MAX && parts.config.rateLimits) {
    throw new AppError('rate_limited', {
      retryAfterS: HOUR_MS / SECOND_MS,
      message: 'Too many changes that concern money were made within an hour. Try again in an hour.',
    })
  }
  const id = newId('ntc', now)
  const isAlone = before < ONE_BY_ONE_AN_HOUR[weight]
  const sealed = isAlone ? null : parts.secrets.seal(JSON.stringify({ subject, text }), store.noticeContext(id))
  await store.insertNotice(tx, { id, merchantId, weight, email: to, sealed, now })
  if (!isAlone) return
  const dropAfter = new Date(now.getTime() + NOTICE_KEPT_MS)
  await enqueueMail(tx, parts.secrets, { to, subject, text }, { now, dropAfter })
}

interface DigestParts {
  sql: Sql
  clock: Clock
  secrets: Secrets
  wake: { mail: Wake }
}

export function digestJob(deps: DigestParts): Job {
  return { name: 'mail-digests', everyMs: 10 * SECOND_MS, run: () => sendDigests(deps) }
}

/** @returns how many digests were written and old notices deleted. */
export async function sendDigests(deps: DigestParts): Promise<number> {
  const now = deps.clock.now()
  let done = 0
  for (const weight of ['matters', 'routine'] as const) {
    const before = new Date(now.getTime() - DIGEST_AFTER_MS[weight])
    for (const who of await store.listDigestsDue(deps.sql, { weight, before, limit: 50 })) {
      await withTx(deps.sql, (tx) => digest(deps, tx, { ...who, weight }, now))
      done++
    }
  }
  if (done > 0) deps.wake.mail.fire()
  return done + (await store.sweepNotices(deps.sql, new Date(now.getTime() - HOUR_MS - MINUTE_MS)))
}

async function digest(
  deps: DigestParts,
  tx: Tx,
  who: { merchantId: string; email: string; weight: store.Weight },
  now: Date,
): Promise<void> {
  const rows = await store.claimNotices(tx, { ...who, limit: DIGEST_MAX })
  if (rows.length === 0) return
  const entries = rows.map((row) => openNotice(deps.secrets, row))
  const many = `${rows.length} ${who.weight === 'matters' ? 'changes that concern your money' : 'more changes'}`
  const mail = {
    to: who.email,
    subject: `${many} in your account`,
    text: [
      `There were so many changes that they come in one mail: ${many}.`,
      'If these were not you, sign in, end all sessions and look through them.',
      '',
      ...entries.flatMap(({ subject, text }, n) => [`--- ${n + 1} of ${rows.length}: ${subject} ---`, '', text]),
    ].join('\n'),
  }
  const dropAfter = new Date(now.getTime() + NOTICE_KEPT_MS)
  await enqueueMail(tx, deps.secrets, mail, { now, dropAfter })
  await store.markMailed(
    tx,
    rows.map((row) => row.id),
    now,
  )
}

/** One that was sealed with a lost key must not hold up the others. */
function openNotice(secrets: Secrets, row: store.WaitingNotice): { subject: string; text: string } {
  try {
    return JSON.parse(secrets.open(row, store.noticeContext(row.id)))
  } catch {
    return { subject: 'a change', text: 'What it was stands in the audit log of the console.\n' }
  }
}
