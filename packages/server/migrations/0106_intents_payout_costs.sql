-- What the provider takes for paying out an asset, as it said last: learned from quotes, and shared by all processes, so that
-- estimates are of the whole price. In smallest units.
create table intents_payout_costs (
  chain text collate "C" not null,
  asset text collate "C" not null,
  cost numeric not null,
  told_at timestamptz not null,
  primary key (chain, asset)
);
