// The rules of sign-in (contract.md 1): what an email address is, who may join, how often a code may be requested and
// how many wrong tries are tolerated. Pure: times are arguments.
import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
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
import type { SignupRule } from '../config.ts'
import { AppError } from '../platform/errors.ts'

declare const email: unique symbol
/** An address in the one form that is stored, compared and mailed to. Only parseEmail makes it. */
export type Email = string & { readonly [email]: true }

const EMAIL_MAX = 254
const LOCAL_MAX = 64
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * The canonical form: lower case throughout, an international domain as punycode. Two spellings that differ in case
 * only are one merchant; dots and `+tags` are kept, since only some providers ignore them. Quoted local parts, address
 * literals, comments and local parts outside ASCII are refused: hardly anybody has one, and each is a way to smuggle
 * something into a mail's header. A domain has a dot, but for `localhost`.
 * @throws AppError validation_failed, `param: "email"`.
 * @example parseEmail('Ann@Müller.example') // 'ann@xn--mller-kva.example'
 */
export function parseEmail(text: string): Email {
  const at = text.lastIndexOf('@')
  // Before anything is lower-cased: some letters outside ASCII lower-case into it.
  const local = text.slice(0, Math.max(0, at))
  if (at < 1 || at === text.length - 1) throw refused('It needs the form name@domain.')
  if (/[^\x21-\x7e]/.test(local)) throw refused('The part before the @ takes printable ASCII characters only.')
  if (local.length > LOCAL_MAX) throw refused(`The part before the @ takes at most ${LOCAL_MAX} characters.`)
  if (!localPart.test(local.toLowerCase())) throw refused('The part before the @ has a character or dot out of place.')
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) throw refused('The part after the @ is not a domain name.')
  const canonical = `${local.toLowerCase()}@${domain}`
  if (canonical.length > EMAIL_MAX) throw refused(`It takes at most ${EMAIL_MAX} characters.`)
  return canonical as Email
}

function refused(why: string): AppError {
  return new AppError('validation_failed', { param: 'email', message: `This is not an email address. ${why}` })
}

function asciiDomain(text: string): string | null {
  if (text.length > EMAIL_MAX) return null
  // The conversion parses a host as URLs do; what only a URL may contain is refused before.
  const isAscii = /^[\x21-\x7e]+$/.test(text)
  const ascii = isAscii ? text.toLowerCase() : /[\s%:/?#@[\]\\]/.test(text) ? '' : domainToASCII(text)
  if (ascii === 'localhost') return ascii
  const labels = ascii.split('.')
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return null
  // An all-digit last label makes it an IPv4 address.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii
}

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
