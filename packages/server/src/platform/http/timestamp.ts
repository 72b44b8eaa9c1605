// Parses a time in a request: a date or an instant of ISO 8601, without the guesses of JavaScript engines.
import { AppError } from '../errors.ts'

const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * A date alone is its first moment in UTC.
 * @throws AppError validation_failed that names `param`.
 * @example parseMoment('2026-01-31T12:00:00Z', 'from')
 */
export function parseMoment(text: string, param: string): Date {
  const moment = new Date(text)
  const year = moment.getUTCFullYear()
  if (form.test(text) && !Number.isNaN(moment.getTime()) && year >= 1970 && year <= 9999) return moment
  throw new AppError('validation_failed', {
    param,
    message: `${param} takes an ISO 8601 time, such as 2026-01-31T00:00:00Z.`,
  })
}
