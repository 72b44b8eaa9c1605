// The statement "this cannot be". A broken assertion is a bug: the request fails with 500 and a loud log line.

export class BrokenInvariant extends Error {}

export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new BrokenInvariant(invariant)
}

/** The end of an exhaustive switch: the compiler notices a new kind, the process an impossible one. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unexpected value: ${JSON.stringify(value)}`)
}

/** The single row that a statement is bound to return. */
export function only<T>(rows: readonly T[], what: string): T {
  const [row] = rows
  assert(row !== undefined && rows.length === 1, `expected one ${what}, got ${rows.length}`)
  return row
}
