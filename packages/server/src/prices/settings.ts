// What a merchant chooses about currencies: parsed once. Pure.
import {
  type CurrencySettings,
  currencies,
  FX_SPREAD_MAX_BPS,
  type FxMarket,
  fxMarkets,
  judgeCurrency,
} from '@florin/protocol'
import { type Static, Type } from 'typebox'
import { AppError } from '../platform/errors.ts'
import { refusalError } from './refusal.ts'
import type { PriceSettings } from './store.ts'

const Code = Type.String({ maxLength: 20 })
const Spread = Type.Integer({ minimum: 0, maximum: FX_SPREAD_MAX_BPS })
const Nullable = <T extends ReturnType<typeof Type.Integer>>(type: T) => Type.Union([type, Type.Null()])

export const CurrencySettingsSchema = Type.Object(
  {
    default_currency: Type.String({ ...Code, description: 'What new links, invoices and console orders begin with.' }),
    display_currency: Type.String({ ...Code, description: 'Whose sums statistics show first.' }),
    markets: Type.Record(Type.String(), Type.Enum([...fxMarkets]), {
      maxProperties: 40,
      description: 'Of currencies with two: official, or market for what people pay.',
    }),
    spread_bps: Type.Integer({ ...Spread, description: 'Added to every rate, for the merchant.' }),
    stale_spread_bps: Nullable(
      Type.Integer({
        ...Spread,
        description:
          'Added beside it to a rate of before a weekend or holiday, where no live market is known; null: such rates are not taken.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The fields that it does not know are refused, by their name. */
export const ChangeSchema = Type.Partial(CurrencySettingsSchema, { additionalProperties: false })

export const viewSettings = (settings: PriceSettings): CurrencySettings => ({
  default_currency: settings.defaultCurrency,
  display_currency: settings.displayCurrency,
  markets: { ...settings.markets },
  spread_bps: settings.spreadBps,
  stale_spread_bps: settings.staleSpreadBps,
})

/** Changes only the fields given. @throws AppError unknown_currency, validation_failed */
export function changed(before: PriceSettings, change: Static<typeof ChangeSchema>, now: Date): PriceSettings {
  return {
    defaultCurrency: code(change.default_currency, 'default_currency', now) ?? before.defaultCurrency,
    displayCurrency: code(change.display_currency, 'display_currency', now) ?? before.displayCurrency,
    markets: change.markets === undefined ? before.markets : parseMarkets(change.markets),
    spreadBps: change.spread_bps ?? before.spreadBps,
    staleSpreadBps: change.stale_spread_bps === undefined ? before.staleSpreadBps : change.stale_spread_bps,
  }
}

/** What payers are asked for depends on it, in one line; the display currency is for the merchant's eyes alone. */
export function pricesText({ defaultCurrency, markets, spreadBps, staleSpreadBps }: PriceSettings): string {
  const percent = (bps: number): string => `${bps / 100} %`
  const chosen = Object.entries(markets).map(([currency, market]) => `, ${currency} at its ${market} rate`)
  const stale = staleSpreadBps === null ? 'no older rates' : `${percent(staleSpreadBps)} on older rates`
  return `spread ${percent(spreadBps)}, ${stale}, default ${defaultCurrency}${chosen.sort().join('')}`
}

function code(given: string | undefined, param: string, now: Date): string | null {
  if (given === undefined) return null
  const verdict = judgeCurrency(given, now.toISOString())
  if (verdict.kind === 'current') return given
  if (verdict.kind === 'unknown') throw refusalError(given, verdict, param)
  const { ended = '', successor = null, from = '' } = verdict.currency
  const why =
    verdict.kind === 'ended' ? ({ kind: 'ended', successor, on: ended } as const) : ({ kind: 'not_yet', from } as const)
  throw refusalError(given, why, param)
}

function parseMarkets(given: Readonly<Record<string, string>>): Record<string, FxMarket> {
  const wrong = Object.keys(given).find((one) => !/^(thin|split)$/.test(currencies.get(one)?.class ?? ''))
  if (wrong === undefined) return { ...given } as Record<string, FxMarket>
  throw new AppError('validation_failed', {
    param: 'markets',
    message: 'markets names currencies that have two markets, such as LBP, ARS or NGN.',
  })
}
