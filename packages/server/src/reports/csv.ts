// Writes CSV (RFC 4180): UTF-8, CRLF, every cell quoted, and safe to open in a spreadsheet. Pure.

/**
 * Where a spreadsheet treats text as a formula that a payer or shop may have chosen: at the beginning of a cell, and
 * after any cell separator of some locale, quoted or not. Full-width signs count as plain ones there.
 */
const formula = /(^|[;,|\t\r\n])([\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/**
 * A reference that the shop gave itself stays to the letter, since its books are looked up by it. Where it holds what a formula
 * needs to call or read anything (`=`, brackets, quotes), it is guarded as other text is.
 */
export interface Reference {
  reference: string | null
}
const plainReference = /^[\p{L}\p{M}\p{N} ._/\\#:+@*,;~$%&-]*$/u

type Cell = string | number | null | Reference

function guarded(value: string | number | Reference): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.replace(formula, "$1$2'")
  const reference = value.reference ?? ''
  return plainReference.test(reference) ? reference : guarded(reference)
}

function cell(value: Cell): string {
  if (value === null) return '""'
  const text = guarded(value)
  return `"${text.replaceAll('"', '""')}"`
}

/** One record with its line end. @example csvLine(['A-1', 'say "hi"', null]) // '"A-1","say ""hi""",""\r\n' */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`
