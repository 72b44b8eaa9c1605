// Number of an invoice as mails to payers show it. A number of books holds few digits beside a year or a day, a number to call
// holds more: of a longer one only the last four digits are shown. Pure.
import { type Glyph, glyphsOf, isMostlyDigits, isReadLoosely, readDigits } from './folded.ts'

/** Digits in all, where no year stands among them. Zeros in front do not count. */
const DIGITS_MAX = 6
/** Digits beside a year or a day. Zeros in front of them do not count. */
const BESIDE_YEAR_MAX = 5
/** Digits that are shown of a longer number. */
const SHOWN_DIGITS = 4

/** Digits of a number to call, where letters are read as digits that numbers of books have too. */
const LOOSE_MIN = 10
/** Of Argentina: the point of sale, and eight digits. */
const POINT_OF_SALE = /^0{2,3}\d\d-00\d{6}$/

const TWO_OF_MONTH = '(?:0[1-9]|1[0-2])'
const TWO_OF_DAY = '(?:0[1-9]|[12]\\d|3[01])'
const MONTH = `(?:[1-9]|${TWO_OF_MONTH})`
const DAY = `(?:[1-9]|${TWO_OF_DAY})`
/** Groups of digits are parted by one `-`, whatever parts them in the number. */
const YEAR_FIRST = `(20\\d\\d)(?:-${TWO_OF_MONTH}(?:-${TWO_OF_DAY})?(?!\\d)|${TWO_OF_MONTH}(?:${TWO_OF_DAY})?)?`
const YEAR_LAST = `(?:(?:${DAY}-)?${MONTH}-|${MONTH}-${DAY}-)?(20\\d\\d)(?!\\d)`
/** A year of business, such as 2026-27. */
const BOTH_YEARS = '(20\\d\\d)-(?:20)?(\\d\\d)(?!\\d)'
const DATES = [YEAR_LAST, YEAR_FIRST, BOTH_YEARS].map((form) => new RegExp(`(?<!\\d)${form}`, 'g'))

/**
 * @param year in which the number was given: a later year than the next one is no year.
 * @example booksNumber('RE-2026-11-0042', 2026) // as it is
 * @example booksNumber('R/800/555/0199', 2026) // 'R/…0199'
 */
export function booksNumber(number: string, year: number): string {
  const glyphs = glyphsOf(number)
  const strict = readDigits(glyphs)
  const loose = readDigits(glyphs, isReadLoosely)
  // One letter is the series of a shop: B0010-00123456.
  const isHidden = loose.length >= Math.max(LOOSE_MIN, strict.length + 2) && isMostlyDigits(loose)
  const read = isHidden && !isOfBooks(groupsOf(loose), year) ? loose : strict
  const [first, last] = [read.at(0), read.at(-1)]
  if (first === undefined || last === undefined) return number
  const groups = groupsOf(read)
  if (isOfBooks(groups, year)) return number
  const shown = groups.replaceAll('-', '').slice(-SHOWN_DIGITS)
  return `${number.slice(0, first.start)}…${shown}${number.slice(last.end)}`
}

/** Digits, parted by one `-`, whatever parts them in the number. */
const groupsOf = (read: readonly Glyph[]): string =>
  read.reduce(
    (text, { start, digits }, n) => `${text}${n > 0 && start > (read[n - 1]?.end ?? 0) ? '-' : ''}${digits}`,
    '',
  )

/** @param groups of digits, parted by one `-` */
function isOfBooks(groups: string, year: number): boolean {
  if (countOf(groups) <= DIGITS_MAX || POINT_OF_SALE.test(groups)) return true
  const isNear = (short: number): boolean => Math.abs(short - (year % 100)) <= 1
  const short = /^(\d\d)-0+(\d+)$/.exec(groups)
  if (short !== null) return isNear(Number(short[1])) && countOf(short[2] ?? '') <= SHOWN_DIGITS
  const both = /^(\d\d)-(\d\d)-(\d+)$/.exec(groups)
  if (both !== null && isNear(Number(both[1])) && isNext(both[1] ?? '', both[2] ?? ''))
    return countOf(both[3] ?? '') <= SHOWN_DIGITS
  return DATES.some((date) =>
    [...groups.matchAll(date)].some(({ 0: found, 1: own = '', 2: next, index }) => {
      if (next !== undefined && !isNext(own, next)) return false
      const rest = countOf(groups.slice(0, index)) + countOf(groups.slice(index + found.length))
      return Number(own) <= year + 1 && rest <= BESIDE_YEAR_MAX
    }),
  )
}

const isNext = (year: string, next: string): boolean => (Number(year) + 1) % 100 === Number(next)

const countOf = (groups: string): number => groups.replaceAll('-', '').replace(/^0+/, '').length
