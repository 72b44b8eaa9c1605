-- What nodes of the payers' chains see at the addresses of open swaps: a hint that the provider is asked by, and nothing else.

-- How far each node was read, and when its last look that saw all of them began.
create table intents_sights (
  chain text collate "C" not null,
  node text collate "C" not null,
  -- Blocks up to this one were read.
  cursor bigint,
  looked_at timestamptz,
  away_since timestamptz,
  note text,
  primary key (chain, node)
);

alter table intents_legs
  -- Transactions and balances that nodes told of: each is a reason once, and there are only so many.
  add column seen text[] not null default '{}',
  add column seen_at timestamptz,
  -- When the provider is asked because of it; null: not.
  add column seen_due_at timestamptz;
