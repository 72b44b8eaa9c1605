// The way between amounts on the wire (strings of digits in the smallest unit) and amounts that people read.
// No floating point anywhere, and no rounding: what cannot be written exactly is refused.

/** A chain's asset with more decimals than this does not exist; the bound keeps a slip from filling the memory. */
const DECIMALS_MAX = 255

/**
 * Writes an amount of smallest units as a decimal number, without trailing zeros.
 *
 * @throws TypeError where the amount is no whole number or `decimals` none from 0 to 255
 * @example formatUnits('49900000', 6) // '49.9'
 */
export function formatUnits(amount: string | bigint, decimals: number): string {
  checkDecimals(decimals)
  if (typeof amount !== 'bigint' && !/^-?\d+$/.test(amount))
    throw new TypeError('amount takes a bigint or a string of digits.')
  const units = BigInt(amount)
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/**
 * Reads a decimal number as an amount of smallest units.
 *
 * @throws TypeError where the text is no plain decimal number, or has more decimals than the asset
 * @example parseUnits('49.9', 6) // 49900000n
 */
export function parseUnits(text: string, decimals: number): bigint {
  checkDecimals(decimals)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new TypeError('The amount is not a plain decimal number such as "49.9".')
  const [, sign = '', whole = '', fraction = ''] = match
  if (fraction.replace(/0+$/, '').length > decimals) {
    throw new TypeError(`The amount has more than the ${decimals} decimals that this asset has.`)
  }
  return BigInt(sign + whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX) {
    throw new TypeError(`decimals takes a whole number from 0 to ${DECIMALS_MAX}.`)
  }
}
