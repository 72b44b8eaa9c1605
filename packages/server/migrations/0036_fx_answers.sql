-- What sources of exchange rates said last, and when they are asked again. One process asks, by the lease fx-rates.
create table fx_sources (
  id text primary key,
  next_at timestamptz not null,
  failures integer not null default 0,
  asked_at timestamptz,
  answered_at timestamptz,
  fault text
);

create table fx_answers (
  source text not null,
  quote text not null,
  market text not null check (market in ('official', 'market')),
  -- Who is behind it: two answers of one group are one voice.
  source_group text not null,
  via text,
  kind text not null check (kind in ('live', 'fixing', 'fixed')),
  fixing text,
  rate text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  -- Since when it says this same rate.
  changed_at timestamptz not null,
  primary key (source, quote, market)
);

-- What the last look at the answers said of a currency, whether or not it gave a rate.
create table fx_checks (
  quote text not null,
  market text not null check (market in ('official', 'market')),
  verdict text not null check (verdict in ('agreed', 'stale', 'silent', 'disagree', 'off_peg', 'held')),
  why text,
  since timestamptz not null,
  checked_at timestamptz not null,
  -- The last rate that was agreed on, which a jump is measured from.
  last_rate text,
  last_at timestamptz,
  -- A jump that waits for a person, and the one that a person let pass.
  held_rate text,
  released_rate text,
  primary key (quote, market)
);

-- Which currencies are in use lately: only those are worth telling an operator about.
create index orders_currency on orders (currency, created_at) where currency <> 'USD';
