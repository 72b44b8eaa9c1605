// Parses one-line texts such as names and labels: trimmed, not empty, without control characters, so that they can
// stand in a table, a mail or a log line.
import { AppError } from '../errors.ts'

/**
 * @param max characters, counted as people count them (code points).
 * @throws AppError validation_failed that names `param`.
 * @example parseLine(' My shop ', { param: 'name', max: 100 }) // 'My shop'
 */
export function parseLine(text: string, a: { param: string; max: number }): string {
  const line = text.trim()
  const isFine = line !== '' && [...line].length <= a.max && !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(line)
  if (isFine) return line
  throw new AppError('validation_failed', {
    param: a.param,
    message: `The field "${a.param}" takes one line of 1 to ${a.max} characters.`,
  })
}
