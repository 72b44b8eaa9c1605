-- Bitcoin and Litecoin straight to the merchant's wallet: what is watched, blocks and payments as the chain shows them,
-- and what was accounted as settled or waits to be refunded by the merchant.
alter table payments drop constraint payments_status_check;
alter table payments add constraint payments_status_check
  check (status in ('unconfirmed', 'detected', 'confirmed', 'orphaned', 'dropped'));
alter table folded_payments drop constraint folded_payments_status_check;
alter table folded_payments add constraint folded_payments_status_check
  check (status in ('unconfirmed', 'detected', 'confirmed', 'orphaned', 'dropped'));

-- How far each chain was read. One row a chain; its holder of the lease moves it.
create table utxo_cursors (
  chain        text primary key,
  genesis      text not null,
  livemode     boolean not null,
  start_height bigint not null,
  height       bigint not null,
  hash         text not null,
  head         bigint not null,
  note         text,
  -- When blocks and mempool were last read to their end.
  caught_up_at timestamptz,
  updated_at   timestamptz not null
);

create table utxo_blocks (
  chain  text not null,
  height bigint not null,
  hash   text not null,
  time   timestamptz not null,
  bits   bigint not null,
  primary key (chain, height)
);

-- Scripts that are looked for: of pay addresses and of refunds. xid: what commits while others read is not missed.
create table utxo_scripts (
  chain       text not null,
  script      text not null,
  watch_until timestamptz not null,
  xid         xid8 not null default pg_current_xact_id(),
  primary key (chain, script)
);
create index utxo_scripts_new on utxo_scripts (chain, xid);

create table utxo_legs (
  ref        text primary key,
  order_ref  text not null,
  chain      text not null,
  livemode   boolean not null,
  script     text not null,
  address    text not null,
  -- The account and index that the address was derived from; null: it was given as it is.
  account    text,
  index      bigint,
  asset      text not null,
  amount_due numeric(78, 0) not null check (amount_due > 0),
  opened     json not null,
  depth      int not null check (depth > 0),
  deadline   timestamptz not null,
  late_after timestamptz not null,
  created_at timestamptz not null
);
create index utxo_legs_by_script on utxo_legs (chain, script, created_at);
create index utxo_legs_by_order on utxo_legs (order_ref);

-- Announced payments of ours, with what is needed to find out what became of them.
create table utxo_pool (
  chain      text not null,
  txid       text not null,
  vout       int not null,
  leg_ref    text not null,
  order_ref  text not null,
  script     text not null,
  amount     numeric(78, 0) not null,
  inputs     text[] not null,
  -- As it was announced, to be offered again; null where a part of it is not ours to read (Litecoin's extension block).
  raw        text,
  is_mweb    boolean not null,
  fee_rate   numeric(20, 3),
  ancestors  int,
  state      text not null check (state in ('waiting', 'mined', 'gone')),
  rival      text,
  first_seen timestamptz not null,
  primary key (chain, txid, vout)
);
create index utxo_pool_waiting on utxo_pool (chain) where state = 'waiting';
create index utxo_pool_by_order on utxo_pool (order_ref);

create table utxo_outputs (
  chain      text not null,
  block_hash text not null,
  txid       text not null,
  vout       int not null,
  leg_ref    text not null,
  order_ref  text not null,
  script     text not null,
  amount     numeric(78, 0) not null check (amount > 0),
  height     bigint not null,
  kind       text not null check (kind in ('plain', 'coinbase', 'peg_out')),
  seen_at    timestamptz not null,
  state      text not null check (state in ('seen', 'confirmed', 'orphaned')),
  -- The payment's name in the order: that of its announcement, also where it was mined under another id.
  key        text not null,
  created_at timestamptz not null,
  primary key (chain, block_hash, txid, vout)
);
create index utxo_outputs_by_leg on utxo_outputs (leg_ref);
create index utxo_outputs_by_order on utxo_outputs (order_ref);
create index utxo_outputs_by_height on utxo_outputs (chain, height);
create index utxo_outputs_unconfirmed on utxo_outputs (chain, height) where state = 'seen';

-- Money that counts as settled: it was the merchant's own from the first block on. The fee is owed, never taken.
create table utxo_settlements (
  id         text primary key,
  order_ref  text not null,
  leg_ref    text not null,
  chain      text not null,
  gross      numeric(78, 0) not null check (gross > 0),
  fee_bps    int not null,
  fee_owed   numeric(78, 0) not null check (fee_owed >= 0),
  tx_hash    text,
  state      text not null check (state in ('waiting', 'final')),
  created_at timestamptz not null
);
create index utxo_settlements_by_leg on utxo_settlements (leg_ref);
create index utxo_settlements_waiting on utxo_settlements (chain) where state = 'waiting';

-- Refunds that the merchant's wallet makes. An output of the chain fulfils one of them.
create table utxo_refunds (
  id         text primary key,
  order_ref  text not null,
  leg_ref    text not null,
  chain      text not null,
  script     text not null,
  amount     numeric(78, 0) not null check (amount > 0),
  asked_from bigint not null,
  state      text not null check (state in ('asked', 'done')),
  tx_hash    text,
  vout       int,
  height     bigint,
  created_at timestamptz not null
);
create unique index utxo_refunds_one_output on utxo_refunds (chain, tx_hash, vout) where tx_hash is not null;
create index utxo_refunds_asked on utxo_refunds (chain, script) where state = 'asked';
create index utxo_refunds_by_leg on utxo_refunds (leg_ref);
create index utxo_refunds_by_height on utxo_refunds (chain, height) where state = 'done';
