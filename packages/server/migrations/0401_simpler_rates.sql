-- contracts: exchange rates have no markets, classes, groups or jumps any more. What these tables hold is asked for anew in a minute.

drop table fx_answers;
create table fx_answers (
  source text not null,
  quote text not null,
  kind text not null check (kind in ('live', 'fixing', 'fixed')),
  rate text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  primary key (source, quote)
);

-- The last verdict on a currency, whether or not it gave a rate.
drop table fx_checks;
create table fx_checks (
  quote text primary key,
  verdict text not null check (verdict in ('agreed', 'silent', 'disagree', 'off_peg')),
  why text,
  since timestamptz not null
);

-- The last rate of a currency. Written by the one process that asks the sources, read by all.
drop table fx_rates;
create table fx_rates (
  quote text primary key,
  rate text not null,
  observed_at timestamptz not null,
  agreed_at timestamptz not null,
  valid_until timestamptz not null,
  apart_bps integer not null,
  sources json not null,
  rules_version integer not null
);

alter table price_settings
  drop column markets,
  drop column stale_spread_bps;
