// Notices to merchants. Up to a number per hour each is mailed on its own, the rest is collected into digests. Each
// weight is counted apart and they take turns, so no number of one kind can displace another: addresses, which any session
// may ask for; what takes a fresh sign-in; refunds, which anybody with a checkout link may ask for; and the rest.
import { HOUR_MS, MINUTE_MS, momentText, SECOND_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { type Tx, withTx } from '../db/tx.ts'
import { newId } from '../ids.ts'
import { findZone } from '../merchants.store.ts'
import type { Secrets } from '../secrets.ts'
import type { Job } from '../worker/job.ts'
import type { Wake } from '../worker/wake.ts'
import { htmlOfText } from './compose.ts'
import { enqueueMail, NOTICE_KEPT_MS } from './enqueue.ts'
import * as store from './notices.store.ts'

export interface Notice {
  merchantId: string
  to: string
  weight: store.Weight
  /** It tells where money goes: first in a digest, and named in its subject. */
  isWhereMoneyGoes?: boolean
  subject: string
  /** Lines of plain ASCII, with what to do about it. */
  text: readonly string[]
  /** Of a kind that can be switched off: the link that does (switches.ts). */
  off?: { label: string; url: string }
}

const ONE_BY_ONE_AN_HOUR: Readonly<Record<store.Weight, number>> = {
  ...{ addresses: 20, matters: 20, refunds: 10, routine: 10 },
}
/** How long the oldest may wait for its digest. */
const DIGEST_AFTER_MS: Readonly<Record<store.Weight, number>> = {
  ...{ addresses: 30 * SECOND_MS, matters: 30 * SECOND_MS, refunds: 30 * SECOND_MS, routine: HOUR_MS },
}
const DIGEST_MAX = 200

/**
 * Notifies a merchant, in the transaction of what it reports. Fire `deps.wake.mail` after the commit. It refuses nothing,
 * since undoing and revoking are reported too: what limits requests is `makeUndoLink`.
 */
export async function enqueueNotice(tx: Tx, parts: { secrets: Secrets }, notice: Notice, now: Date): Promise<void> {
  const { merchantId, weight, to, subject, isWhereMoneyGoes = false } = notice
  const { off } = notice
  const zone = await findZone(tx, merchantId)
  const lines = [...notice.text, ...(off === undefined ? [] : [`${off.label}:`, off.url, ''])]
  const text = momentsIn(lines.join('\n'), zone)
  const since = new Date(now.getTime() - HOUR_MS)
  const max = ONE_BY_ONE_AN_HOUR[weight]
  const before = await store.countNotices(tx, { merchantId, weight, since, max })
  const isAlone = before < max
  const id = newId('ntc', now)
  const entry: Entry = {
    subject: momentsIn(subject, zone),
    text,
    isWhereMoneyGoes,
    ...(off === undefined ? {} : { off: off.url }),
  }
  const sealed = isAlone ? null : parts.secrets.seal(JSON.stringify(entry), store.noticeContext(id))
  await store.insertNotice(tx, { id, merchantId, weight, email: to, sealed, now })
  if (!isAlone) return
  const dropAfter = new Date(now.getTime() + NOTICE_KEPT_MS)
  await enqueueMail(tx, parts.secrets, { to, ...written(entry) }, { now, dropAfter, turn: turnOf(weight, before) })
}

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?![\w-])/g

/** Moments are handed over as ISO 8601 and written in the merchant's time zone, with its name. */
const momentsIn = (text: string, zone: string): string =>
  text.replace(MOMENT, (iso) => {
    const at = new Date(iso)
    return Number.isNaN(at.getTime()) ? iso : momentText(at, { zone, locale: 'en-GB' })
  })

/** The first of each weight before the second of any. */
const turnOf = (weight: store.Weight, before: number): number =>
  before * store.weights.length + store.weights.indexOf(weight)

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
  for (const weight of store.weights) {
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
  const dropAfter = new Date(now.getTime() + NOTICE_KEPT_MS)
  const when = { now, dropAfter, turn: turnOf(who.weight, 0) }
  await enqueueMail(tx, deps.secrets, { to: who.email, ...digestOf(entries, who.weight) }, when)
  await store.markMailed(
    tx,
    rows.map((row) => row.id),
    now,
  )
}

interface Entry {
  subject: string
  text: string
  isWhereMoneyGoes?: boolean
  off?: string
}

/** What can be switched off is mail that people want, and wants to be looked at; the rest is text alone. */
function written({ subject, text, off }: Entry): { subject: string; text: string; html?: string; off?: string } {
  return off === undefined ? { subject, text } : { subject, text, html: htmlOfText(subject, text), off }
}

/** Where money goes comes first. One alone is the mail that it would have been. */
function digestOf(entries: readonly Entry[], weight: store.Weight): ReturnType<typeof written> {
  const leads = entries.filter((entry) => entry.isWhereMoneyGoes)
  const others = entries.filter((entry) => !entry.isWhereMoneyGoes)
  const sorted = [...leads, ...others]
  const [first] = sorted
  if (first !== undefined && sorted.length === 1) return written(first)
  const lead = leads.length === 1 ? leads[0]?.subject : `${leads.length} changes of where your money goes`
  const more = others.length === 1 ? '1 more change' : `${others.length} more changes`
  const only =
    weight === 'routine'
      ? more
      : weight === 'refunds'
        ? `${others.length} refunds that wait for you`
        : `${others.length} changes that concern your money`
  const many = leads.length === 0 ? only : others.length === 0 ? lead : `${lead}, and ${more}`
  return {
    subject: `${many} in your account`,
    text: [
      `There were so many that they come in one mail: ${many}.`,
      ...(weight === 'refunds'
        ? ['Nothing moves before you decide. Anybody with a checkout link can cause such a mail.']
        : ['If these were not you, sign in, end all sessions and look through them.']),
      '',
      ...sorted.flatMap(({ subject, text }, n) => [`--- ${n + 1} of ${entries.length}: ${subject} ---`, '', text]),
    ].join('\n'),
  }
}

/** One that was sealed with a lost key must not hold up the others. */
function openNotice(secrets: Secrets, row: store.WaitingNotice): Entry {
  try {
    return JSON.parse(secrets.open(row, store.noticeContext(row.id)))
  } catch {
    return { subject: 'a change', text: 'What it was stands in the audit log of the console.\n' }
  }
}
