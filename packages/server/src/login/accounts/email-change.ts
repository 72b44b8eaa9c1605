// Changes the email of an account. A merchant's own request needs confirmation from both mailboxes and 24 hours; where
// the old mailbox is lost, an operator requests it, the new mailbox confirms, and every address on file has 72 hours to
// object.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { makeLink } from '@florin/platform/mail/links'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import {
  DAY_MS,
  EMAIL_CHANGE_LOST_WAIT_MS,
  EMAIL_CHANGE_WAIT_MS,
  EMAIL_CHANGES_PER_DAY,
  MAIL_LINK_MS,
} from '@florin/protocol'
import type { MerchantCaller } from '../../callers.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { forgetBrowsers } from '../browser.store.ts'
import type { Email } from '../rules.ts'
import { findMerchantByEmail, lockEmail, revokeSessions } from '../store.ts'
import * as store from './email-change.store.ts'
import { askedMail, endedMail, newMailboxMail, takenMail } from './email-mails.ts'
import { lockAccount } from './store.ts'

export type EmailDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

export const APPROVE_EMAIL = 'email_change.approve'
export const CANCEL_EMAIL = 'email_change.cancel'

interface Asked {
  merchantId: string
  newEmail: Email
  actor: string
  byOperator: boolean
  reason: string | null
  session: Pick<MerchantCaller, 'sessionId' | 'browser'> | null
}

/** @throws AppError merchant_not_found, action_not_possible, rate_limited: 5 requests a day. */
export async function askEmailChange(deps: EmailDeps, asked: Asked): Promise<store.EmailChange> {
  const now = deps.clock.now()
  const { merchantId, newEmail } = asked
  const change = await withTx(deps.sql, async (tx) => {
    const account = await lockAccount(tx, merchantId)
    if (account === null) throw new AppError('merchant_not_found')
    if (account.email === newEmail) {
      throw new AppError('action_not_possible', { message: 'This is the email of the account already.' })
    }
    const since = new Date(now.getTime() - DAY_MS)
    if ((await store.countSince(tx, merchantId, since, EMAIL_CHANGES_PER_DAY)) >= EMAIL_CHANGES_PER_DAY) {
      throw new AppError('rate_limited', { retryAfterS: DAY_MS / 1000 })
    }
    const open = await store.findOpen(tx, merchantId)
    if (open !== null) await store.endChange(tx, open.id, 'canceled', now)
    const made: store.EmailChange = {
      id: newId('emc', now),
      ...{ merchantId, newEmail, oldEmail: account.email, askedBy: asked.actor, byOperator: asked.byOperator },
      ...{ oldApprovedAt: null, newApprovedAt: null, effectiveAt: null, createdAt: now },
      expiresAt: new Date(now.getTime() + MAIL_LINK_MS),
    }
    await store.insertChange(tx, made)
    await audit(tx, made, asked.actor, 'email_change.asked', { to: newEmail, reason: asked.reason }, now)
    await tellAsked(deps, tx, made, asked, now)
    return made
  })
  deps.wake.mail.fire()
  return change
}

async function tellAsked(deps: EmailDeps, tx: Tx, change: store.EmailChange, asked: Asked, now: Date): Promise<void> {
  const { merchantId, newEmail, oldEmail, byOperator } = change
  const { baseUrl } = deps.config
  const about = { merchantId, subject: change.id, baseUrl, now }
  const link = (kind: string, side: string) => {
    // Objecting ends the session that requested the change; confirming ends none.
    const { sessionId = null, browser = null } = kind === CANCEL_EMAIL ? (asked.session ?? {}) : {}
    // A change can be stopped as long as it waits.
    const expiresAt = new Date(change.expiresAt.getTime() + EMAIL_CHANGE_LOST_WAIT_MS)
    return makeLink(tx, { ...about, kind, detail: { side, newEmail, oldEmail }, sessionId, browser, expiresAt })
  }
  const dropAfter = new Date(now.getTime() + NOTICE_KEPT_MS)
  const isTaken = (await findMerchantByEmail(tx, newEmail as Email)) !== null
  // The answer of the call is the same, so it does not reveal who has an account here.
  const toNew = isTaken
    ? takenMail(newEmail, { baseUrl })
    : newMailboxMail(newEmail, { approve: await link(APPROVE_EMAIL, 'new'), baseUrl })
  await enqueueMail(tx, deps.secrets, toNew, { now, dropAfter })
  const onFile = byOperator ? await store.listEmailsOnFile(tx, merchantId, oldEmail) : [oldEmail]
  for (const to of onFile) {
    const approve = byOperator ? null : await link(APPROVE_EMAIL, 'old')
    const cancel = await link(CANCEL_EMAIL, 'old')
    const words = askedMail({ newEmail, approve, cancel, reason: asked.reason, at: now, baseUrl })
    await enqueueNotice(tx, deps, { merchantId, to, weight: 'matters', isWhereMoneyGoes: true, ...words }, now)
  }
}

