-- What tells a refund of a merchant's own wallet from any other transfer to the same address.

-- Satoshi above the amount, where another merchant waits for the very same: no two wait for one.
alter table utxo_refunds add column extra numeric(78,0) not null default 0 check (extra >= 0);

-- The first block whose transfers count; null: asked for before this was kept.
alter table merchant_refunds add column from_height bigint;
create index merchant_refunds_awaited on merchant_refunds (chain, address) where status = 'requested';

-- When a transaction to a watched address that no order has was first announced: what was there before it was asked for
-- is no refund.
create table utxo_announced (
  chain text not null,
  txid text not null,
  first_seen timestamptz not null,
  primary key (chain, txid)
);
create index utxo_announced_by_time on utxo_announced (first_seen);
