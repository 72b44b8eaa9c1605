// Sums in the currency that a merchant wants to read them in: what was asked for in it is exact, the rest is what it was in
// dollars at the rate of now, rounded down, and said to be an estimate. Orders keep what they said; nothing is stored.
import type { Sql } from '@florin/platform/db/pool'
import { currencies, minorText } from '@florin/protocol'
import { minorOf } from '../../prices/agree/arithmetic.ts'
import { findLastRate, findSettings } from '../../prices/store.ts'
import type { OtherSums } from './store.ts'

export interface Display {
  currency: string
  exponent: number
  rate: string
  observedAt: Date
}

/** null: dollars, or no rate of it was ever known. */
export async function findDisplay(sql: Sql, merchantId: string): Promise<Display | null> {
  const { displayCurrency: currency } = await findSettings(sql, merchantId)
  if (currency === 'USD') return null
  const found = await findLastRate(sql, currency)
  return found === null ? null : { currency, exponent: currencies.get(currency)?.digits ?? 2, ...found }
}

/** The micro-dollars of all, and of them those that were asked for in the display currency. */
export interface Part {
  micros: bigint
  own: readonly Pick<OtherSums, 'exponent' | 'minor' | 'micros'>[]
}

/** @returns smallest units of the display currency, as it is now. */
export function inDisplay({ exponent, rate }: Display, { micros, own }: Part): bigint {
  const rest = micros - own.reduce((sum, row) => sum + BigInt(row.micros), 0n)
  const exact = own.reduce((sum, row) => sum + scaled(BigInt(row.minor), row.exponent, exponent), 0n)
  return exact + minorOf(rest, exponent, rate)
}

/** A currency whose digits changed has rows of both. */
const scaled = (minor: bigint, from: number, to: number): bigint =>
  from <= to ? minor * 10n ** BigInt(to - from) : minor / 10n ** BigInt(from - to)

export const displayText = (display: Display, part: Part): string =>
  minorText(inDisplay(display, part), display.exponent)
