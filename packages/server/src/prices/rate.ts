// The dollars that an amount is worth now, and the exchange rate that says so. Asks the database alone: what fills it is
// a background job, so making an order never waits for a source.
import type { Db } from '@florin/platform/db/tx'
import { AMOUNT_USD_MAX_MICROS, type Fx, type Money } from '@florin/protocol'
import type { Config } from '../settings.ts'
import { scaleDown, usdMicrosOf } from './agree/arithmetic.ts'
import { type AmountName, aboveLimit } from './parse.ts'
import { type FxRefusal, refusalError, refusalOn } from './refusal.ts'
import { findRate, findSettings, type PriceSettings, type StoredRate } from './store.ts'

export interface PriceDeps {
  sql: Db
  config: Pick<Config, 'fxSources'>
}

export interface Priced {
  amountUsdMicros: bigint
  /** null: it was said in dollars. */
  fx: Fx | null
}

export type FxAnswer = { kind: 'quote'; fx: Fx } | FxRefusal

/** Sources are asked again within this time. */
const RETRY_AFTER_S = 60

/** The rate of a currency for a merchant now, or why there is none. Never called for dollars. */
export async function rateOf(
  deps: PriceDeps,
  a: { currency: string; merchantId: string; now: Date },
): Promise<FxAnswer> {
  const why = refusalOn(a.currency, a.now)
  if (why !== null) return why
  if (deps.config.fxSources.length === 0) return { kind: 'off' }
  const settings = await findSettings(deps.sql, a.merchantId)
  const found = await findRate(deps.sql, { quote: a.currency, now: a.now })
  return found === null
    ? { kind: 'no_rate', retryAfterS: RETRY_AFTER_S }
    : { kind: 'quote', fx: quoteOf(a.currency, found, settings) }
}

function quoteOf(currency: string, found: StoredRate, { spreadBps }: PriceSettings): Fx {
  return {
    base: 'USD',
    quote: currency,
    rate: scaleDown(found.rate, spreadBps),
    reference_rate: found.rate,
    spread_bps: spreadBps,
    observed_at: found.observedAt.toISOString(),
    agreed_at: found.agreedAt.toISOString(),
    valid_until: found.validUntil.toISOString(),
    apart_bps: found.apartBps,
    sources: found.sources,
    rules_version: found.rulesVersion,
  }
}

/**
 * What an amount is in dollars, once: the order keeps both and never converts back.
 * @param a.param the field that named the currency.
 * @param a.amount the field that named the amount, and how a sentence calls it.
 * @throws AppError unknown_currency, currency_not_offered, no_rate, invalid_amount
 */
export async function priceOf(
  deps: PriceDeps,
  a: { money: Money; merchantId: string; now: Date; param?: string; amount?: AmountName },
): Promise<Priced> {
  const { money, merchantId, now, param = 'currency', amount = { param: 'amount', name: 'amount' } } = a
  if (money.currency === 'USD') return { amountUsdMicros: boundedMicros(money, '1', amount), fx: null }
  const answer = await rateOf(deps, { currency: money.currency, merchantId, now })
  if (answer.kind !== 'quote') throw refusalError(money.currency, answer, param)
  return { amountUsdMicros: boundedMicros(money, answer.fx.rate, amount), fx: answer.fx }
}

/** @throws AppError invalid_amount */
function boundedMicros(money: Money, rate: string, name: AmountName): bigint {
  const micros = usdMicrosOf(money, rate)
  if (micros <= AMOUNT_USD_MAX_MICROS) return micros
  throw aboveLimit(name)
}
