// Parses a time in a request: a date or an instant of ISO 8601, without the guesses of JavaScript engines.
import { AppError } from '../errors.ts'

const form = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * A date alone is its first moment in UTC.
 * @throws AppError validation_failed that names `param`.
 * @example parseMoment('2026-01-31T12:00:00Z', 'from')
 */
export function parseMoment(text: string, param: string): Date {
  const fault = (message: string): AppError => new AppError('validation_failed', { param, message })
  const [, year = '', month = '', day = ''] = form.exec(text) ?? []
  // Engines read 31 February as a day of March.
  if (year !== '' && isMonth(month) && Number(day) > daysOf(Number(year), Number(month))) {
    throw fault(
      `${param} names a day that does not exist: ${year}-${month} has ${daysOf(Number(year), Number(month))}.`,
    )
  }
  const moment = new Date(text)
  const inUtc = moment.getUTCFullYear()
  if (year !== '' && !Number.isNaN(moment.getTime()) && inUtc >= 1970 && inUtc <= 9999) return moment
  // In a query a + is a space, so an offset loses its sign on the way.
  if (text.includes(' ') && form.test(text.replace(' ', '+'))) {
    throw fault(`${param} lost its "+": in a query a + is a space. Write it as %2B, or give the time in UTC with Z.`)
  }
  if (year === '') throw fault(`${param} takes an ISO 8601 time, such as 2026-01-31T00:00:00Z.`)
  throw fault(
    `${param} names a time that does not exist: it takes years 1970 to 9999, months to 12, hours to 23, minutes and seconds to 59.`,
  )
}

const isMonth = (text: string): boolean => Number(text) >= 1 && Number(text) <= 12
const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()
