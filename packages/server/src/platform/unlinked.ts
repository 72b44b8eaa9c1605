// A text of somebody who is not the service, for mails that go out under its name: one bounded line with nothing in it that a
// mail program turns into a link, an address or a number to call. Pure.
import { AppError } from './errors.ts'

/** Longer texts end in an ellipsis. */
const SHOWN_MAX = 120

/** What would end a header or a line is a space; what is not seen, or turns the text round, is left out. */
export const oneLine = (text: string): string =>
  text
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** A word and a colon right before more: `https:`, `mailto:`, `tel:`; full-width colons and slashes count as theirs. */
const SCHEME = /(\p{L}[\p{L}\p{N}+.-]*)[:：](?=\S)/gu
/** The full stop, and what is read as one: of other widths and scripts, the leader's dot, the hyphenation point. */
const DOT = '[.。．｡․﹒‧ꓸ܁܂]'
const DOTS = new RegExp(DOT, 'gu')
const DOMAIN = new RegExp(`[^\\s.]${DOT}[^\\s.\\d]|[@＠﹫]|\\d${DOT}\\d+${DOT}\\d+${DOT}\\d`, 'u')
/** Seven digits and more, grouped as numbers to call are; a day such as 2026-12-31 is none. */
const PHONE = /[+(＋]?\p{Nd}(?:[\s()./·–-]*\p{Nd}){6,}/gu
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** @example unlinked('Mugs www.evil.example, call +1 900 555 000') // 'Mugs www[dot]evil[dot]example, call [number]' */
export function unlinked(text: string): string {
  return bounded(withoutLinks(oneLine(text)).replace(PHONE, (found) => (DAY.test(found) ? found : '[number]')))
}

/** As `unlinked`, for a number of the merchant's books: its digits stay, unless they are grouped to be called. */
export function unlinkedNumber(text: string): string {
  return bounded(withoutLinks(oneLine(text)).replace(PHONE, (found) => (isToCall(found) ? '[number]' : found)))
}

function withoutLinks(line: string): string {
  const plain = line.replace(SCHEME, '$1 ').replace(/[/／⁄∕]{2,}/g, ' ')
  return oneLine(DOMAIN.test(plain) ? plain.replace(DOTS, '[dot]').replace(/[@＠﹫]/gu, '[at]') : plain)
}

const isToCall = (digits: string): boolean => /[+(＋\s]/.test(digits)

function bounded(line: string): string {
  const chars = [...line]
  return chars.length <= SHOWN_MAX ? line : `${chars.slice(0, SHOWN_MAX - 1).join('')}…`
}

const ADDRESS = new RegExp(
  `[:：][/／]{2}|\\bwww${DOT}|\\b(?:https?|ftp|mailto|tel|sms|callto|javascript|data|bitcoin|ethereum)[:：]\\S|[^\\s@][@＠﹫][^\\s@]|[^\\s.]${DOT}\\p{L}{2,}[/／?#]`,
  'iu',
)
/** A name of a machine: behind its last dot stand letters alone, or an international one. `No.A17` is none. */
const HOST = new RegExp(`[\\p{L}\\p{N}-]${DOT}(?:xn--[a-z0-9-]+|\\p{L}{2,})(?![\\p{L}\\p{N}])`, 'iu')

/**
 * Refuses a name or number that holds an address or a number to call. A bare domain is a name ("Mugs.example") and stays.
 * @throws AppError validation_failed that names `param`.
 */
export function refuseAddress(text: string, param: string): void {
  const line = oneLine(text)
  const calls = [...line.matchAll(PHONE)].some(([found]) => isToCall(found))
  if (calls || ADDRESS.test(line)) throw holdsAddress(param)
}

/** Refuses a number that holds the name of a host too: it stands in mails as it is. @throws AppError validation_failed */
export function refuseHost(text: string, param: string): void {
  if (HOST.test(oneLine(text))) throw holdsAddress(param)
}

const holdsAddress = (param: string): AppError =>
  new AppError('validation_failed', {
    param,
    message: `The field "${param}" takes no web address, email address or phone number: it stands in mails to payers.`,
  })
