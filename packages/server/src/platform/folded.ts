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

export const isOftenADigit = ({ text }: Glyph): boolean => BETWEEN[text.normalize('NFKC')] === undefined

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
