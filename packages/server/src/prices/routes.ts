// The console's calls about currencies: which there are, and what a merchant chose (contract.md 5).
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import { changeNotice } from '@florin/platform/mail/change-notice'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import { type CurrencyChoice, listCurrencies } from '@florin/protocol'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { ChangeSchema, CurrencySettingsSchema, changed, pricesText, viewSettings } from './settings.ts'
import { findSettings, listRates, lockSettings, saveSettings } from './store.ts'

const closed = { additionalProperties: false }
const path = '/api/v1/boss/currencies'
const tags = ['console: currencies']
const security = [{ consoleToken: [] }]

const ListSchema = Type.Object(
  {
    is_on: Type.Boolean({ description: 'false: the operator turned exchange rates off; orders are in dollars.' }),
    settings: CurrencySettingsSchema,
    currencies: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          digits: Type.Integer(),
          rate: Type.Union([Type.String(), Type.Null()], {
            description: 'Units for one dollar now; null: none can be trusted.',
          }),
          rate_valid_until: Type.Union([Type.String(), Type.Null()]),
        },
        closed,
      ),
    ),
  },
  closed,
)

export function currencyRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes },
): void {
  app.get(
    path,
    {
      schema: {
        ...{ tags, security, summary: 'Currencies, their rates now, and what you chose' },
        response: { 200: Envelope(ListSchema) },
      },
    },
    async ({ merchant }) => {
      const now = deps.clock.now()
      const [settings, rates] = await Promise.all([findSettings(deps.sql, merchant.id), listRates(deps.sql, now)])
      const byCode = new Map(rates.map((rate) => [rate.quote, rate]))
      const currencies = listCurrencies(now.toISOString()).map(({ code, digits }): CurrencyChoice => {
        const known = byCode.get(code)
        const rate = code === 'USD' ? '1' : (known?.rate ?? null)
        return { code, digits, rate, rate_valid_until: known?.validUntil.toISOString() ?? null }
      })
      return envelope({ is_on: deps.config.fxSources.length > 0, settings: viewSettings(settings), currencies })
    },
  )

  app.patch(
    path,
    {
      // Prices of new orders change with it, never where money goes.
      config: { act: 'harmless' },
      schema: {
        ...{ tags, security, summary: 'Choose currencies and spread' },
        body: ChangeSchema,
        response: { 200: Envelope(CurrencySettingsSchema) },
      },
    },
    async ({ merchant, body }) => {
      const now = deps.clock.now()
      const after = await withTx(deps.sql, async (tx) => {
        const before = await lockSettings(tx, merchant.id, now)
        const next = changed(before, body, now)
        await saveSettings(tx, merchant.id, next, now)
        const detail = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)]))
        const entry = { merchantId: merchant.id, actor: merchant.email, action: 'currencies.changed' }
        await recordAudit(tx, { ...entry, subject: merchant.id, detail }, now)
        if (pricesText(before) !== pricesText(next)) {
          const words = changeNotice({
            ...{ subject: 'The rates of your prices were changed', at: now, baseUrl: deps.config.baseUrl },
            meaning: 'New orders in other currencies are priced by it.',
            ...{ before: pricesText(before), after: pricesText(next) },
          })
          const notice = { merchantId: merchant.id, to: merchant.email, weight: 'routine' as const, ...words }
          await enqueueNotice(tx, deps, notice, now)
        }
        return next
      })
      deps.wake.mail.fire()
      return envelope(viewSettings(after))
    },
  )
}
