// Creates a sign-in code. It does the same work and gives the same answer whether or not the email is known: only what
// the mail job does later differs.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId, randomBelow } from '@florin/platform/ids'
import { enqueueMail } from '@florin/platform/mail/enqueue'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import { HOUR_MS, LOGIN_CODE_MS, LOGIN_CODES_PER_HOUR_CLIENT } from '@florin/protocol'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { isBrowserOf } from './browser.store.ts'
import { operatorsOf } from './guard.ts'
import { codeMail } from './mails.ts'
import { codes } from './metrics.ts'
import { type Asker, canonicalCode, codeWait, type Email, mayJoin, newCode, triesForCode, triesOfDay } from './rules.ts'
import * as store from './store.ts'
import { warnOwner } from './warn.ts'

export type RequestDeps = { sql: Sql; clock: Clock; log: Log; secrets: Secrets; config: Config; wake: Wakes }

export interface CodeRequest {
  email: Email
  client: string
  asker: Asker
  /** The hash of the browser's cookie for this account, where it has one. */
  browser: (merchantId: string) => Uint8Array | null
}

/**
 * @returns how many characters the code has.
 * @throws AppError rate_limited with the seconds to wait.
 */
export async function requestCode(deps: RequestDeps, a: CodeRequest): Promise<number> {
  const now = deps.clock.now()
  const made = await withTx(deps.sql, (tx) => makeCode(deps, tx, a, now))
  deps.wake.mail.fire()
  codes.inc({ outcome: typeof made === 'number' ? 'made' : 'limited' })
  if (typeof made === 'number') return made
  const retryAfterS = Math.ceil(made.waitMs / 1000)
  const why = made.isByOthers
    ? 'Many codes were asked for with this email, perhaps by somebody else. Its mailbox has a link that signs in; another code'
    : 'Too many codes were asked for. The next one'
  throw new AppError('rate_limited', { retryAfterS, message: `${why} can be asked for in ${retryAfterS} seconds.` })
}

async function makeCode(
  deps: RequestDeps,
  tx: Tx,
  { email, client, asker, browser }: CodeRequest,
  now: Date,
): Promise<number | { waitMs: number; isByOthers: boolean }> {
  const { config, secrets } = deps
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_MS)
  await store.lockEmail(tx, email)
  await store.lockClient(tx, client)
  const since = new Date(now.getTime() - HOUR_MS)
  const [recent, merchant, wrong, strangers] = await Promise.all([
    store.listRecentCodes(tx, { email, client, asker, since, max: LOGIN_CODES_PER_HOUR_CLIENT }),
    store.findMerchantByEmail(tx, email),
    store.findWrongTries(tx, email),
    store.countCodesOfStrangers(tx, since, config.signupMailsPerHour),
  ])
  const hash = merchant === null ? null : browser(merchant.id)
  const isKnown = hash !== null && merchant !== null && (await isBrowserOf(tx, merchant.id, hash))
  const { ms, isByOthers } = config.rateLimits ? codeWait(recent, isKnown, now) : { ms: 0, isByOthers: false }
  if (ms > 0) {
    // The owner, who is not at fault, gets another way in.
    if (isByOthers) await warnOwner(deps, tx, { email, merchant, wrong }, now)
    return { waitMs: ms, isByOthers }
  }
  // Replaces the requester's own older code; other requesters keep theirs.
  await store.closeCodesOf(tx, email, asker, now)
  const live = await store.triesLeftOfLive(tx, email, now)
  const tries = triesForCode({ triesOfDay: triesOfDay(wrong, now), triesLeftOfLive: live })
  const code = newCode(tries === 0, randomBelow)
  const codeHash = codeHashOf(secrets, email, code)
  const isAdmitted = merchant !== null || mayJoin(email, config.signup, operatorsOf(config))
  const isFlood = config.rateLimits && merchant === null && strangers >= config.signupMailsPerHour
  if (isFlood) deps.log.warn({ codes: strangers }, 'hourly limit of sign-in codes for unknown emails reached')
  const row = { id: newId('code', now), email, client, asker, codeHash, now, expiresAt }
  const dropAfter = isAdmitted && !isFlood ? expiresAt : now
  await Promise.all([
    store.insertCode(tx, { ...row, isLong: tries === 0, triesMax: tries, stranger: merchant === null }),
    enqueueMail(tx, secrets, codeMail(email, code, config.baseUrl), { now, dropAfter }),
  ])
  return canonicalCode(code).length
}

/** Bound to the email, so a code is invalid for any other. */
export function codeHashOf(secrets: Secrets, email: Email, code: string): Uint8Array {
  return secrets.keyedHash('login code', `${email}\n${canonicalCode(code)}`)
}
