// Dollars and prices for people.

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
