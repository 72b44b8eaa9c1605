-- Tables of Bitcoin and Litecoin.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create table utxo_announced (
  chain      text not null,
  txid       text not null,
  first_seen timestamptz not null,
  primary key (chain, txid)
);
comment on table utxo_announced is
  'Owner: rail-utxo. When a transaction to a watched address that no order has was first announced: what was there before it was '
  'asked for is no refund.';
create index utxo_announced_by_time on utxo_announced (first_seen);

create table utxo_blocks (
  chain  text not null,
  height bigint not null,
  hash   text not null,
  time   timestamptz not null,
  bits   bigint not null,
  primary key (chain, height)
);
comment on table utxo_blocks is 'Owner: rail-utxo.';

create table utxo_cursors (
  chain        text primary key,
  genesis      text not null,
  livemode     boolean not null,
  height       bigint not null,
  hash         text not null,
  head         bigint not null,
  note         text,
  caught_up_at timestamptz,
  updated_at   timestamptz not null
);
comment on table utxo_cursors is 'Owner: rail-utxo. How far each chain was read. One row a chain; its holder of the lease moves it.';
comment on column utxo_cursors.caught_up_at is 'When blocks and mempool were last read to their end.';

create table utxo_legs (
  ref        text primary key,
  order_ref  text not null,
  chain      text not null,
  livemode   boolean not null,
  script     text not null,
  address    text not null,
  account    text,
  index      bigint,
  asset      text not null,
  amount_due numeric(78, 0) not null check (amount_due > (0)::numeric),
  opened     json not null,
  depth      int not null check (depth > 0),
  deadline   timestamptz not null,
  late_after timestamptz not null,
  created_at timestamptz not null
);
comment on table utxo_legs is 'Owner: rail-utxo.';
comment on column utxo_legs.account is 'The account and index that the address was derived from; null: it was given as it is.';
create index utxo_legs_by_order on utxo_legs (order_ref);
create index utxo_legs_by_script on utxo_legs (chain, script, created_at);

create table utxo_outputs (
  chain      text not null,
  block_hash text not null,
  txid       text not null,
  vout       int not null,
  leg_ref    text not null,
  order_ref  text not null,
  script     text not null,
  amount     numeric(78, 0) not null check (amount > (0)::numeric),
  height     bigint not null,
  kind       text not null check (kind in ('plain', 'coinbase', 'peg_out')),
  seen_at    timestamptz not null,
  state      text not null check (state in ('seen', 'confirmed', 'orphaned')),
  key        text not null,
  created_at timestamptz not null,
  primary key (chain, block_hash, txid, vout)
);
comment on table utxo_outputs is 'Owner: rail-utxo.';
comment on column utxo_outputs.key is 'The payment''s name in the order: that of its announcement, also where it was mined under another id.';
create index utxo_outputs_by_coin on utxo_outputs (txid, vout);
create index utxo_outputs_by_height on utxo_outputs (chain, height);
create index utxo_outputs_by_leg on utxo_outputs (leg_ref);
create index utxo_outputs_by_order on utxo_outputs (order_ref);
create index utxo_outputs_unconfirmed on utxo_outputs (chain, height) where state = 'seen';
comment on index utxo_outputs_by_coin is 'Whose coins a transaction spends.';

create table utxo_pool (
  chain      text not null,
  txid       text not null,
  vout       int not null,
  leg_ref    text not null,
  order_ref  text not null,
  script     text not null,
  amount     numeric(78, 0) not null,
  inputs     text[] not null,
  raw        text,
  is_mweb    boolean not null,
  fee_rate   numeric(20, 3),
  ancestors  int,
  state      text not null check (state in ('waiting', 'mined', 'gone')),
  rival      text,
  first_seen timestamptz not null,
  primary key (chain, txid, vout)
);
comment on table utxo_pool is 'Owner: rail-utxo. Announced payments of ours, with what is needed to find out what became of them.';
comment on column utxo_pool.raw is
  'As it was announced, to be offered again; null where a part of it is not ours to read (Litecoin''s extension block).';
