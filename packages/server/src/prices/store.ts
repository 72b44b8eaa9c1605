// SQL of exchange rates and of what merchants chose about them.
import type { Db, Tx } from '@florin/platform/db/tx'
import type { FxSource } from '@florin/protocol'

export interface StoredRate {
  rate: string
  observedAt: Date
  agreedAt: Date
  validUntil: Date
  apartBps: number
  sources: FxSource[]
  rulesVersion: number
}

/** The rate that holds now: one row by its key. */
export async function findRate(db: Db, a: { quote: string; now: Date }): Promise<StoredRate | null> {
  const [row] = await db<StoredRate[]>`
    select rate, observed_at as "observedAt", agreed_at as "agreedAt", valid_until as "validUntil",
      apart_bps as "apartBps", sources, rules_version as "rulesVersion"
    from fx_rates where quote = ${a.quote} and valid_until > ${a.now}`
  return row ?? null
}

/** The rate that was known last, however old: for sums that are read, never for a price. */
export async function findLastRate(db: Db, quote: string): Promise<{ rate: string; observedAt: Date } | null> {
  const [row] = await db<{ rate: string; observedAt: Date }[]>`
    select rate, observed_at as "observedAt" from fx_rates where quote = ${quote}`
  return row ?? null
}

/** What the sources agreed on: the fetcher alone writes it. */
export function saveRate(db: Db, quote: string, rate: StoredRate): Promise<unknown> {
  return db`
    insert into fx_rates (quote, rate, observed_at, agreed_at, valid_until, apart_bps, sources, rules_version)
    values (${quote}, ${rate.rate}, ${rate.observedAt}, ${rate.agreedAt}, ${rate.validUntil}, ${rate.apartBps},
      ${db.json(rate.sources)}, ${rate.rulesVersion})
    on conflict (quote) do update set rate = excluded.rate, observed_at = excluded.observed_at,
      agreed_at = excluded.agreed_at, valid_until = excluded.valid_until, apart_bps = excluded.apart_bps,
      sources = excluded.sources, rules_version = excluded.rules_version`
}

export interface PriceSettings {
  defaultCurrency: string
  displayCurrency: string
  spreadBps: number
}

const unset: PriceSettings = { defaultCurrency: 'USD', displayCurrency: 'USD', spreadBps: 0 }

export async function findSettings(db: Db, merchantId: string): Promise<PriceSettings> {
  const [row] = await db<PriceSettings[]>`
    select default_currency as "defaultCurrency", display_currency as "displayCurrency",
      spread_bps as "spreadBps"
    from price_settings where merchant_id = ${merchantId}`
  return row ?? unset
}

/** So that two changes of different fields both stay. */
export async function lockSettings(tx: Tx, merchantId: string, now: Date): Promise<PriceSettings> {
  await tx`insert into price_settings (merchant_id, updated_at) values (${merchantId}, ${now}) on conflict do nothing`
  await tx`select 1 from price_settings where merchant_id = ${merchantId} for update`
  return findSettings(tx, merchantId)
}

/** Every rate that holds now. */
export function listRates(db: Db, now: Date): Promise<{ quote: string; rate: string; validUntil: Date }[]> {
  return db<{ quote: string; rate: string; validUntil: Date }[]>`
    select quote, rate, valid_until as "validUntil" from fx_rates
    where valid_until > ${now} limit 400`
}

export async function saveSettings(db: Db, merchantId: string, to: PriceSettings, now: Date): Promise<void> {
  await db`
    insert into price_settings (merchant_id, default_currency, display_currency, spread_bps, updated_at)
    values (${merchantId}, ${to.defaultCurrency}, ${to.displayCurrency}, ${to.spreadBps}, ${now})
    on conflict (merchant_id) do update set default_currency = excluded.default_currency,
      display_currency = excluded.display_currency, spread_bps = excluded.spread_bps,
      updated_at = excluded.updated_at`
}
