// How much of a test file runs: short in `npm test`, in full in `npm run test:faults`, and for an hour or so in
// `npm run test:soak`. A file that asks here is run by all of them.
import { test } from 'node:test'

type Size = 'short' | 'full' | 'soak'

const size = (process.env.FLORIN_TEST_SIZE ?? 'short') as Size

/** @example const runs = sized({ short: 500, full: 5_000, soak: 1_000_000 }) */
export function sized<T>(of: { short: T; full: T; soak?: T }): T {
  return size === 'short' ? of.short : size === 'full' ? of.full : (of.soak ?? of.full)
}

const leave = (() => Promise.resolve()) as typeof test

/**
 * A test that `npm test` leaves to `npm run test:system` and `npm run test:faults`: one that is dear, and of whose kind
 * another stays. Whoever names its file runs it too.
 */
export const slowTest = process.env.FLORIN_TEST_SLOW === 'left out' ? leave : test

/** The others of a list some of whose tests are slow: `npm run test:system`, which runs after `npm test`, leaves them out. */
export const quickTest = process.env.FLORIN_TEST_SLOW === 'alone' ? leave : test
