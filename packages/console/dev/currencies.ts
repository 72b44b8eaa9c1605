// The currencies of the playground: rates that never move, and what changes the settings.
import { type CurrencySettings, listCurrencies } from '@florin/protocol'
import { type Answer, type Call, ok } from './answer.ts'

let settings: CurrencySettings = {
  ...{ default_currency: 'EUR', display_currency: 'EUR', spread_bps: 50 },
}

export function currencyCalls({ method, body }: Call): Answer {
  if (method === 'PATCH') {
    settings = { ...settings, ...(body as Partial<CurrencySettings>) }
    return ok(settings)
  }
  const currencies = listCurrencies(new Date().toISOString()).map(({ code, digits }) => ({
    ...{ code, digits, rate: code === 'EUR' ? '0.8712' : null, rate_valid_until: null },
  }))
  return ok({ is_on: true, settings, currencies })
}
