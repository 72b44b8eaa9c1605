// Parses one-line texts such as names and labels: trimmed, not empty, without control characters and such as turn the
// direction of what follows, so that they can stand in a table, a mail or a log line.
import { AppError } from '../errors.ts'

/**
 * @param max characters, counted as people count them (code points).
 * @throws AppError validation_failed that names `param`.
 * @example parseLine(' My shop ', { param: 'name', max: 100 }) // 'My shop'
 */
export function parseLine(text: string, a: { param: string; max: number }): string {
  const line = text.trim()
  const isFine = line !== '' && [...line].length <= a.max && !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(line)
  if (isFine) return refuseTurned(line, a.param)
  throw new AppError('validation_failed', {
    param: a.param,
    message: `The field "${a.param}" takes one line of 1 to ${a.max} characters.`,
  })
}

/** Embeddings, overrides and isolates. Letters bring their direction along, and marks (U+200E, U+200F) turn nothing round. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/u

/**
 * Refuses what turns the direction of text: an amount or a file name after it would be read backwards. Every text that
 * is stored and shown passes here.
 * @throws AppError validation_failed that names `param`.
 */
export function refuseTurned(text: string, param: string): string {
  if (!TURNING.test(text)) return text
  throw new AppError('validation_failed', {
    param,
    message: `The field "${param}" takes no characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069).`,
  })
}
