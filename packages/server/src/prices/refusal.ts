// Why something is not priced in a currency now, and how that is said. Pure.
import { AppError } from '@florin/platform/errors'
import { currencies, judgeCurrency } from '@florin/protocol'

/** Why something is not priced in a currency now. */
export type FxRefusal =
  | { kind: 'unknown' }
  | { kind: 'ended'; successor: string | null; on: string }
  | { kind: 'not_yet'; from: string }
  /** The operator turned exchange rates off. */
  | { kind: 'off' }
  /** No rate that can be trusted, for now. */
  | { kind: 'no_rate'; retryAfterS: number }

/** @returns null where something can be priced in the currency on the day. Whether a rate exists is another question. */
export function refusalOn(code: string, now: Date): FxRefusal | null {
  const verdict = judgeCurrency(code, now.toISOString())
  if (verdict.kind === 'current') return null
  if (verdict.kind === 'unknown') return verdict
  const { ended = '', successor = null, from = '' } = verdict.currency
  return verdict.kind === 'ended' ? { kind: 'ended', successor, on: ended } : { kind: 'not_yet', from }
}

/** @throws AppError unknown_currency */
export function requireCurrent(code: string, now: Date, param = 'currency'): void {
  const why = refusalOn(code, now)
  if (why !== null) throw refusalError(code, why, param)
}

export function refusalError(code: string, why: FxRefusal, param = 'currency'): AppError {
  switch (why.kind) {
    case 'unknown': {
      const upper = code.toUpperCase()
      const isSmall = currencies.has(upper)
      return new AppError('unknown_currency', {
        param,
        ...(isSmall ? { message: `Write the currency in capital letters: ${upper}.` } : {}),
      })
    }
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
