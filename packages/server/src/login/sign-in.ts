// The exchange of a code for a session. Everything of one email happens under its lock: of requests with the same
// code exactly one wins, and wrong tries are counted one by one.
import { CONSOLE_TOKEN_MS, LOGIN_CODE_TRIES_MAX } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { only } from '../platform/assert.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { enqueueMail, NOTICE_KEPT_MS } from '../platform/mail/enqueue.ts'
import { equalSecret } from '../platform/secrets.ts'
import { meetBrowser } from './browser.store.ts'
import { requireOpen } from './closed.ts'
import { operatorsOf } from './guard.ts'
import { pausedMail, signInMail } from './mails.ts'
import { codeHashOf } from './request-code.ts'
import { afterWrongTry, type Email, mayJoin, pauseLeftMs, type WrongTries } from './rules.ts'
import * as store from './store.ts'
import type { Tokens } from './token.ts'

type SignInDeps = Pick<Deps, 'sql' | 'clock' | 'secrets' | 'config' | 'wake'>

export interface SignInAttempt {
  email: Email
  code: string
  ip: string
  userAgent: string | null
  /** The hash of the browser's cookie. */
  browser: Uint8Array
}

export interface SignedIn {
  token: string
  merchant: store.Merchant
  expiresAt: Date
}

type Outcome =
  | { kind: 'signed_in'; merchant: store.Merchant; session: store.Session }
  | { kind: 'wrong' }
  /** The code is right, and the account suspended or closed. */
  | { kind: 'refused'; merchant: store.Merchant }
  | { kind: 'paused'; leftMs: number }

/** @throws AppError invalid_login for any wrong code; rate_limited while sign-in of the email is paused. */
export async function signIn(deps: SignInDeps, tokens: Tokens, attempt: SignInAttempt): Promise<SignedIn> {
  const now = deps.clock.now()
  // A wrong try must be committed, so it is answered after the transaction instead of being thrown inside.
  const outcome = await withTx(deps.sql, (tx) => decide(deps, tx, attempt, now))
  deps.wake.mail.fire()
  if (outcome.kind === 'paused') {
    const retryAfterS = Math.ceil(outcome.leftMs / 1000)
    throw new AppError('rate_limited', {
      retryAfterS,
      message: `Too many wrong codes were tried. Signing in is possible again in ${retryAfterS} seconds.`,
    })
  }
  if (outcome.kind === 'refused') requireOpen(outcome.merchant)
  if (outcome.kind !== 'signed_in') throw new AppError('invalid_login')
  const { merchant, session } = outcome
  const subject = { merchantId: merchant.id, sessionId: session.id }
  return { merchant, expiresAt: session.expiresAt, token: await tokens.sign(subject, now, session.expiresAt) }
}

async function decide(deps: SignInDeps, tx: Tx, attempt: SignInAttempt, now: Date): Promise<Outcome> {
  const { config, secrets } = deps
  const { email } = attempt
  await store.lockEmail(tx, email)
  const [wrong, codes, known] = await Promise.all([
    store.findWrongTries(tx, email),
    store.listLiveCodes(tx, email, now),
    store.findMerchantByEmail(tx, email),
  ])
  // While paused nothing is looked at: even the right code says nothing.
  const leftMs = pauseLeftMs(wrong, now)
  if (leftMs > 0) return { kind: 'paused', leftMs }
  const hash = codeHashOf(secrets, email, attempt.code)
  // Every one is compared, so the time does not tell which one it was.
  const matching = codes.filter((code) => equalSecret(code.codeHash, hash))
  const isAdmitted = known !== null || mayJoin(email, config.signup, operatorsOf(config))
  if (matching.length === 0 || !isAdmitted) {
    await countWrong(deps, tx, { email, wrong, isKnown: known !== null }, now)
    return { kind: 'wrong' }
  }
  await store.closeCodes(
    tx,
    matching.map((code) => code.id),
    now,
  )
  if (known !== null && (known.suspendedAt !== null || known.closedAt !== null)) {
    return { kind: 'refused', merchant: known }
  }
  const merchant =
    known ?? only(await store.insertMerchant(tx, { id: newId('mer', now), email, now }), 'merchant just made')
  const session: store.Session = {
    id: newId('ses', now),
    userAgent: attempt.userAgent?.slice(0, 300) ?? null,
    ip: attempt.ip.slice(0, 100),
    createdAt: now,
    lastSeenAt: now,
    // A JWT counts whole seconds; the session ends with it.
    expiresAt: new Date(Math.floor((now.getTime() + CONSOLE_TOKEN_MS) / 1000) * 1000),
  }
  const mail = signInMail(email, { at: now, ip: attempt.ip, baseUrl: config.baseUrl })
  await Promise.all([
    store.insertSession(tx, { ...session, merchantId: merchant.id }),
    meetBrowser(tx, { merchantId: merchant.id, hash: attempt.browser, now }),
    enqueueMail(tx, secrets, mail, { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }),
  ])
  return { kind: 'signed_in', merchant, session }
}

async function countWrong(
  deps: SignInDeps,
  tx: Tx,
  a: { email: Email; wrong: WrongTries | null; isKnown: boolean },
  now: Date,
): Promise<void> {
  const after = afterWrongTry(a.wrong, now)
  await Promise.all([
    store.countWrongTry(tx, a.email, LOGIN_CODE_TRIES_MAX, now),
    store.saveWrongTries(tx, a.email, after),
  ])
  if (!after.tellOwner) return
  const mail = pausedMail(a.email, { at: now, tries: after.tries, baseUrl: deps.config.baseUrl })
  // Written for strangers too, and dropped unsent: an answer takes as long whether or not the email is known.
  const dropAfter = a.isKnown ? new Date(now.getTime() + NOTICE_KEPT_MS) : now
  await enqueueMail(tx, deps.secrets, mail, { now, dropAfter })
}
