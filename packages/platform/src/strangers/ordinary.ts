// Digits in a text that are no number to call: days, times and opening hours, prices, round numbers, sizes and numbers of books. Pure.

const YEAR = '(?:19|20)\\d\\d'
const MONTH = '(?:0?[1-9]|1[0-2])'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const DAYS = new RegExp(
  `(?<!\\d)(?:${YEAR}([-/.])${MONTH}\\1${DAY}|${DAY}([-/.])(?:${MONTH}|${DAY})\\2(?:${YEAR}|\\d\\d)|${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|${YEAR}\\s?[-–/]\\s?${YEAR}|${MONTH}/${YEAR})(?!\\d)`,
  'g',
)
/** A year of business, such as 2026/27. */
const SEASON = new RegExp(`(?<!\\d)(${YEAR})\\s?[-–/]\\s?(\\d\\d)(?!\\d)`, 'g')
const HOUR = '(?:[01]?\\d|2[0-4])'
const TIME = `${HOUR}:[0-5]\\d(?::[0-5]\\d)?`
const TO = '\\s?[-–—]\\s?'
const TIMES = new RegExp(`(?<!\\d)${TIME}(?!\\d)`, 'g')
const DOTTED = `${HOUR}\\.[0-5]\\d`
/** Two times with a dash between, and no digit behind another dash. */
const HOURS = new RegExp(`(?<![\\d.:–—-])(?:${TIME}${TO}${TIME}|${DOTTED}${TO}${DOTTED})(?=\\s*(?:$|[,;/&|()]))`, 'g')
const BARE_HOURS = new RegExp(`^\\D*${HOUR}${TO}${HOUR}(?:\\s?[,;/&|]\\s?${HOUR}${TO}${HOUR}){0,3}\\D*$`)
const MOMENT = new RegExp(
  `^\\s*(?:${YEAR}-${MONTH}-${DAY}|${DAY}([./])(?:${MONTH}|${DAY})\\1${YEAR})?(?:[\\s,(]*${TIME}(?:${TO}${TIME})?)?[\\s)]*$`,
)
const SIZE = '[1-9]\\d{0,3}(?:[.,]\\d{1,2})?'
const SIZES = new RegExp(`(?<![\\d.,])${SIZE}(?:\\s?×\\s?${SIZE}){1,2}(?!\\s?[\\d×])`, 'g')
const STARRED = /^\D*\d{1,4}(?:\s?\*\s?\d{1,4}){1,2}\D*$/
const UNIT_AFTER = /^\s*(?:mm|cm|dm|m|in|inch|ft|″|")(?!\p{L})/u
/** Groups of three zeros: a million, and no number that anybody has. */
const ROUND = /(?<!\d[\s.,'’]?)[1-9]\d{0,2}([ .,'’\u00a0\u202f])000(?:\1(?:000))*(?![\s.,'’]?\d)/g
const PRICE = /^\D*\d{1,3}(?:(?:([.,'’])\d{2,3}(?:\1\d{2,3})*)|(?: \d{3})+)?(?:[.,]\d{1,3})?\D*$/
const OF_COIN = /^\D*\d{1,3}[.,]\d{1,8}\D*$/
const SHORT_PRICE = /^\D*\d{1,3}[.,]\d\d\D*$/
const CURRENCY = `${Intl.supportedValuesOf('currency').join('|')}|BTC|LTC|ETH|SOL|XMR|USDC|USDT|DAI`
const MONEY = `(?:\\p{Sc}|\\b(?:${CURRENCY}|[Ss]ats?|[Ss]atoshis?)(?!\\p{L})|Rp|kr\\.?|zł|Kč|Ft|лв|руб\\.?|R\\$|元|円|원|ريال|درهم)`
const MONEY_BEFORE = new RegExp(`${MONEY}\\s*$`, 'u')
const MONEY_AFTER = new RegExp(`^\\s*${MONEY}`, 'u')
/** An invoice of Argentina: the point of sale, and eight digits. */
const POINT_OF_SALE = /^\s*0{2,3}\d\d-00\d{6}\s*$/

/** A number that is announced as one to call may still be a time: `Video call 24.12.2026 18:00`. */
export const withoutMoment = (plain: string): string => (MOMENT.test(plain) || POINT_OF_SALE.test(plain) ? '' : plain)

/** @param plain a run of digits and signs. @param around what stands before and behind it. */
export function withoutOrdinary(plain: string, [before, after]: readonly [string, string]): string {
  const isMoney = MONEY_BEFORE.test(before) || MONEY_AFTER.test(after)
  if (isMoney && isPrice(plain)) return ''
  if (STARRED.test(plain) && UNIT_AFTER.test(after)) return ''
  // Few of each: more of them are digits to call.
  const without = (from: string, what: RegExp, most: number): string => {
    let left = most
    return from.replace(what, (found) => (left-- > 0 ? ' ' : found))
  }
  const days = without(plain, DAYS, 2).replace(SEASON, (found: string, year: string, next: string) =>
    (Number(year) + 1) % 100 === Number(next) ? ' ' : found,
  )
  const rest = without(without(without(without(days, HOURS, 4), TIMES, 2), SIZES, 1), ROUND, 1)
  return isListOfSizes(rest) || BARE_HOURS.test(rest) ? '' : rest
}

function isPrice(plain: string): boolean {
  const parts = plain.split(/[/|&–]/)
  if (parts.length > 1 && parts.length <= 4) return parts.every((part) => SHORT_PRICE.test(part))
  return OF_COIN.test(plain) || (PRICE.test(plain) && plain.replace(/\D/g, '').length <= 12)
}

/** @example isListOfSizes('36, 37, 38, 39') // true */
function isListOfSizes(text: string): boolean {
  const groups = text.match(/\d+/g) ?? []
  return (
    groups.every((one, n) => /^[1-9]\d?$/.test(one) && (n === 0 || Number(one) > Number(groups[n - 1]))) &&
    (text.match(/\d\D+(?=\d)/g) ?? []).every((between) => /[,/、،]/.test(between))
  )
}