/** One mailbox confirms; with the last required one the wait begins. @returns the result. */
export async function approve(
  tx: Tx,
  a: { merchantId: string; changeId: string; side: 'old' | 'new' },
  now: Date,
): Promise<string> {
  await lockAccount(tx, a.merchantId)
  const open = await store.findOpen(tx, a.merchantId)
  if (open === null || open.id !== a.changeId || open.expiresAt <= now) return 'This change is not open any more.'
  const oldApprovedAt = a.side === 'old' ? now : open.oldApprovedAt
  const newApprovedAt = a.side === 'new' ? now : open.newApprovedAt
  const isWhole = newApprovedAt !== null && (open.byOperator || oldApprovedAt !== null)
  const waitMs = open.byOperator ? EMAIL_CHANGE_LOST_WAIT_MS : EMAIL_CHANGE_WAIT_MS
  const effectiveAt = isWhole ? new Date(now.getTime() + waitMs) : null
  await store.saveApproval(tx, { id: open.id, oldApprovedAt, newApprovedAt, effectiveAt })
  await audit(tx, open, 'mail_link', 'email_change.approved', { mailbox: a.side }, now)
  return effectiveAt === null
    ? 'Thank you. The other mailbox has to say yes as well.'
    : `The email of the account will change at ${effectiveAt.toISOString()}.`
}

/** @returns whether there was one. @param changeId null: the open one. */
export async function cancelEmailChange(
  deps: EmailDeps,
  tx: Tx,
  a: { merchantId: string; changeId: string | null; actor: string },
  now: Date,
): Promise<boolean> {
  await lockAccount(tx, a.merchantId)
  const open = await store.findOpen(tx, a.merchantId)
  if (open === null || (a.changeId !== null && open.id !== a.changeId)) return false
  await store.endChange(tx, open.id, 'canceled', now)
  await audit(tx, open, a.actor, 'email_change.canceled', { to: open.newEmail }, now)
  await tell(deps, tx, open, [open.oldEmail], 'was canceled', now)
  return true
}

/**
 * An operator cancels whatever is open, also what another operator asked for: every address on file hears of it.
 * @throws AppError merchant_not_found, change_not_found
 */
export async function cancelByOperator(
  deps: EmailDeps,
  a: { merchantId: string; actor: string; reason: string },
): Promise<void> {
  const now = deps.clock.now()
  await withTx(deps.sql, async (tx) => {
    if ((await lockAccount(tx, a.merchantId)) === null) throw new AppError('merchant_not_found')
    const open = await store.findOpen(tx, a.merchantId)
    if (open === null) throw new AppError('change_not_found')
    await store.endChange(tx, open.id, 'canceled', now)
    await audit(tx, open, a.actor, 'email_change.canceled', { to: open.newEmail, reason: a.reason }, now)
    const onFile = await store.listEmailsOnFile(tx, a.merchantId, open.oldEmail)
    await tell(deps, tx, open, onFile, 'was canceled by the operator', now, a.reason)
  })
  deps.wake.mail.fire()
}

/** Applies changes whose time has come and deletes those that were never confirmed. @returns how many. */
export async function endDueChanges(deps: EmailDeps): Promise<number> {
  const now = deps.clock.now()
  const due = await store.listDue(deps.sql, now)
  for (const { merchantId } of due) await withTx(deps.sql, (tx) => endDue(deps, tx, merchantId, now))
  if (due.length > 0) deps.wake.mail.fire()
  return due.length
}

async function endDue(deps: EmailDeps, tx: Tx, merchantId: string, now: Date): Promise<void> {
  const asked = await store.findOpen(tx, merchantId)
  if (asked === null) return
  // In the lock order of sign-in: the email's lock first, so that nobody signs up with it meanwhile.
  await lockEmail(tx, asked.newEmail as Email)
  await lockAccount(tx, merchantId)
  const open = await store.findOpen(tx, merchantId)
  if (open === null || open.id !== asked.id) return
  if (open.effectiveAt === null) {
    if (open.expiresAt <= now) await store.endChange(tx, open.id, 'lapsed', now)
    return
  }
  if (open.effectiveAt > now) return
  if ((await findMerchantByEmail(tx, open.newEmail as Email)) !== null) {
    await store.endChange(tx, open.id, 'taken', now)
    await tell(deps, tx, open, [open.oldEmail], 'was not made: another account has that email', now)
    return
  }
  await store.saveEmail(tx, merchantId, open.newEmail)
  await store.endChange(tx, open.id, 'done', now)
  await revokeSessions(tx, { merchantId, id: null, now })
  await forgetBrowsers(tx, merchantId, null)
  await audit(tx, open, open.askedBy, 'email_change.done', { from: open.oldEmail, to: open.newEmail }, now)
  await tell(deps, tx, open, [open.oldEmail, open.newEmail], 'was made, and all sessions have ended', now)
}

async function tell(
  deps: EmailDeps,
  tx: Tx,
  change: store.EmailChange,
  to: readonly string[],
  how: string,
  now: Date,
  reason: string | null = null,
): Promise<void> {
  const words = endedMail({ how, newEmail: change.newEmail, reason, at: now, baseUrl: deps.config.baseUrl })
  for (const each of to) {
    await enqueueNotice(
      tx,
      deps,
      { merchantId: change.merchantId, to: each, weight: 'matters', isWhereMoneyGoes: true, ...words },
      now,
    )
  }
}

function audit(
  tx: Tx,
  change: store.EmailChange,
  actor: string,
  action: string,
  detail: Record<string, string | null>,
  now: Date,
): Promise<unknown> {
  return recordAudit(tx, { merchantId: change.merchantId, actor, action, subject: change.id, detail }, now)
}
