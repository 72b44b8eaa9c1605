// The counting of a CSV as it arrives, for the progress of the export. Pure.

/** Counts rows after the head as bytes come in; a line end within quotes is part of a field. */
export function makeRowCounter(): (piece: Uint8Array) => number {
  const QUOTE = 0x22
  const NEWLINE = 0x0a
  let isQuoted = false
  let lines = 0
  return (piece) => {
    for (const byte of piece) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === NEWLINE && !isQuoted) lines++
    }
    return Math.max(0, lines - 1)
  }
}

/** @example exportName(false, new Date()) // 'florin-orders-test-2026-11-21.csv' */
export function exportName(live: boolean, now: Date): string {
  return `florin-orders-${live ? 'live' : 'test'}-${now.toISOString().slice(0, 10)}.csv`
}