create index utxo_pool_by_order on utxo_pool (order_ref);
create index utxo_pool_waiting on utxo_pool (chain) where state = 'waiting';

create table utxo_refunds (
  id           text primary key,
  order_ref    text not null,
  leg_ref      text not null,
  chain        text not null,
  script       text not null,
  amount       numeric(78, 0) not null check (amount > (0)::numeric),
  asked_from   bigint not null,
  state        text not null check (state in ('asked', 'done')),
  tx_hash      text,
  vout         int,
  height       bigint,
  created_at   timestamptz not null,
  draft_psbt   text,
  draft_fee    numeric(78, 0) check (draft_fee >= (0)::numeric),
  draft_inputs text[],
  spent_by     text,
  spent_height bigint,
  spent_pays   boolean
);
comment on table utxo_refunds is 'Owner: rail-utxo. Refunds that the merchant''s wallet makes. An output of the chain fulfils one of them.';
comment on column utxo_refunds.draft_inputs is '`txid:vout` of the coins that every transaction spends that was drawn up and may still be valid.';
comment on column utxo_refunds.spent_by is 'A transaction that pays the refund, or spends one of these coins: the newest that was seen.';
comment on column utxo_refunds.spent_height is 'null: in no block.';
create index utxo_refunds_asked on utxo_refunds (chain, script) where state = 'asked';
create index utxo_refunds_by_height on utxo_refunds (chain, height) where state = 'done';
create index utxo_refunds_by_leg on utxo_refunds (leg_ref);
create index utxo_refunds_by_output on utxo_refunds (chain, tx_hash, vout) where tx_hash is not null;
create index utxo_refunds_drawn on utxo_refunds (chain) where draft_inputs is not null;

create table utxo_held (
  refund_id text not null references utxo_refunds (id) on delete cascade,
  chain     text not null,
  txid      text not null,
  vout      int not null,
  height    bigint not null,
  amount    numeric(78, 0) not null,
  is_own    boolean not null,
  made_by   timestamptz not null,
  looked_at timestamptz not null,
  primary key (refund_id, txid, vout)
);
comment on table utxo_held is
  'Owner: rail-utxo. Outputs that fulfil a refund unless they are a swap''s payout: which they are is known when that swap has ended.';
comment on column utxo_held.is_own is 'Of the merchant''s own coins: more than the refund asks for is enough as well.';
create index utxo_held_by_chain on utxo_held (chain, looked_at);

create table utxo_scripts (
  chain       text not null,
  script      text not null,
  watch_until timestamptz not null,
  xid         xid8 not null default pg_current_xact_id(),
  primary key (chain, script)
);
comment on table utxo_scripts is
  'Owner: rail-utxo. Scripts that are looked for: of pay addresses and of refunds. xid: what commits while others read is not '
  'missed.';
create index utxo_scripts_new on utxo_scripts (chain, xid);

create table utxo_settlements (
  id         text primary key,
  order_ref  text not null,
  leg_ref    text not null,
  chain      text not null,
  gross      numeric(78, 0) not null check (gross > (0)::numeric),
  fee_bps    int not null,
  fee_owed   numeric(78, 0) not null check (fee_owed >= (0)::numeric),
  tx_hash    text,
  state      text not null check (state in ('waiting', 'final')),
  created_at timestamptz not null,
  asked      numeric(78, 0) check (asked > (0)::numeric),
  least      numeric(78, 0) check ("least" > (0)::numeric)
);
comment on table utxo_settlements is
  'Owner: rail-utxo. Money that counts as settled: it was the merchant''s own from the first block on. The fee is owed, never taken.';
create index utxo_settlements_by_leg on utxo_settlements (leg_ref);
create index utxo_settlements_owed on utxo_settlements (created_at) where fee_owed > (0)::numeric;
create index utxo_settlements_waiting on utxo_settlements (chain) where state = 'waiting';
comment on index utxo_settlements_owed is 'Fees that are owed are read by month.';
