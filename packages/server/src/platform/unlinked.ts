// A text of somebody who is not the service, for mails that go out under its name: one bounded line with nothing in it that a
// mail program turns into a link, an address or a number to call. Pure.
import { AppError } from './errors.ts'

/** Longer texts end in an ellipsis. */
const SHOWN_MAX = 120

/** What would end a header or a line, or turn the text round, is a space. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** A word and a colon right before more: `https:`, `mailto:`, `tel:`; full-width colons and slashes count as theirs. */
const SCHEME = /(\p{L}[\p{L}\p{N}+.-]*)[:：](?=\S)/gu
const DOMAIN = /[^\s.][.。．｡][^\s.\d]|[@＠]|\d[.。．｡]\d+[.。．｡]\d+[.。．｡]\d/u
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
  return oneLine(DOMAIN.test(plain) ? plain.replace(/[.。．｡]/g, '[dot]').replace(/[@＠]/g, '[at]') : plain)
}

const isToCall = (digits: string): boolean => /[+(＋\s]/.test(digits)

function bounded(line: string): string {
  const chars = [...line]
  return chars.length <= SHOWN_MAX ? line : `${chars.slice(0, SHOWN_MAX - 1).join('')}…`
}

const ADDRESS =
  /[:：][/／]{2}|\bwww\.|\b(?:https?|ftp|mailto|tel|sms|callto|javascript|data|bitcoin|ethereum)[:：]\S|[^\s@]@[^\s@]|[^\s.]\.\p{L}{2,}[/／?#]/iu

/**
 * Refuses a name or number that holds an address or a number to call. A bare domain is a name ("Mugs.example") and stays.
 * @throws AppError validation_failed that names `param`.
 */
export function refuseAddress(text: string, param: string): void {
  const calls = [...text.matchAll(PHONE)].some(([found]) => isToCall(found))
  if (!calls && !ADDRESS.test(text)) return
  throw new AppError('validation_failed', {
    param,
    message: `The field "${param}" takes no web address, email address or phone number: it stands in mails to payers.`,
  })
}
