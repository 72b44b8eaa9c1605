// A statement has 65,535 parameters at most, and rows that strangers make, such as a block's outputs, may be more.

const ROWS = 1_000

/** The same rows, so many at a time, for one statement each. */
export function chunksOf<T>(rows: readonly T[], size = ROWS): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size))
}
