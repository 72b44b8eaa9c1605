// Numbers to call in a text: seven digits and more with no other letter between them, however they are written and parted. Days,
// times, prices, sizes and lists of sizes are none. Pure.
import { type Glyph, glyphsOf, isRead } from './folded.ts'

const DIGITS_TO_CALL = 7

export interface Found {
  start: number
  end: number
}

/** @example phonesIn('call +1 9OO_555_ooo') // one, from the + to the end */
export function phonesIn(text: string): Found[] {
  return runsOf(glyphsOf(text)).flatMap((run) => {
    const [first, last] = [run.at(0), run.at(-1)]
    if (first === undefined || last === undefined) return []
    const marks = /[+＋(（]\s*$/u.exec(text.slice(0, first.start))
    const isCalled = marks !== null || isSaidToCall(text, first, last) || isInternational(run)
    if (countOf(run, isCalled, text) < DIGITS_TO_CALL) return []
    return [{ start: first.start - (marks?.[0].length ?? 0), end: last.end }]
  })
}

/** Two zeros lead out of the country. */
const isInternational = ([first, second]: readonly Glyph[]): boolean =>
  `${first?.digits}${first?.looksLike}${second?.digits}${second?.looksLike}` === '00'

/** Short words count where they begin one: `Hotel` and `Recall` say nothing of a call. */
const SAYS_CALL =
  /(?:(?<!\p{L})(?:tel|call|dial|fon|ring|sms|appel\p{L}*|llam\p{L}*|ligue|тел\p{L}*)|telefon\p{L}*|tel[eé]f\p{L}*|phone|whats\s*app|hotline|support|anruf\p{L}*|звон\p{L}*|电话|電話|致电|手机|热线|هاتف|اتصل|전화)[\s.:：]*$/iu

const isSaidToCall = (text: string, first: Glyph, last: Glyph): boolean =>
  SAYS_CALL.test(text.slice(0, first.start)) || /[+＋(（☎✆📞]/u.test(text.slice(first.start, last.end))

/** From a digit to the last one with nothing but digits, what looks like them, and what is no letter between. */
function runsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const runs: Glyph[][] = []
  let run: Glyph[] = []
  const close = (): void => {
    // A letter that looks like a digit starts or ends a number only right beside a digit.
    while (run.length > 0 && !isEdge(run.at(0), run.at(1))) run.shift()
    while (run.length > 0 && run.at(-1)?.digits === '') run.pop()
    if (run.length > 0) runs.push(run)
    run = []
  }
  glyphs.forEach((glyph, n) => {
    if (glyph.isLetter && glyph.digits === '' && !isRead(glyphs, n)) close()
    else run.push(glyph)
  })
  close()
  return runs
}

const isEdge = (one: Glyph | undefined, next: Glyph | undefined): boolean =>
  one !== undefined && (one.digits !== '' || (one.looksLike !== '' && next !== undefined && next.digits !== ''))

function countOf(run: readonly Glyph[], isCalled: boolean, text: string): number {
  const plain = run.map(({ digits, looksLike, isLetter, text: own }, n) => {
    if (digits !== '') return digits
    if (!isLetter) return own.normalize('NFKC')
    // Behind a number it may be a unit: 10l.
    const next = run[n + 1]
    const isLast = next === undefined || (next.digits === '' && !next.isLetter)
    return isLast && (run[n - 1]?.digits ?? '') !== '' ? ' ' : looksLike
  })
  const whole = plain.join('')
  return digitsIn(isCalled ? withoutMoment(whole) : withoutOrdinary(whole, text, run))
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

const YEAR = '(?:19|20)\\d\\d'
const MONTH = '(?:0?[1-9]|1[0-2])'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const DAYS = new RegExp(
  `(?<!\\d)(?:${YEAR}([-/.])${MONTH}\\1${DAY}|${DAY}([-/.])(?:${MONTH}|${DAY})\\2(?:${YEAR}|\\d\\d)|${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|${YEAR}\\s?[-–/]\\s?${YEAR}|${MONTH}/${YEAR})(?!\\d)`,
  'g',
)
const MOMENT = new RegExp(
  `^\\s*(?:${YEAR}-${MONTH}-${DAY}|${DAY}([./])(?:${MONTH}|${DAY})\\1${YEAR})(?:[\\s,]+(?:[01]?\\d|2[0-4]):[0-5]\\d)?\\s*$`,
)
const TIMES = /(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?!\d)/g
const SIZES = /(?<!\d)\d{1,4}(?:[.,]\d{1,2})?(?:\s?×\s?\d{1,4}(?:[.,]\d{1,2})?){1,2}(?!\d)/g
const PRICE = /^\D*\d{1,3}(?:(?:([.,'’])\d{2,3}(?:\1\d{2,3})*)|(?: \d{3})+)?(?:[.,]\d{1,3})?\D*$/
const MONEY = `(?:\\p{Sc}|\\b(?:${Intl.supportedValuesOf('currency').join('|')})|Rp|kr\\.?|zł|Kč|Ft|лв|руб\\.?|R\\$|元|円|원|ريال|درهم)`
const MONEY_BEFORE = new RegExp(`${MONEY}\\s*$`, 'u')
const MONEY_AFTER = new RegExp(`^\\s*${MONEY}`, 'u')

/** A call may be on a day: `Video call 24.12.2026 18:00`. */
const withoutMoment = (plain: string): string => (MOMENT.test(plain) ? '' : plain)

/** Two days and two times at most: more of them are digits to call. */
function withoutOrdinary(plain: string, text: string, run: readonly Glyph[]): string {
  const [before, after] = [text.slice(0, run.at(0)?.start), text.slice(run.at(-1)?.end)]
  if (PRICE.test(plain) && digitsIn(plain) <= 12 && (MONEY_BEFORE.test(before) || MONEY_AFTER.test(after))) return ''
  const without = (from: string, what: RegExp, most: number): string => {
    let left = most
    return from.replace(what, (found) => (left-- > 0 ? ' ' : found))
  }
  const rest = without(without(without(plain, DAYS, 2), TIMES, 2), SIZES, 1)
  return isListOfSizes(rest) ? '' : rest
}

/** @example isListOfSizes('36, 37, 38, 39') // true */
function isListOfSizes(text: string): boolean {
  const groups = text.match(/\d+/g) ?? []
  return (
    groups.every((one, n) => /^[1-9]\d?$/.test(one) && (n === 0 || Number(one) > Number(groups[n - 1]))) &&
    (text.match(/\d\D+(?=\d)/g) ?? []).every((between) => /[,/、،]/.test(between))
  )
}
