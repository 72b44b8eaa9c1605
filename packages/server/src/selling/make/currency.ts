// Whether something new may be priced in a currency. Pure.
import { AppError } from '@florin/platform/errors'
import { judgeCurrency } from '@florin/protocol'

/** Whether there is a rate is asked when a payer starts. @throws AppError unknown_currency */
export function requireCurrent(code: string, now: Date): void {
  const verdict = judgeCurrency(code, now.toISOString())
  if (verdict.kind === 'current') return
  if (verdict.kind !== 'ended') throw new AppError('unknown_currency', { param: 'currency' })
  const { ended, successor } = verdict.currency
  const next = successor === undefined ? '' : ` Its successor is ${successor}.`
  throw new AppError('unknown_currency', { param: 'currency', message: `${code} ended on ${ended}.${next}` })
}
