// Numbers to call in a text: seven digits and more with no other letter between them, however they are written and parted. Days,
// times, prices, sizes and lists of sizes are none. Pure.
import { type Glyph, glyphsOf, isMostlyDigits, isRead, isReadLoosely, readDigits } from './folded.ts'
import { withoutMoment, withoutOrdinary } from './ordinary.ts'

const DIGITS_TO_CALL = 7
/** Where letters are read as digits that ordinary texts have too. */
const LOOSE_DIGITS_TO_CALL = 10

export interface Found {
  start: number
  end: number
}

/** @example phonesIn('call +1 9OO_555_ooo') // one, from the + to the end */
export function phonesIn(text: string): Found[] {
  const glyphs = glyphsOf(text)
  const strict = runsOf(glyphs, isRead).flatMap((run) => foundIn(text, run, DIGITS_TO_CALL))
  const loose = runsOf(glyphs, isReadLoosely)
    .filter((run) => isMostlyDigits(readDigits(run, () => true)))
    .flatMap((run) => foundIn(text, run, LOOSE_DIGITS_TO_CALL))
  const isApart = (one: Found): boolean => !loose.some(({ start, end }) => start < one.end && one.start < end)
  return [...loose, ...strict.filter(isApart)].sort((a, b) => a.start - b.start)
}

function foundIn(text: string, run: readonly Glyph[], least: number): Found[] {
  const [first, last] = [run.at(0), run.at(-1)]
  if (first === undefined || last === undefined) return []
  const marks = /[+＋(（]\s*$/u.exec(text.slice(0, first.start))?.[0] ?? ''
  const start = first.start - marks.length
  const isCalled = isInternational(run) || isSaidToCall(text.slice(0, start), text.slice(start, last.end))
  if (countOf(run, isCalled, text) < (isCalled ? DIGITS_TO_CALL : least)) return []
  return [
    { start: /[+＋]/.test(marks) || isAreaCode(text.slice(start, last.end)) ? start : first.start, end: last.end },
  ]
}

/** Two zeros lead out of the country. */
const isInternational = ([first, second]: readonly Glyph[]): boolean =>
  `${first?.digits}${first?.looksLike}${second?.digits}${second?.looksLike}` === '00'

/** Short words count where they begin one: `Hotel` and `Recall` say nothing of a call. */
const SAYS_CALL =
  /(?:(?<!\p{L})(?:tel|call|dial|fon|ring|sms|appel\p{L}*|llam\p{L}*|ligue|тел\p{L}*)|telefon\p{L}*|tel[eé]f\p{L}*|phone|whats\s*app|hotline|support|anruf\p{L}*|звон\p{L}*|电话|電話|致电|手机|热线|هاتف|اتصل|전화)[\s.:：]*$/iu

const isSaidToCall = (before: string, run: string): boolean =>
  SAYS_CALL.test(before) || /[+＋☎✆📞]/u.test(run) || isAreaCode(run)

/** `(0900) 555`: digits in brackets, and more behind them. */
const isAreaCode = (run: string): boolean => /[(（][\p{L}\p{N}\s]{1,6}[)）][^\p{L}\p{N}]{0,3}[\p{L}\p{N}]/u.test(run)

/** From a digit to the last one with nothing but digits, what looks like them, and what is no letter between. */
function runsOf(glyphs: readonly Glyph[], isReadHere: typeof isRead): Glyph[][] {
  const runs: Glyph[][] = []
  let run: Glyph[] = []
  const close = (): void => {
    // A letter that looks like a digit starts a number only right beside a digit, and ends none that is read strictly: a unit does.
    while (run.length > 0 && !isEdge(run.at(0), run.at(1))) run.shift()
    while (run.length > 0 && isBehind(run.at(-1))) run.pop()
    if (run.length > 0) runs.push(run)
    run = []
  }
  const isBehind = (last: Glyph | undefined): boolean =>
    last?.digits === '' && (last.looksLike === '' || isReadHere === isRead)
  glyphs.forEach((glyph, n) => {
    if (glyph.isLetter && glyph.digits === '' && !isReadHere(glyphs, n)) close()
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
  const around = [text.slice(0, run.at(0)?.start), text.slice(run.at(-1)?.end)] as const
  return (isCalled ? withoutMoment(whole) : withoutOrdinary(whole, around)).replace(/\D/g, '').length
}
