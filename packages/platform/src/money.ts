// Money arithmetic: integer micro-dollars and bigint smallest units, never floats.
// Rounding: what is due rounds up by less than one unit, fees round down, so a merchant is never charged a unit more.

import { formatUnits, plainDecimal } from '@florin/protocol'

/** bigint division that rounds up; both arguments are positive. */
export function divCeil(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

/**
 * Decimal text → integer of 10^-decimals. "1.5" with 6 → 1500000n.
 * @returns null when the text is not a plain decimal or has more decimals than fit.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text)
  if (match === null) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt((match[1] ?? '0') + fraction.padEnd(decimals, '0'))
}

/**
 * A number that somebody else's service printed: a JSON number, or decimal text with a point or an exponent, as plain
 * decimal text. Read to its end: "8.1e-7" is not 8.1, "49,90" is nothing.
 */
export function decimalOf(value: unknown): string | null {
  if (typeof value === 'number') return plainDecimal(value)
  if (typeof value !== 'string' || value.length > 60) return null
  const match = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/.exec(value)
  return match === null ? plainDecimal(value) : plainDecimal(expanded(match))
}

function expanded([, whole = '', fraction = '', exponent = '']: RegExpExecArray): string {
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length ? digits.padEnd(point, '0') : `${digits.slice(0, point)}.${digits.slice(point)}`
}

/**
 * A JSON amount of dollars → micro-dollars.
 * @returns null when it is not a positive amount with at most 6 decimals.
 */
export function parseUsdMicros(value: number | string): bigint | null {
  const text = plainDecimal(value)
  const micros = text === null ? null : parseDecimal(text, 6)
  return micros === null || micros <= 0n ? null : micros
}

/** Micro-dollars → the JSON number with the same decimal text; exact up to 9 billion dollars. */
export function usdNumber(micros: bigint): number {
  return Number(formatUnits(micros, 6))
}

/** fee = floor(gross × bps / 10000). */
export function feeUnits(grossUnits: bigint, feeBps: number): bigint {
  return (grossUnits * BigInt(feeBps)) / 10_000n
}

/**
 * What a payer owes: ceil(usd × (10000 + spread) / 10000 ÷ price).
 * @param priceMicros USD micros for one whole unit. @param decimals of the asset.
 */
export function unitsDue(a: { usdMicros: bigint; priceMicros: bigint; decimals: number; spreadBps: number }): bigint {
  return divCeil(a.usdMicros * BigInt(10_000 + a.spreadBps) * 10n ** BigInt(a.decimals), 10_000n * a.priceMicros)
}

/**
 * What an amount due is worth, in micro-dollars, rounded down: ⌊(units − 1) × price⌋, since the last unit of what is due is
 * its rounding up and costs nobody anything.
 * @param a.price dollars for one whole unit, in 10^-priceDecimals.
 */
export function worthDue(a: { units: bigint; decimals: number; price: bigint; priceDecimals: number }): bigint {
  return ((a.units - 1n) * a.price * 10n ** 6n) / 10n ** BigInt(a.decimals + a.priceDecimals)
}
