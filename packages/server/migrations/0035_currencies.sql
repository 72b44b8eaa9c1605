-- Prices in any currency (docs/currencies.md). What the merchant said is the authority: so many smallest units of a
-- currency; the dollars were made of it once, at the rate that is kept beside them. Orders in dollars need none of it.
alter table orders
  add column currency text not null default 'USD',
  add column amount_minor bigint,
  add column exponent smallint,
  add column fx json,
  add constraint orders_fx check (
    (currency = 'USD') = (amount_minor is null)
    and (amount_minor is null) = (fx is null)
    and (amount_minor is null) = (exponent is null)
    and (amount_minor is null or amount_minor > 0));

-- What the answers of the sources agreed on last. Written by the one process that asks them, read by all.
create table fx_rates (
  quote text not null,
  market text not null check (market in ('official', 'market')),
  -- stale: fixings of before a weekend or holidays, for merchants who take them with a spread.
  basis text not null check (basis in ('agreed', 'stale')),
  rate text not null,
  observed_at timestamptz not null,
  agreed_at timestamptz not null,
  valid_until timestamptz not null,
  apart_bps integer not null,
  sources json not null,
  rules_version integer not null,
  primary key (quote, market, basis)
);

-- What a merchant chose. No row: dollars, official rates, nothing added.
create table price_settings (
  merchant_id text primary key references merchants (id),
  default_currency text not null default 'USD',
  display_currency text not null default 'USD',
  -- By currency that has two: official or market.
  markets json not null default '{}',
  spread_bps integer not null default 0 check (spread_bps between 0 and 1000),
  -- Added to a rate of before the weekend where no live market is known; null: such a rate is not taken.
  stale_spread_bps integer check (stale_spread_bps between 0 and 1000),
  updated_at timestamptz not null
);
