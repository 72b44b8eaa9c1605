-- Accounts of merchants' wallets: whoever sets the same one shares its counter, so no index is given out twice.
create table receiving_accounts (
  -- made of the identity, so every process makes the same one
  id            text collate "C" primary key,
  chain         text not null,
  network       text not null,
  script        text not null,
  descriptor    text not null,
  -- of the wallet's top key; null: the text did not show it
  fingerprint   text,
  -- the lowest index that was never given out
  next_index    bigint not null default 0,
  -- one above the highest index that the chain has seen paid
  seen_below    bigint not null default 0,
  -- how many unused addresses in a row the merchant's wallet looks at
  wallet_limit  int not null default 20,
  -- when the chain was asked which indexes were used before; null: it has to be asked first
  examined_at   timestamptz,
  -- who set it first: the wallet's limit is theirs to say
  set_by        text collate "C" not null references merchants,
  created_at    timestamptz not null
);
create index receiving_accounts_to_examine on receiving_accounts (created_at) where examined_at is null;

-- Derived addresses: a look-ahead above the counter, and all that was given out.
create table account_addresses (
  account_id  text collate "C" not null references receiving_accounts,
  index       bigint not null,
  -- in hexadecimal
  script      text not null,
  -- the order that it was given to last; null: to none
  order_ref   text collate "C",
  assigned_at timestamptz,
  seen_at     timestamptz,
  constraint one_address_per_index primary key (account_id, index)
);
-- The oldest that was never paid, where one has to be given out again.
create index account_addresses_unseen on account_addresses (account_id, assigned_at) where seen_at is null and order_ref is not null;

-- Which index an order has: asked again, the same one, also after the index was given to another.
create table account_assignments (
  account_id  text collate "C" not null references receiving_accounts,
  order_ref   text collate "C" not null,
  index       bigint not null,
  assigned_at timestamptz not null,
  constraint one_index_per_order primary key (account_id, order_ref)
);
