// Amounts as text. Chain amounts are strings of digits in smallest units and never become a float: what is shown
// is what is copied, digit for digit, with a point and no grouping, as every wallet reads it.

/**
 * Smallest units as decimal text without needless zeros.
 * @throws RangeError for anything but digits
 * @example decimalText('1500000', 6) // '1.5'
 */
export function decimalText(units: string, decimals: number): string {
  if (!/^\d+$/.test(units)) throw new RangeError(`"${units}" is not an amount in smallest units.`)
  const digits = units.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** US dollars for people: at least two decimals, at most the six that an order may have. */
export function dollars(amountUsd: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(amountUsd)
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
