// A text of somebody who is not the service, for mails that go out under its name: one bounded line with nothing in it that is a
// link, an address or a number to call, for a mail program or for a reader. Pure.

import { AppError } from '../errors.ts'
import { booksNumber } from './books-number.ts'
import { phonesIn } from './phones.ts'

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
const SCHEME = /(\p{L}[\p{L}\p{N}+.-]*)[:：∶꞉](?=\S)/gu
/**
 * Full stops of all scripts, and other characters that look like a dot. IDNA maps three of these to a dot; mail programs and readers
 * take more for one.
 */
const STOP = '[[\\p{Sentence_Terminal}‧ꓸ𐩐\u{1d16d}]--[.!?‼‽⁇⁈⁉⸮؟︕︖﹖﹗！？]]'
/** Dots at middle height. */
const MIDDLES = '·•∙⋅●⸱⸳・･ꞏ᛫ᐧ◦⦁𐄁'
const WORD = '[\\p{L}\\p{N}]'
const WESTERN = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]'
const CATALAN = /(?<=l)·(?=l)/giu
/** Between letters that are read from left to right with a plain dot, each of them is one. */
const AS_DOT = new RegExp(`(?<=${WESTERN}\\s?)${STOP}(?=\\s?${WESTERN})`, 'gv')
/** A name of a host in another script has a short last part. */
const BEFORE_SHORT = new RegExp(`(?<=${WORD})${STOP}(?=${WORD}{2,4}(?!${WORD}))`, 'gv')
const MIDDLE = new RegExp(`(?<=${WESTERN})[${MIDDLES}](?=${WESTERN})|(?<=[a-z])[٠۰](?=[a-z])`, 'giu')
const AT = /[@＠﹫]/gu
/** No host ends in one letter: `B.V.`, `G.m.b.H.` and `U.S.` are words. */
const DOMAIN = /[^\s.]\.[^\s.\d][\p{L}\p{M}\p{N}-]|\s\.\s?\p{L}{2,}|\p{L}{2,}\.[01]\p{L}{2,}|@/u
const IP = /\d\.\d+\.\d+\.\d/
/** What stands between a host's letters and its dots to hide it. */
const HIDES = /[^\p{L}\p{M}\p{N}.@\s]+/gu

/** @example unlinked('Mugs www.evil.example, call +1 900 555 000') // 'Mugs www[dot]evil[dot]example, call [number]' */
export function unlinked(text: string): string {
  return bounded(withoutLinks(withoutPhones(oneLine(text))))
}

/** As `unlinked`, for an invoice's number: of a long one the last digits stay. @param year in which it was given */
export function unlinkedNumber(text: string, year: number): string {
  return bounded(withoutLinks(booksNumber(oneLine(text), year)))
}

function withoutPhones(line: string): string {
  let shown = ''
  let at = 0
  for (const { start, end } of phonesIn(line)) {
    shown += `${line.slice(at, start)}[number]`
    at = end
  }
  return shown + line.slice(at)
}

/** Plain dots, and spaces around other dots that a reader takes for one. */
const plainDots = (line: string): string =>
  line
    .replace(CATALAN, '\u0000')
    .replace(MIDDLE, ' · ')
    .replaceAll('\u0000', '·')
    .replace(AS_DOT, '.')
    .replace(BEFORE_SHORT, '$& ')

function withoutLinks(line: string): string {
  const plain = plainDots(line.replace(SCHEME, '$1 ').replace(/[/／⁄∕]{2,}/g, ' '))
  const shown = plain.replace(DOTTED, (word) =>
    isDomainIn(word) ? word.replace(/\./g, '[dot]').replace(AT, '[at]') : word,
  )
  return oneLine(shown)
}

/** Words and what stands between them at a dot: `evil .com` and `evil . com` are one. */
const DOTTED = /\S+(?:\s+\.\s?\S+)*/g
/** An abbreviation before digits that follow its dot: `Ausg.Nr.1`. */
const NUMBER_WORD = /(?<!\p{L})(?:nr|no|nro|num|núm|bd|vol|pos|teil)\.(?=\p{L}?\p{Nd})/giu

const isDomainIn = (plain: string): boolean => {
  const folded = plain.normalize('NFKC').replace(NUMBER_WORD, ' ')
  return DOMAIN.test(folded) || IP.test(folded) || DOMAIN.test(folded.replace(HIDES, ''))
}

/** Numbers of books hold digits, letters and a few plain signs; a number to call holds others. */
const isToCall = (found: string): boolean => /[^\p{L}\p{Nd}\-/._#]/u.test(found)

function bounded(line: string): string {
  const chars = [...line]
  return chars.length <= SHOWN_MAX ? line : `${chars.slice(0, SHOWN_MAX - 1).join('')}…`
}

const ADDRESS =
  /:\/\/|\bwww\.|\b(?:https?|ftp|mailto|tel|sms|callto|javascript|data|bitcoin|ethereum):\S|[^\s@]@[^\s@]|[^\s.]\.\p{L}{2,}[/?#]/iu
/** A name of a machine: behind its last dot stand letters alone, or an international one. `No.A17` is none. */
const HOST = /[\p{L}\p{N}-]\.(?:xn--[a-z0-9-]+|\p{L}{2,})(?![\p{L}\p{N}])/iu

/** As a reader, and a program that folds, sees it. */
const foldedLine = (text: string): string => plainDots(oneLine(text)).normalize('NFKC').replace(/⁄|∕/g, '/')

/**
 * Refuses a name that holds an address or a number to call. A bare domain is a name ("Mugs.example") and stays.
 * @throws AppError validation_failed that names `param`.
 */
export function refuseAddress(text: string, param: string): void {
  if (phonesIn(oneLine(text)).length > 0 || ADDRESS.test(foldedLine(text))) throw holdsAddress(param)
}

/**
 * Refuses a number of books that holds an address, the name of a host, or a number to call. One of digits and plain signs stays:
 * mails show a part of it.
 * @throws AppError validation_failed that names `param`.
 */
export function refuseAddressInNumber(text: string, param: string): void {
  const plain = oneLine(text)
  const calls = phonesIn(plain).some(({ start, end }) => isToCall(plain.slice(start, end)))
  if (calls || ADDRESS.test(foldedLine(text))) throw holdsAddress(param)
  const line = foldedLine(text).replace(NUMBER_WORD, ' ')
  if (HOST.test(line) || HOST.test(line.replace(/[^\p{L}\p{M}\p{N}.\s-]+/gu, ''))) throw holdsAddress(param)
}

const holdsAddress = (param: string): AppError =>
  new AppError('validation_failed', {
    param,
    message: `The field "${param}" takes no web address, email address or phone number: it stands in mails to payers.`,
  })
