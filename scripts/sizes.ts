// How long a test that can be of any length runs: short in `npm test`, in full in `npm run test:faults`, and for an hour
// or so in `npm run test:soak`. A test file that asks here is run by all three.
type Size = 'short' | 'full' | 'soak'

const size = (process.env.FLORIN_TEST_SIZE ?? 'short') as Size

/** @example const runs = sized({ short: 500, full: 5_000, soak: 1_000_000 }) */
export function sized<T>(of: { short: T; full: T; soak?: T }): T {
  return size === 'short' ? of.short : size === 'full' ? of.full : (of.soak ?? of.full)
}
