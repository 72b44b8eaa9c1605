// Writes CSV (RFC 4180): UTF-8, CRLF, every cell quoted, and safe to open in a spreadsheet. Pure.

/**
 * Where a spreadsheet treats text as a formula that a payer or shop may have chosen: at the beginning of a cell, and
 * after any cell separator of some locale, quoted or not. Full-width signs count as plain ones there.
 */
const formula = /(^|[;,|\t\r\n])([\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(value: string | number | null): string {
  if (value === null) return '""'
  const text = typeof value === 'number' ? String(value) : value.replace(formula, "$1$2'")
  return `"${text.replaceAll('"', '""')}"`
}

/** One record with its line end. @example csvLine(['A-1', 'say "hi"', null]) // '"A-1","say ""hi""",""\r\n' */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`
