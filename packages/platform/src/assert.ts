// Invariant assertions. A failed assertion is a bug: the request fails with 500 and an error in the log.

export class BrokenInvariant extends Error {}

export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new BrokenInvariant(invariant)
}

/** The end of an exhaustive switch: the compiler rejects a missing case, the process an impossible one. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unexpected value: ${JSON.stringify(value)}`)
}

/** The single row that a statement is guaranteed to return. */
export function only<T>(rows: readonly T[], what: string): T {
  const [row] = rows
  assert(row !== undefined && rows.length === 1, `expected one ${what}, got ${rows.length}`)
  return row
}
