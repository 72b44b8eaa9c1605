// Mails to payers, who did not sign up for them: how many a mailbox gets over all shops (contract.md 5.1), whichever of its
// addresses they name, and the signed link under each by which it hears no more. Mailboxes are kept as keyed hashes.
import { DAY_MS, HOUR_MS, PAYER_MAILS, SECOND_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import type { Tx } from '../db/tx.ts'
import { mailboxAddress } from '../email.ts'
import { equalSecret, type Secrets } from '../secrets.ts'
import type { Job } from '../worker/job.ts'
import * as store from './payers.store.ts'

/** What a link does: no more of any shop, no more of this one, or both again. */
const payerActs = ['all', 'shop', 'again'] as const
export type PayerAct = (typeof payerActs)[number]

export interface PayerLink {
  act: PayerAct
  merchantId: string
  mailbox: Uint8Array
}

export type Admitted = { ok: true } | { ok: false; reason: 'stopped' | 'too_many'; retryAfterS: number }

const hashOf = (secrets: Secrets, address: string): Uint8Array => secrets.keyedHash('payer mailbox', address)
const mailboxOf = (secrets: Secrets, email: string): Uint8Array => hashOf(secrets, mailboxAddress(email))

/**
 * Judges one more mail to a payer and counts it, under the lock of the mailbox. What is refused counts nowhere. Of several
 * mailboxes in one transaction the callers take them in the order of `bySeat`, so that two never wait for each other.
 * @param a.isTest nothing real was paid; the caller holds `lockTests` of the merchant.
 */
export async function admitPayerMail(
  deps: { secrets: Secrets },
  tx: Tx,
  a: { to: string; merchantId: string; isInvoice: boolean; isTest?: boolean; now: Date },
): Promise<Admitted> {
  const { merchantId, isInvoice, isTest = false, now } = a
  const mailbox = mailboxOf(deps.secrets, a.to)
  await store.lockMailbox(tx, mailbox)
  // The address itself too: links under earlier mails stopped that alone.
  const mailboxes = [mailbox, hashOf(deps.secrets, a.to.toLowerCase())]
  if (await store.isStopped(tx, { mailboxes, merchantId })) return { ok: false, reason: 'stopped', retryAfterS: 0 }
  const since = new Date(now.getTime() - DAY_MS)
  const day = await store.listPayerMails(tx, { mailbox, since, limit: PAYER_MAILS.perDay })
  const hour = day.filter((mail) => mail.merchantId === merchantId && mail.at.getTime() > now.getTime() - HOUR_MS)
  const invoices = day.filter((mail) => mail.isInvoice)
  const most = PAYER_MAILS.ofTestsPerDay
  const tests = isTest ? await store.listTestMails(tx, { merchantId, since, limit: most }) : []
  const waits = [
    waitMs(day, PAYER_MAILS.perDay, DAY_MS, now),
    waitMs(hour, PAYER_MAILS.ofShopPerHour, HOUR_MS, now),
    isInvoice ? waitMs(invoices, PAYER_MAILS.invoicesPerDay, DAY_MS, now) : 0,
    waitMs(
      tests.map((at) => ({ at })),
      most,
      DAY_MS,
      now,
    ),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) return { ok: false, reason: 'too_many', retryAfterS: Math.ceil(wait / SECOND_MS) }
  await store.insertPayerMail(tx, { mailbox, merchantId, isInvoice, isTest, at: now })
  return { ok: true }
}

/** Until so many of them are younger than `spanMs` that one more is within `max`. Oldest first. */
function waitMs(mails: readonly Pick<store.PayerMail, 'at'>[], max: number, spanMs: number, now: Date): number {
  const oldest = mails[mails.length - max]
  return oldest === undefined ? 0 : oldest.at.getTime() + spanMs - now.getTime()
}

/** Compares two addresses as their locks are to be taken. */
export function bySeat(a: string, b: string): number {
  const [one, other] = [mailboxAddress(a), mailboxAddress(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const signatureOf = (secrets: Secrets, { act, merchantId, mailbox }: PayerLink): string => {
  const about = `${act} ${merchantId} ${Buffer.from(mailbox).toString('hex')}`
  return Buffer.from(secrets.keyedHash('payer mail link', about)).toString('base64url')
}

/** @returns the path of a link, below `baseUrl`. */
export function payerLinkPath(secrets: Secrets, link: PayerLink): string {
  const mailbox = Buffer.from(link.mailbox).toString('base64url')
  return `/mail/stop/${link.act}.${link.merchantId}.${mailbox}.${signatureOf(secrets, link)}`
}

/** @returns the link under a mail to a payer that ends such mails. */
export function payerOff(
  deps: { secrets: Secrets; config: { baseUrl: string } },
  a: { to: string; merchantId: string; label: string },
): { label: string; url: string } {
  const { merchantId, to, label } = a
  const path = payerLinkPath(deps.secrets, { act: 'all', merchantId, mailbox: mailboxOf(deps.secrets, to) })
  return { label, url: `${deps.config.baseUrl}${path}` }
}

/** null where it is not whole or not ours. */
export function readPayerLink(secrets: Secrets, token: string): PayerLink | null {
  const [name = '', merchantId = '', box = '', signature = ''] = token.split('.')
  const act = payerActs.find((each) => each === name)
  if (act === undefined) return null
  const link = { act, merchantId, mailbox: new Uint8Array(Buffer.from(box, 'base64url')) }
  return equalSecret(signature, signatureOf(secrets, link)) ? link : null
}

export async function followPayerLink(tx: Tx, { act, merchantId, mailbox }: PayerLink, now: Date): Promise<void> {
  if (act === 'again') await store.deleteStops(tx, { mailbox, merchantId })
  else await store.insertStop(tx, { mailbox, merchantId: act === 'all' ? '' : merchantId, now })
}

export function payerMailJob(deps: { sql: Sql; clock: Clock }): Job {
  const run = () => store.deletePayerMails(deps.sql, new Date(deps.clock.now().getTime() - 2 * DAY_MS))
  return { name: 'forget-payer-mails', everyMs: HOUR_MS, run }
}
