// Number of an invoice as mails to payers show it. A number of books holds few digits beside a year or a day, a number to call
// holds more: of a longer one only the last four digits are shown. Pure.
import { glyphsOf, readDigits } from './folded.ts'

/** Digits in all, where no year stands among them. Zeros in front do not count. */
const DIGITS_MAX = 6
/** Digits beside a year or a day. Zeros in front of them do not count. */
const BESIDE_YEAR_MAX = 5
/** Digits that are shown of a longer number. */
const SHOWN_DIGITS = 4

const TWO_OF_MONTH = '(?:0[1-9]|1[0-2])'
const TWO_OF_DAY = '(?:0[1-9]|[12]\\d|3[01])'
const MONTH = `(?:[1-9]|${TWO_OF_MONTH})`
const DAY = `(?:[1-9]|${TWO_OF_DAY})`
/** Groups of digits are parted by one `-`, whatever parts them in the number. */
const YEAR_FIRST = `(20\\d\\d)(?:-${TWO_OF_MONTH}(?:-${TWO_OF_DAY})?(?!\\d)|${TWO_OF_MONTH}(?:${TWO_OF_DAY})?)?`
const YEAR_LAST = `(?:(?:${DAY}-)?${MONTH}-|${MONTH}-${DAY}-)?(20\\d\\d)(?!\\d)`
const DATES = [YEAR_LAST, YEAR_FIRST].map((form) => new RegExp(`(?<!\\d)${form}`, 'g'))

/**
 * @param year in which the number was given: a later year than the next one is no year.
 * @example booksNumber('RE-2026-11-0042', 2026) // as it is
 * @example booksNumber('R/800/555/0199', 2026) // 'R/…0199'
 */
export function booksNumber(number: string, year: number): string {
  const read = readDigits(glyphsOf(number))
  const [first, last] = [read.at(0), read.at(-1)]
  if (first === undefined || last === undefined) return number
  const groups = read.reduce(
    (text, { start, digits }, n) => `${text}${n > 0 && start > (read[n - 1]?.end ?? 0) ? '-' : ''}${digits}`,
    '',
  )
  if (isOfBooks(groups, year)) return number
  const shown = groups.replaceAll('-', '').slice(-SHOWN_DIGITS)
  return `${number.slice(0, first.start)}…${shown}${number.slice(last.end)}`
}

/** @param groups of digits, parted by one `-` */
function isOfBooks(groups: string, year: number): boolean {
  if (countOf(groups) <= DIGITS_MAX) return true
  const short = /^(\d\d)-0+(\d+)$/.exec(groups)
  if (short !== null) return Math.abs(Number(short[1]) - (year % 100)) <= 1 && countOf(short[2] ?? '') <= SHOWN_DIGITS
  return DATES.some((date) =>
    [...groups.matchAll(date)].some(({ 0: found, 1: own, index }) => {
      const rest = countOf(groups.slice(0, index)) + countOf(groups.slice(index + found.length))
      return Number(own) <= year + 1 && rest <= BESIDE_YEAR_MAX
    }),
  )
}

const countOf = (groups: string): number => groups.replaceAll('-', '').replace(/^0+/, '').length
