-- Outputs that fulfil a refund unless they are a swap's payout: which they are is known when that swap has ended.
create table utxo_held (
  refund_id text not null references utxo_refunds on delete cascade,
  chain text not null,
  txid text not null,
  vout integer not null,
  height bigint not null,
  amount numeric(78, 0) not null,
  -- Of the merchant's own coins: more than the refund asks for is enough as well.
  is_own boolean not null,
  made_by timestamptz not null,
  looked_at timestamptz not null,
  primary key (refund_id, txid, vout)
);
create index utxo_held_by_chain on utxo_held (chain, looked_at);
