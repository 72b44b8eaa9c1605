// The reading of a CSV as it arrives, for the progress of the export and for going on where it broke off. Pure.
import { dayOf } from '@florin/protocol'

export interface RowReader {
  /** @returns rows so far, without the head. */
  read(piece: Uint8Array): number
  /** Where the last whole row begins and ends, in bytes; null: there was none but the head. */
  lastRow(): { start: number; end: number } | null
}

const QUOTE = 0x22
const NEWLINE = 0x0a

/** A line end within quotes is part of a field. @param hasHead its first line is no row. */
export function makeRowReader(hasHead = true): RowReader {
  const heads = hasHead ? 1 : 0
  let isQuoted = false
  let lines = 0
  let size = 0
  let start = 0
  let end = 0
  return {
    read(piece) {
      for (const byte of piece) {
        size++
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === NEWLINE && !isQuoted) {
          lines++
          start = end
          end = size
        }
      }
      return Math.max(0, lines - heads)
    },
    lastRow: () => (lines <= heads ? null : { start, end }),
  }
}

/** The order of a row: its first cell. */
export const orderOfRow = (row: string): string | null => /^"?(ord_[0-9a-z]{26})\b/.exec(row)?.[1] ?? null

/** @example exportName(false, new Date(), 'UTC') // 'florin-orders-test-2026-11-21.csv' */
export function exportName(live: boolean, now: Date, zone: string): string {
  return `florin-orders-${live ? 'live' : 'test'}-${dayOf(now, zone)}.csv`
}
