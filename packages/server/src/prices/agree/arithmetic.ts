// Exchange rates as exact fractions: decimal text in, bigint between, decimal text out; no floating point. Pure.
// A rate is units of a currency for one dollar. What is cut, is cut so that a merchant never gets less.
import { assert } from '@florin/platform/assert'
import { divCeil } from '@florin/platform/money'
import type { Money } from '@florin/protocol'

/** The most that a rate's text carries. */
const SIGNIFICANT = 18

/** A decimal number: digits ÷ 10^scale. */
interface Decimal {
  digits: bigint
  scale: number
}

function read(text: string): Decimal {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text)
  assert(match !== null, `"${text.slice(0, 60)}" is a plain decimal number`)
  const fraction = match[2] ?? ''
  return { digits: BigInt((match[1] ?? '') + fraction), scale: fraction.length }
}

function write(digits: bigint, scale: number): string {
  const text = String(digits).padStart(scale + 1, '0')
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${text.slice(0, text.length - scale)}${scale === 0 || fraction === '' ? '' : `.${fraction}`}`
}

/** a ÷ b as text, cut to the significant digits. @example quotient('1', '3') // '0.333333333333333333' */
export function quotient(a: string, b: string): string {
  const [top, bottom] = [read(a), read(b)]
  assert(bottom.digits > 0n && top.digits > 0n, 'a rate is above zero')
  // Enough digits behind the point for the smallest answer, cut afterwards.
  const scale = SIGNIFICANT + String(bottom.digits).length + top.scale
  const value = (top.digits * 10n ** BigInt(scale + bottom.scale)) / (bottom.digits * 10n ** BigInt(top.scale))
  return cut(value, scale)
}

/** a × b as text, cut likewise. */
export function product(a: string, b: string): string {
  const [left, right] = [read(a), read(b)]
  return cut(left.digits * right.digits, left.scale + right.scale)
}

/** (a + b) ÷ 2, cut likewise. */
export function middle(a: string, b: string): string {
  const [left, right] = [read(a), read(b)]
  const scale = Math.max(left.scale, right.scale)
  const sum = left.digits * 10n ** BigInt(scale - left.scale) + right.digits * 10n ** BigInt(scale - right.scale)
  return cut(sum * 5n, scale + 1)
}

function cut(value: bigint, scale: number): string {
  const extra = String(value).length - SIGNIFICANT
  if (extra <= 0) return write(value, scale)
  const rounded = value / 10n ** BigInt(extra)
  return extra > scale ? write(rounded * 10n ** BigInt(extra - scale), 0) : write(rounded, scale - extra)
}

/** A rate with a spread for the merchant: fewer units for a dollar, so that the amount is worth more dollars. */
export function scaleDown(rate: string, spreadBps: number): string {
  return spreadBps === 0 ? rate : quotient(product(rate, '10000'), String(10_000 + spreadBps))
}

/** ⌈minor ÷ (10^exponent × rate)⌉ in micro-dollars: the one rounding between an order's amount and its dollars, up. */
export function usdMicrosOf({ minor, exponent }: Pick<Money, 'minor' | 'exponent'>, rate: string): bigint {
  const { digits, scale } = read(rate)
  assert(digits > 0n, 'a rate is above zero')
  return divCeil(minor * 10n ** BigInt(6 + scale), 10n ** BigInt(exponent) * digits)
}

/** Micro-dollars as smallest units of a currency, rounded down: for parts of an amount, never for all of it. */
export function minorOf(usdMicros: bigint, exponent: number, rate: string): bigint {
  const { digits, scale } = read(rate)
  return (usdMicros * digits * 10n ** BigInt(exponent)) / 10n ** BigInt(6 + scale)
}

/** How far two rates are apart, in basis points of the smaller one, rounded up. */
export function apartBps(a: string, b: string): number {
  const [left, right] = [read(a), read(b)]
  const scale = Math.max(left.scale, right.scale)
  const [x, y] = [left.digits * 10n ** BigInt(scale - left.scale), right.digits * 10n ** BigInt(scale - right.scale)]
  const [low, high] = x < y ? [x, y] : [y, x]
  assert(low > 0n, 'a rate is above zero')
  const bps = divCeil((high - low) * 10_000n, low)
  return bps > 1_000_000_000n ? 1_000_000_000 : Number(bps)
}

/** -1, 0 or 1, as for sorting. */
export function compareRates(a: string, b: string): number {
  const [left, right] = [read(a), read(b)]
  const x = left.digits * 10n ** BigInt(right.scale)
  const y = right.digits * 10n ** BigInt(left.scale)
  return x < y ? -1 : x > y ? 1 : 0
}
