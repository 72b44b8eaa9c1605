// The exchange rate of an order, as it crosses the wire.

/** One answer that a rate was made of. */
export interface FxSource {
  id: string
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
  /** Of the oldest answer that it was made of. */
  observed_at: string
  agreed_at: string
  valid_until: string
  /** How far the answers were apart. */
  apart_bps: number
  sources: FxSource[]
  rules_version: number
}
