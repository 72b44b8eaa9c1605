// Amounts and prices for people. Digits are those of the amount's own text, never those that a browser believes in.
import { type Checkout, formatUnits, moneyText } from '@florin/protocol'

/** What the shop asks for, in its own currency. */
export const askedText = (checkout: Pick<Checkout, 'amount' | 'currency'>, locale: string): string =>
  moneyText(checkout.amount, checkout.currency, locale)

/** The rate that made dollars of it: `≈ $57.28 · 1 USD = 0.8712 EUR`; null where it was asked for in dollars. */
export function fxText({ amount_usd, fx }: Pick<Checkout, 'amount_usd' | 'fx'>, locale: string): string | null {
  if (fx === null) return null
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(amount_usd)
  return `≈ ${dollars} · 1 USD = ${pointed(shortened(fx.rate), locale)} ${fx.quote}`
}

/** Six digits say a rate as closely as anybody compares it. */
function shortened(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const leading = /^0*/.exec(fraction)?.[0].length ?? 0
  const kept = whole === '0' ? leading + 6 : Math.max(0, 6 - whole.length)
  const shown = fraction.slice(0, kept).replace(/0+$/, '')
  return shown === '' ? whole : `${whole}.${shown}`
}

/**
 * Smallest units of a coin as a payer reads them: never with one decimal alone, and with the point of the locale, like
 * the amount in the shop's currency beside it. What is copied is `formatUnits`, as wallets take it.
 */
export function coinText(amount: string, decimals: number, locale?: string): string {
  const text = formatUnits(amount, decimals)
  const padded = decimals > 1 && /\.\d$/.test(text) ? `${text}0` : text
  return locale === undefined ? padded : pointed(padded, locale)
}

/** Decimal numbers in a text with the point of the locale. */
export function pointed(text: string, locale: string): string {
  const point = new Intl.NumberFormat(locale).formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.'
  return point === '.' ? text : text.replace(/(\d)\.(?=\d)/g, `$1${point}`)
}

/** The price of one whole unit: a decimal string of the wire, shortened to what a person compares. */
export function rateText(rate: string, locale: string): string {
  const price = Number(rate)
  const digits = price >= 1 ? 2 : 6
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(price)
}
