// What decides at sign-in (contract.md 1): what an email address is, who may join, how often a code may be asked for
// and how many wrong tries are borne. Pure: times are arguments.
import { domainToASCII } from 'node:url'
import {
  DAY_MS,
  HOUR_MS,
  LOGIN_CODE_RESEND_MS,
  LOGIN_CODES_PER_HOUR_CLIENT,
  LOGIN_CODES_PER_HOUR_EMAIL,
  LOGIN_WRONG_TRIES_PER_DAY,
  MINUTE_MS,
} from '@florin/protocol'
import type { SignupRule } from '../config.ts'
import { AppError } from '../platform/errors.ts'

declare const email: unique symbol
/** An address in the one form that it is stored, compared and sent to in. Only parseEmail makes it. */
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
  // Before anything is lower-cased: some letters outside ASCII have a lower case inside it.
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
  // The conversion reads a whole host as URLs have it; what only a URL has is refused before.
  const isAscii = /^[\x21-\x7e]+$/.test(text)
  const ascii = isAscii ? text.toLowerCase() : /[\s%:/?#@[\]\\]/.test(text) ? '' : domainToASCII(text)
  if (ascii === 'localhost') return ascii
  const labels = ascii.split('.')
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return null
  // An all-digit last label makes it an IPv4 address.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii
}

/** Whether an email without a merchant may become one. The operator's own addresses always may. */
export function mayJoin(address: Email, rule: SignupRule, operators: readonly string[]): boolean {
  if (rule.kind === 'open' || operators.includes(address)) return true
  if (rule.kind === 'closed') return false
  return rule.patterns.some((pattern) => {
    const at = pattern.lastIndexOf('@')
    const wanted = `${pattern.slice(0, at).toLowerCase()}@${asciiDomain(pattern.slice(at + 1)) ?? ''}`
    return wanted.startsWith('*@') ? address.endsWith(wanted.slice(1)) : address === wanted
  })
}

/** When codes were asked for within the last hour, newest first. */
export interface RecentCodes {
  ofEmail: readonly Date[]
  ofClient: readonly Date[]
}

/** How long until another code may be asked for; 0: now. */
export function codeWaitMs(recent: RecentCodes, now: Date): number {
  return Math.max(
    0,
    waitFor(recent.ofEmail, 1, LOGIN_CODE_RESEND_MS, now),
    waitFor(recent.ofEmail, LOGIN_CODES_PER_HOUR_EMAIL, HOUR_MS, now),
    waitFor(recent.ofClient, LOGIN_CODES_PER_HOUR_CLIENT, HOUR_MS, now),
  )
}

// At most `max` in any window: the max-th newest must have left it.
function waitFor(newestFirst: readonly Date[], max: number, windowMs: number, now: Date): number {
  const blocking = newestFirst[max - 1]
  return blocking === undefined ? 0 : blocking.getTime() + windowMs - now.getTime()
}

/** The wrong tries of one email. */
export interface WrongTries {
  tries: number
  /** The first of them: its day is what is counted. */
  since: Date
  pausedUntil: Date | null
}

/** How long sign-in of this email is still paused; 0: it is not. */
export function pauseLeftMs(wrong: WrongTries | null, now: Date): number {
  return Math.max(0, (wrong?.pausedUntil?.getTime() ?? 0) - now.getTime())
}

/**
 * The state after one more wrong try. From the 20th of a day on each is followed by a pause: 1 min, 2 min, 4 min …,
 * at most a day; so an email bears 30 guesses a day in all.
 * @returns `tellOwner` at the try that begins the pauses, once a day.
 */
export function afterWrongTry(wrong: WrongTries | null, now: Date): WrongTries & { tellOwner: boolean } {
  const isOver = wrong === null || now.getTime() >= wrong.since.getTime() + DAY_MS
  const tries = isOver ? 1 : wrong.tries + 1
  const beyond = tries - LOGIN_WRONG_TRIES_PER_DAY
  const pauseMs = beyond < 0 ? null : Math.min(MINUTE_MS * 2 ** beyond, DAY_MS)
  return {
    tries,
    since: isOver ? now : wrong.since,
    pausedUntil: pauseMs === null ? null : new Date(now.getTime() + pauseMs),
    tellOwner: beyond === 0,
  }
}
