// The writing of CSV (RFC 4180): UTF-8, CRLF, quoted where it must be, and safe to open in a spreadsheet. Pure.

/** A cell that begins like this is taken for a formula by spreadsheets, and a payer or shop may have chosen its text. */
const formula = /^[=+\-@\t\r]/

function cell(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record with its line end. @example csvLine(['A-1', 'say "hi"', null]) // 'A-1,"say ""hi""",\r\n' */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`
