// An amount in a currency: how it is read and how it is written. Exact: bigint and decimal text, no floating point. Pure.
import { formatUnits } from './amounts.ts'
import { digitsOf } from './currencies.ts'

/** What a merchant said: so many smallest units of a currency. `exponent` is how many digits those have. */
export interface Money {
  currency: string
  minor: bigint
  exponent: number
}

/** One micro-dollar: dollars of the API may have six decimals, so they are not always whole cents. */
export const USD_EXPONENT_MAX = 6

/**
 * The plain decimal text of a JSON amount. A number's shortest decimal text is what the sender wrote, so nothing is
 * computed in floating point; exponents are expanded by hand.
 * @returns null for what is no plain decimal: signs, commas, spaces, exponents in text.
 */
export function plainDecimal(value: number | string): string | null {
  const text = String(value)
  const exponent = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (typeof value === 'number' && exponent !== null) {
    const shift = Number(exponent[3])
    const all = `${exponent[1]}${exponent[2] ?? ''}`
    const point = (exponent[1] ?? '').length + shift
    return point <= 0 ? `0.${'0'.repeat(-point)}${all}` : all.padEnd(point, '0')
  }
  return /^\d{1,60}(?:\.\d{1,60})?$/.test(text) ? text : null
}

/**
 * A JSON amount → smallest units. @example parseMinor('49.9', 2) // 4990n
 * @returns null where it is no plain decimal, or has more decimals than fit; zeros at the end do not count.
 */
export function parseMinor(value: number | string, exponent: number): bigint | null {
  const text = plainDecimal(value)
  if (text === null) return null
  const [whole = '0', fraction = ''] = text.split('.')
  const said = fraction.replace(/0+$/, '')
  return said.length > exponent ? null : BigInt(whole + said.padEnd(exponent, '0'))
}

/** With exactly as many decimals as the exponent says. @example minorText(4990n, 2) // '49.90' */
export function minorText(minor: bigint | string, exponent: number): string {
  const [whole = '0', fraction = ''] = formatUnits(minor, exponent).split('.')
  return exponent === 0 ? whole : `${whole}.${fraction.padEnd(exponent, '0')}`
}

/** Dollars of the API as money: cents where they are whole, else with the decimals that they have. */
export function dollarMoney(micros: bigint): Money {
  const exponent = micros % 10_000n === 0n ? 2 : USD_EXPONENT_MAX
  return { currency: 'USD', minor: micros / 10n ** BigInt(USD_EXPONENT_MAX - exponent), exponent }
}

/**
 * An amount of the wire for people, with exactly the decimals that it has: those of its currency.
 * @example moneyText('49.90', 'EUR', 'de') // '49,90 €'
 */
export function moneyText(amount: string, currency: string, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Text is exact where a number is not: 1234567890123456789.12.
  }).format(amount as `${number}`)
}

/**
 * Money for people: always with the digits of the currency, never with those that this browser believes in.
 * @param amount a decimal text. @example formatMoney('49.9', 'EUR', 'de') // '49,90 €'
 */
export function formatMoney(amount: string, currency: string, locale: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = digitsOf(currency)
  return moneyText(
    digits === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(digits, '0')}`,
    currency,
    locale,
  )
}
