// The words of the comparison of books and chain. Pure.
import { addMonths, type BookDifference, firstOfMonth, type Reconciliation } from '@florin/protocol'
import { units } from '../ui/format.ts'

/** How far the comparison is, in one sentence; the time is put into it by the page. */
export function coverageText({ compared_since, waiting }: Reconciliation): { before: string; after: string } {
  const rest =
    waiting === 0
      ? ''
      : ` ${waiting >= 1000 ? '1000 or more' : waiting} ${waiting === 1 ? 'order waits' : 'orders wait'} to be compared.`
  if (compared_since === null) {
    return { before: `Not every order was compared yet.${rest}`, after: '' }
  }
  return { before: 'Every order was compared after ', after: `.${rest}` }
}

/** What differs, with its sign: what lies there beyond the books is a plus. */
export function gapText({ booked, found, decimals, asset }: BookDifference): string {
  const gap = BigInt(found) - BigInt(booked)
  const size = units(String(gap < 0n ? -gap : gap), decimals)
  return `${gap < 0n ? '−' : '+'}${size} ${asset}`
}

export const amountText = (smallest: string, { decimals, asset }: BookDifference): string =>
  `${units(smallest, decimals)} ${asset}`

/** @example lastMonths('2026-01-15', 2) // ['2026-01', '2025-12'] */
export const lastMonths = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => addMonths(firstOfMonth(today), -n).slice(0, 7))

/** @example monthText('2026-11') // 'November 2026' */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))
