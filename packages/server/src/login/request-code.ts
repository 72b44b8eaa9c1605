// The making of a sign-in code. It does the same work and gives the same answer whether or not anybody is known
// by the email: only what the mail job does later differs.
import {
  HOUR_MS,
  LOGIN_CODE_DIGITS,
  LOGIN_CODE_MS,
  LOGIN_CODES_LIVE_MAX,
  LOGIN_CODES_PER_HOUR_CLIENT,
} from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { newId, randomBelow } from '../platform/ids.ts'
import { enqueueMail } from '../platform/mail/enqueue.ts'
import type { Secrets } from '../platform/secrets.ts'
import { operatorsOf } from './guard.ts'
import { codeMail } from './mails.ts'
import { codeWaitMs, type Email, mayJoin } from './rules.ts'
import { findMerchantByEmail, insertCode, listRecentCodes, lockClient, lockEmail, pushOutCodes } from './store.ts'

type RequestDeps = Pick<Deps, 'sql' | 'clock' | 'secrets' | 'config' | 'wake'>

/** @throws AppError rate_limited with the seconds to wait. */
export async function requestCode(deps: RequestDeps, a: { email: Email; client: string }): Promise<void> {
  const { config, secrets } = deps
  const { email, client } = a
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_MS)
  const code = String(randomBelow(10 ** LOGIN_CODE_DIGITS)).padStart(LOGIN_CODE_DIGITS, '0')
  await withTx(deps.sql, async (tx) => {
    await lockEmail(tx, email)
    await lockClient(tx, client)
    const [recent, merchant] = await Promise.all([
      listRecentCodes(tx, {
        email,
        client,
        since: new Date(now.getTime() - HOUR_MS),
        max: LOGIN_CODES_PER_HOUR_CLIENT,
      }),
      findMerchantByEmail(tx, email),
    ])
    const waitMs = config.rateLimits ? codeWaitMs(recent, now) : 0
    if (waitMs > 0) throw tooMany(waitMs)
    const isAdmitted = merchant !== null || mayJoin(email, config.signup, operatorsOf(config))
    await pushOutCodes(tx, email, LOGIN_CODES_LIVE_MAX - 1, now)
    await Promise.all([
      insertCode(tx, {
        id: newId('code', now),
        email,
        client,
        codeHash: codeHashOf(secrets, email, code),
        now,
        expiresAt,
      }),
      enqueueMail(tx, secrets, codeMail(email, code, config.baseUrl), { now, dropAfter: isAdmitted ? expiresAt : now }),
    ])
  })
  deps.wake.mail.fire()
}

function tooMany(waitMs: number): AppError {
  const retryAfterS = Math.ceil(waitMs / 1000)
  return new AppError('rate_limited', {
    retryAfterS,
    message: `Too many codes were asked for. The next one can be asked for in ${retryAfterS} seconds.`,
  })
}

/** Bound to the email, so a code is worth nothing for another one. */
export function codeHashOf(secrets: Secrets, email: Email, code: string): Uint8Array {
  return secrets.keyedHash('login code', `${email}\n${code}`)
}
