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
/** Read as digits only right between digits. */
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
}

export function glyphsOf(text: string): Glyph[] {
  const glyphs: Glyph[] = []
  let start = 0
  for (const each of text) {
    const plain = each.normalize('NFKC')
    glyphs.push({
      ...{ text: each, start, end: start + each.length },
      digits: digitsOf(plain),
      looksLike: ZEROS.includes(plain) ? '0' : ONES.includes(plain) ? '1' : (BETWEEN[plain] ?? ''),
      isLetter: /^\p{L}/u.test(plain),
    })
    start += each.length
  }
  return glyphs
}

const isOftenADigit = ({ text }: Glyph): boolean => BETWEEN[text.normalize('NFKC')] === undefined

/** Whether a letter is read as a digit: its whole word looks like digits, or it is right between digits. */
export function isRead(glyphs: readonly Glyph[], n: number): boolean {
  const at = (k: number): Glyph | undefined => glyphs[k]
  const isWord = (glyph: Glyph | undefined): glyph is Glyph => glyph?.isLetter === true && glyph.digits === ''
  let [from, to] = [n, n]
  while (isWord(at(from - 1))) from--
  while (isWord(at(to + 1))) to++
  const word = glyphs.slice(from, to + 1)
  if (!word.every(({ looksLike }) => looksLike !== '')) return false
  const isBetween = (at(from - 1)?.digits ?? '') !== '' && (at(to + 1)?.digits ?? '') !== ''
  return isBetween || word.every(isOftenADigit)
}

/** Each glyph that is read as digits, with these as its `digits`. */
export const readDigits = (glyphs: readonly Glyph[]): Glyph[] =>
  glyphs.flatMap((glyph, n) => {
    if (glyph.digits !== '') return [glyph]
    return glyph.isLetter && isRead(glyphs, n) ? [{ ...glyph, digits: glyph.looksLike }] : []
  })

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
