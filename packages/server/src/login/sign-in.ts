// Exchanges a code for a session. Everything of one email happens under its lock: of concurrent requests with the same
// code exactly one wins, and wrong tries are counted one by one, per requester of the code.
import { only } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { takeLink } from '@florin/platform/mail/links'
import { equalSecret, type Secrets } from '@florin/platform/secrets'
import { CONSOLE_TOKEN_MS, LOGIN_WRONG_TRIES_PER_DAY } from '@florin/protocol'
import { requireOpen } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { isBrowserOf, meetBrowser } from './browser.store.ts'
import { browserHash, newBrowser } from './browser.ts'
import { operatorsOf } from './guard.ts'
import { signInMail } from './mails.ts'
import { signIns } from './metrics.ts'
import { codeHashOf } from './request-code.ts'
import { type Asker, type Email, mayJoin, triesOfDay, type WrongTries } from './rules.ts'
import * as store from './store.ts'
import type { Tokens } from './token.ts'
import { SIGN_IN, warnOwner } from './warn.ts'

type SignInDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

export interface SignInAttempt {
  email: Email
  asker: Asker
  code: string
  ip: string
  userAgent: string | null
  /** The cookie that the browser sent for this account. */
  sentBrowser: (merchantId: string) => string | null
}

export interface SignedIn {
  token: string
  merchant: store.Merchant
  expiresAt: Date
  /** What the browser's cookie for this account has to be from now on. */
  browser: string
}

type Outcome =
  | { kind: 'signed_in'; merchant: store.Merchant; session: store.Session; browser: string }
  | { kind: 'wrong' }
  /** The code is right, but the account is suspended or closed. */
  | { kind: 'refused'; merchant: store.Merchant }

/** @throws AppError invalid_login for any wrong code. */
export async function signIn(deps: SignInDeps, tokens: Tokens, attempt: SignInAttempt): Promise<SignedIn> {
  const now = deps.clock.now()
  // A wrong try must be committed, so it is returned from the transaction instead of thrown inside.
  const outcome = await withTx(deps.sql, (tx) => decide(deps, tx, attempt, now))
  return begin(deps, tokens, outcome, now)
}

/** The link of the mail that reports strangers' tries. @throws AppError invalid_login when it is invalid. */
export async function signInByLink(
  deps: SignInDeps,
  tokens: Tokens,
  attempt: Omit<SignInAttempt, 'email' | 'code' | 'asker'> & { token: string },
): Promise<SignedIn> {
  const now = deps.clock.now()
  const outcome = await withTx(deps.sql, async (tx): Promise<Outcome> => {
    const link = await takeLink(tx, { token: attempt.token, kind: SIGN_IN, now })
    const merchant = link === null ? null : await store.findMerchant(tx, link.merchantId)
    return merchant === null ? { kind: 'wrong' } : enter(deps, tx, { ...attempt, merchant }, now)
  })
  if (outcome.kind === 'wrong') {
    signIns.inc({ outcome: 'wrong' })
    throw new AppError('invalid_login', {
      message: 'This link was used already or is too old. Ask for a code instead.',
    })
  }
  return begin(deps, tokens, outcome, now)
}

async function begin(deps: SignInDeps, tokens: Tokens, outcome: Outcome, now: Date): Promise<SignedIn> {
  deps.wake.mail.fire()
  signIns.inc({ outcome: outcome.kind })
  if (outcome.kind === 'refused') requireOpen(outcome.merchant)
  if (outcome.kind !== 'signed_in') throw new AppError('invalid_login')
  const { merchant, session, browser } = outcome
  const subject = { merchantId: merchant.id, sessionId: session.id }
  const { expiresAt } = session
  return { merchant, expiresAt, browser, token: await tokens.sign(subject, now, expiresAt) }
}

async function decide(deps: SignInDeps, tx: Tx, attempt: SignInAttempt, now: Date): Promise<Outcome> {
  const { config, secrets } = deps
  const { email, asker } = attempt
  // Without a code there is nothing to guess: nothing is counted, and no lock is awaited.
  if ((await store.findLiveCode(tx, email, asker, now)) === null) return { kind: 'wrong' }
  await store.lockEmail(tx, email)
  const [wrong, code, known] = await Promise.all([
    store.findWrongTries(tx, email),
    store.findLiveCode(tx, email, asker, now),
    store.findMerchantByEmail(tx, email),
  ])
  if (code === null) return { kind: 'wrong' }
  const isRight = equalSecret(code.codeHash, codeHashOf(secrets, email, attempt.code))
  const isAdmitted = known !== null || mayJoin(email, config.signup, operatorsOf(config))
  if (!isRight || !isAdmitted) {
    await countWrong(deps, tx, { email, code, wrong, merchant: known }, now)
    return { kind: 'wrong' }
  }
  await store.closeCode(tx, code.id, now)
  const merchant =
    known ?? only(await store.insertMerchant(tx, { id: newId('mer', now), email, now }), 'merchant just made')
  return enter(deps, tx, { ...attempt, merchant }, now)
}

/** The requester is the owner of this mailbox. */
async function enter(
  { config, secrets }: SignInDeps,
  tx: Tx,
  a: Omit<SignInAttempt, 'email' | 'code' | 'asker'> & { merchant: store.Merchant },
  now: Date,
): Promise<Outcome> {
  const { merchant } = a
  if (merchant.suspendedAt !== null || merchant.closedAt !== null) return { kind: 'refused', merchant }
  const session: store.Session = {
    id: newId('ses', now),
    userAgent: a.userAgent?.slice(0, 300) ?? null,
    ip: a.ip.slice(0, 100),
    createdAt: now,
    lastSeenAt: now,
    // A JWT counts whole seconds; the session ends with it.
    expiresAt: new Date(Math.floor((now.getTime() + CONSOLE_TOKEN_MS) / 1000) * 1000),
  }
  // A value that no sign-in to this account set may be a thief's.
  const sent = a.sentBrowser(merchant.id)
  const isOurs = sent !== null && (await isBrowserOf(tx, merchant.id, browserHash(sent)))
  const browser = isOurs ? sent : newBrowser()
  const mail = signInMail(merchant.email, { at: now, ip: a.ip, baseUrl: config.baseUrl })
  await Promise.all([
    store.insertSession(tx, { ...session, merchantId: merchant.id }),
    meetBrowser(tx, { merchantId: merchant.id, hash: browserHash(browser), now }),
    enqueueMail(tx, secrets, mail, { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }),
  ])
  return { kind: 'signed_in', merchant, session, browser }
}

async function countWrong(
  deps: SignInDeps,
  tx: Tx,
  a: { email: Email; code: store.LiveCode; wrong: WrongTries | null; merchant: store.Merchant | null },
  now: Date,
): Promise<void> {
  await store.countWrongTry(tx, a.code.id, now)
  // Sixty bits cannot be guessed.
  if (a.code.isLong) return
  const tries = triesOfDay(a.wrong, now) + 1
  await store.saveWrongTries(tx, a.email, tries, now)
  if (tries < LOGIN_WRONG_TRIES_PER_DAY) return
  await warnOwner(deps, tx, { ...a, wrong: { tries, since: now, warnedAt: a.wrong?.warnedAt ?? null } }, now)
}
