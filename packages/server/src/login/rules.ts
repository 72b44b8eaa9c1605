// The rules of sign-in (contract.md 1): what an email address is, who may join, how often a code may be requested and
// how many wrong tries are tolerated. Pure: times are arguments.
import { createHash } from 'node:crypto'
import { asciiDomain, type Email } from '@florin/platform/email'
import {
  DAY_MS,
  HOUR_MS,
  LOGIN_CODE_DIGITS,
  LOGIN_CODE_RESEND_MS,
  LOGIN_CODE_TRIES_MAX,
  LOGIN_CODES_PER_HOUR_ASKER,
  LOGIN_CODES_PER_HOUR_CLIENT,
  LOGIN_CODES_PER_HOUR_EMAIL,
  LOGIN_WRONG_TRIES_PER_DAY,
} from '@florin/protocol'
import type { SignupRule } from '../settings.ts'

export { type Email, parseEmail } from '@florin/platform/email'

/** Whether an email without a merchant may become one. The operators' own addresses always may. */
export function mayJoin(address: Email, rule: SignupRule, operators: readonly string[]): boolean {
  if (rule.kind === 'open' || operators.includes(address)) return true
  if (rule.kind === 'closed') return false
  return rule.patterns.some((pattern) => {
    const at = pattern.lastIndexOf('@')
    const wanted = `${pattern.slice(0, at).toLowerCase()}@${asciiDomain(pattern.slice(at + 1)) ?? ''}`
    return wanted.startsWith('*@') ? address.endsWith(wanted.slice(1)) : address === wanted
  })
}

/** When codes were requested within the last hour, newest first. */
export interface RecentCodes {
  ofAsker: readonly Date[]
  /** By browsers that the account does not know. */
  ofEmail: readonly Date[]
  ofClient: readonly Date[]
}

export interface CodeWait {
  ms: number
  /** Strangers use up the email's mail limit; its owner is not at fault. */
  isByOthers: boolean
}

/**
 * How long until this requester may request another code; 0: now. A browser that the account knows is not delayed by
 * others.
 */
export function codeWait(recent: RecentCodes, isKnownBrowser: boolean, now: Date): CodeWait {
  const own = Math.max(
    0,
    waitFor(recent.ofAsker, 1, LOGIN_CODE_RESEND_MS, now),
    waitFor(recent.ofAsker, LOGIN_CODES_PER_HOUR_ASKER, HOUR_MS, now),
    waitFor(recent.ofClient, LOGIN_CODES_PER_HOUR_CLIENT, HOUR_MS, now),
  )
  const others = isKnownBrowser ? 0 : waitFor(recent.ofEmail, LOGIN_CODES_PER_HOUR_EMAIL, HOUR_MS, now)
  return { ms: Math.max(own, others), isByOthers: others > own }
}

/** How long until another code may be requested, one a minute and ten an hour; 0: now. */
export function resendWaitMs(newestFirst: readonly Date[], now: Date): number {
  return Math.max(
    0,
    waitFor(newestFirst, 1, LOGIN_CODE_RESEND_MS, now),
    waitFor(newestFirst, LOGIN_CODES_PER_HOUR_ASKER, HOUR_MS, now),
  )
}

// At most `max` in any window: the max-th newest must have left it.
function waitFor(newestFirst: readonly Date[], max: number, windowMs: number, now: Date): number {
  const blocking = newestFirst[max - 1]
  return blocking === undefined ? 0 : blocking.getTime() + windowMs - now.getTime()
}

/** The wrong tries at codes of six digits of one email. */
export interface WrongTries {
  tries: number
  /** Of the newest. */
  since: Date
  warnedAt: Date | null
}

/** A day without a wrong try resets them. */
export function triesOfDay(wrong: WrongTries | null, now: Date): number {
  return wrong === null || now.getTime() >= wrong.since.getTime() + DAY_MS ? 0 : wrong.tries
}

/**
 * How many wrong tries a new six-digit code may allow; 0: it must be a long one. All codes of an email together allow
 * ten a day, counting live ones with their remaining tries, so a guesser succeeds with a chance of 10 in a million a
 * day, however many browsers and addresses are used.
 */
export function triesForCode(a: { triesOfDay: number; triesLeftOfLive: number }): number {
  const left = LOGIN_WRONG_TRIES_PER_DAY - a.triesOfDay - a.triesLeftOfLive
  return Math.max(0, Math.min(LOGIN_CODE_TRIES_MAX, left))
}

/** Once a day the owner is notified of attempts. */
export function mayWarn(wrong: WrongTries | null, now: Date): boolean {
  const at = wrong?.warnedAt ?? null
  return at === null || now.getTime() >= at.getTime() + DAY_MS
}

declare const asker: unique symbol
/** Whom a code and its tries belong to. */
export type Asker = string & { readonly [asker]: true }

/**
 * The browser, by a random text that it keeps; without one, the client's address. Only the hash of the text is stored.
 */
export function askerOf(nonce: string | undefined, client: string): Asker {
  const name = nonce === undefined ? `c:${client}` : `n:${createHash('sha256').update(`asker ${nonce}`).digest('hex')}`
  return name as Asker
}

// Without I, L, O and U, which are misread.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LONG = 12

/** A code as it is mailed: six digits, or twelve characters in groups of four (60 bits). */
export function newCode(isLong: boolean, below: (bound: number) => number): string {
  if (!isLong) return String(below(10 ** LOGIN_CODE_DIGITS)).padStart(LOGIN_CODE_DIGITS, '0')
  const text = Array.from({ length: LONG }, () => LETTERS[below(LETTERS.length)]).join('')
  return text.replace(/.{4}(?=.)/g, '$&-')
}

/** The typed code in the form that is compared: case, spaces and dashes of a long code do not matter. */
export function canonicalCode(text: string): string {
  const bare = text.toUpperCase().replace(/[\s-]/g, '')
  return bare.length === LONG ? bare : text
}
