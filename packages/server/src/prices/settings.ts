// What a merchant chooses about currencies: parsed once. Pure.
import { type CurrencySettings, FX_SPREAD_MAX_BPS } from '@florin/protocol'
import { type Static, Type } from 'typebox'
import { requireCurrent } from './refusal.ts'
import type { PriceSettings } from './store.ts'

const Code = Type.String({ maxLength: 20 })

export const CurrencySettingsSchema = Type.Object(
  {
    default_currency: Type.String({ ...Code, description: 'What new links, invoices and console orders begin with.' }),
    display_currency: Type.String({ ...Code, description: 'Whose sums statistics show first.' }),
    spread_bps: Type.Integer({
      ...{ minimum: 0, maximum: FX_SPREAD_MAX_BPS },
      description: 'Added to every rate, for the merchant.',
    }),
  },
  { additionalProperties: false },
)

/** The fields that it does not know are refused, by their name. */
export const ChangeSchema = Type.Partial(CurrencySettingsSchema, { additionalProperties: false })

export const viewSettings = (settings: PriceSettings): CurrencySettings => ({
  default_currency: settings.defaultCurrency,
  display_currency: settings.displayCurrency,
  spread_bps: settings.spreadBps,
})

/** Changes only the fields given. @throws AppError unknown_currency, validation_failed */
export function changed(before: PriceSettings, change: Static<typeof ChangeSchema>, now: Date): PriceSettings {
  return {
    defaultCurrency: code(change.default_currency, 'default_currency', now) ?? before.defaultCurrency,
    displayCurrency: code(change.display_currency, 'display_currency', now) ?? before.displayCurrency,
    spreadBps: change.spread_bps ?? before.spreadBps,
  }
}

/** What payers are asked for depends on it, in one line; the display currency is for the merchant's eyes alone. */
export const pricesText = ({ defaultCurrency, spreadBps }: PriceSettings): string =>
  `spread ${spreadBps / 100} %, default ${defaultCurrency}`

function code(given: string | undefined, param: string, now: Date): string | null {
  if (given === undefined) return null
  requireCurrent(given, now, param)
  return given
}
