-- Which rail carries a leg and why, and what rails cannot carry now: shared, so that every process offers the same ways.

-- Ways that are out (`down`) or late (`slow`). Empty texts mean all of it. Rows are renewed while the trouble lasts and end by
-- themselves: no process has to be there for a way to come back.
create table route_troubles (
  rail text collate "C" not null,
  livemode boolean not null,
  chain text collate "C" not null,
  asset text collate "C" not null,
  side text collate "C" not null check (side in ('any', 'pay', 'settle')),
  -- `health`: what the rail says of itself. `opening`: an address could not be had.
  source text collate "C" not null check (source in ('health', 'opening')),
  state text collate "C" not null check (state in ('slow', 'down')),
  note text not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (rail, livemode, chain, asset, side, source)
);

-- Why this rail carries the leg and others do not, as it was when it was opened; null: opened before there was a choice.
alter table pay_legs add column route json;
