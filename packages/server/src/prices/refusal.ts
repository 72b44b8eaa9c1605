// Why something is not priced in a currency now, and how that is said. Pure.
import { AppError } from '@florin/platform/errors'

/** Why something is not priced in a currency now. */
export type FxRefusal =
  | { kind: 'unknown' }
  | { kind: 'ended'; successor: string | null; on: string }
  | { kind: 'not_yet'; from: string }
  /** The operator turned exchange rates off. */
  | { kind: 'off' }
  /** No rate that can be trusted, for now. */
  | { kind: 'no_rate'; retryAfterS: number }

export function refusalError(code: string, why: FxRefusal, param = 'currency'): AppError {
  switch (why.kind) {
    case 'unknown':
      return new AppError('unknown_currency', { param })
    case 'ended': {
      const now =
        why.successor === null ? '' : ` Its successor is ${why.successor}: convert your prices, then use that.`
      return new AppError('unknown_currency', { param, message: `${code} ended on ${why.on}.${now}` })
    }
    case 'not_yet':
      return new AppError('unknown_currency', { param, message: `${code} begins on ${why.from}.` })
    case 'off':
      return new AppError('currency_not_offered', {
        param,
        message:
          'Exchange rates are turned off on this service (FX_SOURCES): amounts are in US dollars, as amount_usd.',
      })
    case 'no_rate':
      return new AppError('no_rate', {
        param,
        message: `No exchange rate of ${code} can be trusted right now. Other currencies and amount_usd go on working.`,
        retryAfterS: why.retryAfterS,
      })
  }
}
