// The exchange rate of an order, as it crosses the wire.

export const fxMarkets = ['official', 'market'] as const
/** Of a currency with two: what its banks say, or what people trade it at. */
export type FxMarket = (typeof fxMarkets)[number]

/** One answer that a rate was made of. */
export interface FxSource {
  id: string
  /** Who is behind it: two sources of one group are one voice. */
  group: string
  /** Who passed it on; null: it was asked itself. */
  via: string | null
  rate: string
  observed_at: string
  fetched_at: string
}

/**
 * The exchange rate of an order, frozen when it was made (docs/currencies.md). Rates are units of `quote` for one dollar,
 * decimal strings.
 */
export interface Fx {
  base: 'USD'
  quote: string
  /** What the order was priced at: `reference_rate` and the merchant's own spread. */
  rate: string
  reference_rate: string
  spread_bps: number
  market: FxMarket
  class: string
  /** Of the oldest answer that it was made of. */
  observed_at: string
  agreed_at: string
  valid_until: string
  /** How far the answers were apart. */
  apart_bps: number
  sources: FxSource[]
  rules_version: number
}
