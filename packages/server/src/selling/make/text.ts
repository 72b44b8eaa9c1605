// Texts of several lines, by merchants and payers: trimmed, line breaks kept, no other control characters. Pure.
import { AppError } from '@florin/platform/errors'
import { refuseTurned } from '@florin/platform/http/label'

/**
 * @param max characters, counted as people count them (code points).
 * @throws AppError validation_failed that names `param`.
 */
export function parseText(text: string, a: { param: string; max: number }): string {
  const said = text.replace(/\r\n?/g, '\n').trim()
  const isFine = said !== '' && [...said].length <= a.max && !/[^\P{Cc}\n]|\p{Zl}|\p{Zp}/u.test(said)
  if (isFine) return refuseTurned(said, a.param)
  throw new AppError('validation_failed', {
    param: a.param,
    message: `The field "${a.param}" takes a text of 1 to ${a.max} characters.`,
  })
}
