// The code that makes an old session fresh again: mailed to the merchant, valid only in the session that requested it.
// Tries are counted per session too, so a thief of one token can neither guess nor lock the owner out.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId, randomBelow } from '@florin/platform/ids'
import { enqueueMail } from '@florin/platform/mail/enqueue'
import { makeLink } from '@florin/platform/mail/links'
import { enqueueNotice } from '@florin/platform/mail/notices'
import { equalSecret, type Secrets } from '@florin/platform/secrets'
import {
  CONFIRMATION_TRIES_MAX,
  CONFIRMATION_TRIES_PER_SESSION,
  HOUR_MS,
  LOGIN_CODE_DIGITS,
  LOGIN_CODE_MS,
} from '@florin/protocol'
import type { MerchantCaller } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import * as store from './confirmation.store.ts'
import { confirmationMail, sessionEndedMail } from './mails.ts'
import { resendWaitMs } from './rules.ts'
import { revokeSessions } from './store.ts'

type ConfirmDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }
type Caller = Pick<MerchantCaller, 'id' | 'email' | 'sessionId' | 'browser'>

/** The link in the mail that brings a code: ends the session that asked for it. */
export const END_SESSION = 'session.end'

const CODES_PER_HOUR = 10

/** @throws AppError rate_limited: one code a minute and 10 an hour per session. */
export async function requestConfirmation(deps: ConfirmDeps, caller: Caller): Promise<void> {
  const { secrets, config } = deps
  const { id: merchantId, sessionId, browser, email } = caller
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_MS)
  const code = String(randomBelow(10 ** LOGIN_CODE_DIGITS)).padStart(LOGIN_CODE_DIGITS, '0')
  await withTx(deps.sql, async (tx) => {
    if ((await store.lockSession(tx, sessionId, now)) === null) throw new AppError('invalid_token')
    const since = new Date(now.getTime() - HOUR_MS)
    const recent = await store.listRecentConfirmations(tx, { sessionId, since, max: CODES_PER_HOUR })
    const waitMs = config.rateLimits ? resendWaitMs(recent, now) : 0
    if (waitMs > 0) {
      const retryAfterS = Math.ceil(waitMs / 1000)
      const message = `Too many codes were asked for. The next one can be asked for in ${retryAfterS} seconds.`
      throw new AppError('rate_limited', { retryAfterS, message })
    }
    // Only one code can be right, so a guess is compared with one.
    await store.closeConfirmations(tx, sessionId, now)
    const codeHash = hashOf(secrets, sessionId, code)
    await store.insertConfirmation(tx, { id: newId('cnf', now), sessionId, codeHash, now, expiresAt })
    const about = { merchantId, kind: END_SESSION, subject: sessionId, detail: {}, sessionId, browser }
    const stop = await makeLink(tx, { ...about, baseUrl: config.baseUrl, now })
    await enqueueMail(tx, secrets, confirmationMail(email, { code, stop, baseUrl: config.baseUrl }), {
      now,
      dropAfter: expiresAt,
    })
  })
  deps.wake.mail.fire()
}

/**
 * @returns until when the session is fresh.
 * @throws AppError invalid_confirmation; invalid_token once too many wrong codes have ended the session.
 */
export async function confirm(deps: ConfirmDeps, caller: Caller, code: string): Promise<Date> {
  const now = deps.clock.now()
  // A wrong try must be committed, so the error is thrown after the transaction.
  const outcome = await withTx(deps.sql, (tx) => tryCode(deps, tx, caller, code, now))
  deps.wake.mail.fire()
  if (outcome === 'ended') throw new AppError('invalid_token')
  if (outcome === 'wrong') throw new AppError('invalid_confirmation', { param: 'code' })
  return new Date(now.getTime() + deps.config.freshSignInMs)
}

async function tryCode(
  deps: ConfirmDeps,
  tx: Tx,
  caller: Caller,
  code: string,
  now: Date,
): Promise<'right' | 'wrong' | 'ended'> {
  const { id: merchantId, sessionId, email } = caller
  const tries = await store.lockSession(tx, sessionId, now)
  if (tries === null) return 'ended'
  const live = await store.findLiveConfirmation(tx, sessionId, now)
  // Without a code there is nothing to guess, so nothing is counted.
  if (live === null) return 'wrong'
  if (equalSecret(live.codeHash, hashOf(deps.secrets, sessionId, code))) {
    await store.closeConfirmations(tx, sessionId, now)
    await store.confirmSession(tx, sessionId, now)
    return 'right'
  }
  await store.countWrongConfirmation(tx, { sessionId, id: live.id, max: CONFIRMATION_TRIES_MAX, now })
  if (tries + 1 < CONFIRMATION_TRIES_PER_SESSION) return 'wrong'
  await revokeSessions(tx, { merchantId, id: sessionId, now })
  const entry = { merchantId, actor: 'system', action: 'session.ended', subject: sessionId }
  await recordAudit(tx, { ...entry, detail: { wrong_codes: tries + 1 } }, now)
  const words = sessionEndedMail({ tries: tries + 1, at: now, baseUrl: deps.config.baseUrl })
  await enqueueNotice(tx, deps, { merchantId, to: email, weight: 'matters', ...words }, now)
  return 'ended'
}

/** Bound to the session: a code is invalid in any other, and for signing in. */
function hashOf(secrets: Secrets, sessionId: string, code: string): Uint8Array {
  return secrets.keyedHash('confirmation code', `${sessionId}\n${code}`)
}
