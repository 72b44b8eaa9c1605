// A text as a reader sees it: compatibility forms, digits of every script and what looks like a digit or a dot are folded to plain
// ones, each with its place in the text. Pure.

/** One code point of the text. */
export interface Glyph {
  text: string
  /** Where it starts and ends in the text, in UTF-16 units. */
  start: number
  end: number
  /** Plain digits that it stands for; empty: none. */
  digits: string
  /** A letter that is read as this digit among digits; empty: none. */
  looksLike: string
  isLetter: boolean
}

const CJK = '〇一二三四五六七八九'
const CJK_FORMAL = '零壹贰叁肆伍陆柒捌玖'
const ZEROS = 'OoОоΟοՕօ'
const ONES = 'lIiІіӀΙι'
/** Read as digits only among digits. */
const BETWEEN: Readonly<Record<string, string>> = {
  S: '5',
  s: '5',
  B: '8',
  Z: '2',
  z: '2',
  b: '6',
  g: '9',
  q: '9',
  A: '4',
  E: '3',
  З: '3',
  з: '3',
  б: '6',
  Ч: '4',
}
/** Roman numerals that are one character each, large and small: 1 to 12, 50, 100, 500 and 1000. */
const ROMAN = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '50', '100', '500', '1000']
const ROMAN_FIRST = 0x2160

export function glyphsOf(text: string): Glyph[] {
  const glyphs: Glyph[] = []
  let start = 0
  for (const each of text) {
    const plain = each.normalize('NFKC')
    glyphs.push({
      ...{ text: each, start, end: start + each.length },
      digits: romanOf(each) ?? digitsOf(plain),
      looksLike: ZEROS.includes(plain) ? '0' : ONES.includes(plain) ? '1' : (BETWEEN[plain] ?? ''),
      isLetter: /^\p{L}/u.test(plain),
    })
    start += each.length
  }
  return glyphs
}

const romanOf = (each: string): string | undefined => {
  const n = (each.codePointAt(0) ?? 0) - ROMAN_FIRST
  return n < 0 || n >= 2 * ROMAN.length ? undefined : ROMAN[n % ROMAN.length]
}

const isOftenADigit = ({ text }: Glyph): boolean => BETWEEN[text.normalize('NFKC')] === undefined

type Span = [from: number, to: number]

/** As far as `is` holds around this glyph. */
function spanOf(glyphs: readonly Glyph[], n: number, is: (glyph: Glyph) => boolean): Span {
  const holds = (k: number): boolean => glyphs[k] !== undefined && is(glyphs[k])
  let [from, to] = [n, n]
  while (holds(from - 1)) from--
  while (holds(to + 1)) to++
  return [from, to]
}

const isWord = ({ isLetter, digits }: Glyph): boolean => isLetter && digits === ''
const isDigit = (glyph: Glyph | undefined): boolean => (glyph?.digits ?? '') !== ''

/** Whether a letter is read as a digit: its whole word looks like digits, or it is right between digits. */
export function isRead(glyphs: readonly Glyph[], n: number): boolean {
  const [from, to] = spanOf(glyphs, n, isWord)
  const word = glyphs.slice(from, to + 1)
  if (!word.every(({ looksLike }) => looksLike !== '')) return false
  return (isDigit(glyphs[from - 1]) && isDigit(glyphs[to + 1])) || word.every(isOftenADigit)
}

/**
 * Whether a letter may be meant as a digit: `ZZ34`, `80S`, and capitals alone beside numbers, `800-SSS-0199`. Ordinary texts have
 * a few of these (`A4`, `5l`, `BIO`), so they count only in a long number that is mostly digits.
 */
export function isReadLoosely(glyphs: readonly Glyph[], n: number): boolean {
  if (isRead(glyphs, n)) return true
  const [from, to] = spanOf(glyphs, n, isWord)
  const word = glyphs.slice(from, to + 1)
  if (!word.every(({ looksLike }) => looksLike !== '')) return false
  const text = word.map((glyph) => glyph.text.normalize('NFKC')).join('')
  if (isDigit(glyphs[from - 1]) || isDigit(glyphs[to + 1])) {
    if (word.length > 1) return true
    const [first, last] = spanOf(glyphs, n, isPart)
    const whole = glyphs.slice(first, last + 1)
    // `S307` and `80S`; a name such as `S24` is shorter.
    return (
      /[SZB]/.test(text) &&
      whole.length >= (first === n ? 4 : 3) &&
      whole.filter(isDigit).length >= 2 &&
      isNumeric(whole)
    )
  }
  if (word.length < 2 || text !== text.toUpperCase()) return false
  if (/^[SZB]+$/.test(text)) return true
  return isNumeric(partAt(glyphs, from - 1, -1)) && isNumeric(partAt(glyphs, to + 1, 1))
}

const isPart = (glyph: Glyph): boolean => isWord(glyph) || isDigit(glyph)

/** Letters and digits that stand there, behind one sign or none. */
function partAt(glyphs: readonly Glyph[], at: number, step: 1 | -1): readonly Glyph[] {
  const start = [at, at + step].find((n) => glyphs[n] !== undefined && isPart(glyphs[n]))
  if (start === undefined) return []
  const [from, to] = spanOf(glyphs, start, isPart)
  return glyphs.slice(from, to + 1)
}

const isNumeric = (part: readonly Glyph[]): boolean =>
  part.length > 0 && part.every(({ digits, looksLike }) => digits !== '' || looksLike !== '')

type Reader = (glyphs: readonly Glyph[], n: number) => boolean

/** Each glyph that is read as digits, with these as its `digits`. */
export const readDigits = (glyphs: readonly Glyph[], isReadHere: Reader = isRead): Glyph[] =>
  glyphs.flatMap((glyph, n) => {
    if (glyph.digits !== '') return [glyph]
    return glyph.isLetter && isReadHere(glyphs, n) ? [{ ...glyph, digits: glyph.looksLike }] : []
  })

/** Whether half of what was read loosely is digits, or letters that are often digits in one word with a digit: `8OO`. */
export function isMostlyDigits(read: readonly Glyph[]): boolean {
  const words: Glyph[][] = []
  for (const glyph of read) {
    if (words.at(-1)?.at(-1)?.end === glyph.start) words.at(-1)?.push(glyph)
    else words.push([glyph])
  }
  const isOwn = ({ looksLike }: Glyph): boolean => looksLike === ''
  const sure = words.flatMap((word) => word.filter((one) => isOwn(one) || (isOftenADigit(one) && word.some(isOwn))))
  return sure.length * 2 >= read.length
}

/** Digits of any script; numbers without a plain form, such as those in black circles, count as one digit. */
function digitsOf(plain: string): string {
  let digits = ''
  for (const each of plain) {
    const cjk = Math.max(CJK.indexOf(each), CJK_FORMAL.indexOf(each))
    if (cjk >= 0) digits += cjk
    else if (/\p{Nd}/u.test(each)) digits += digitOf(each.codePointAt(0) ?? 0)
    else if (/[\p{No}\p{Nl}]/u.test(each)) digits += '0'
  }
  return digits
}

/** Digits of a script stand in a row, from its zero on. */
function digitOf(code: number): number {
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}
