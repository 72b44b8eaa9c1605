// Reads an amount as people type it. Pure.

/** The dearest order in rupiah has eleven; the server judges what an amount is worth. */
const WHOLE_DIGITS_MAX = 15

/**
 * As the API takes it; null where it is no amount. One comma or point before at most six digits is the decimal sign;
 * marks between groups of three digits are left out. "1,234" and "1.234" are refused: they mean a thousand to one half
 * of the world and a little more than one to the other. In a currency without decimals they mean a thousand to all.
 * @example parseAmount('1.234,50') // '1234.50'
 */
export function parseAmount(typed: string, digits = 6): string | null {
  const text = typed.trim().replace(/[\s\u00a0\u202f'’]/g, '')
  const signs = text.replace(/\d/g, '')
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  let plain = text
  if (/^(,\.|\.,|,+\.|\.+,)$/.test(signs)) {
    const whole = text.slice(0, last)
    if (!/^\d{1,3}([,.]\d{3})+$/.test(whole)) return null
    plain = `${whole.replace(/[,.]/g, '')}.${text.slice(last + 1)}`
  } else if (/^[,.]{2,}$/.test(signs)) {
    if (!/^\d{1,3}([,.]\d{3})+$/.test(text)) return null
    plain = text.replace(/[,.]/g, '')
  } else if (/^[,.]$/.test(signs)) {
    const isGroup = /^[1-9]\d{0,2}[,.]\d{3}$/.test(text)
    if (isGroup && digits > 0) return null
    plain = isGroup ? text.replace(/[,.]/, '') : text.replace(',', '.')
  }
  const isAmount = /^\d+(\.\d{1,6})?$/.test(plain) && /[1-9]/.test(plain)
  return isAmount && (plain.split('.')[0] ?? '').length <= WHOLE_DIGITS_MAX ? plain : null
}
