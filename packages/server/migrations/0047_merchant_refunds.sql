-- Refunds that a merchant pays from an own wallet, of money that was settled. Asked for first; recorded once the transfer
-- was found on the chain, final and as two providers tell it. They are no part of an order's balance: that money is settled.
create table merchant_refunds (
  id text collate "C" primary key,
  order_no text collate "C" not null references orders (order_no),
  status text not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals int not null,
  amount numeric(78, 0) not null,
  address text not null,
  reason text,
  -- The transaction that the merchant named, or that was found.
  tx_hash text,
  -- Why the transaction that was named last does not count.
  failure text,
  -- The transfer that it was recorded for: each one counts once.
  transfer_key text collate "C",
  -- Up to here the chain was searched for it; null: not yet.
  searched_to bigint,
  look_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  recorded_at timestamptz,
  constraint merchant_refunds_amount_check check (amount > 0),
  constraint merchant_refunds_status_check check (status in ('requested', 'recorded', 'canceled'))
);
create index merchant_refunds_of_order on merchant_refunds (order_no, id);
create index merchant_refunds_to_look_at on merchant_refunds (look_at) where status = 'requested';
create unique index merchant_refunds_transfer_counts_once on merchant_refunds (transfer_key) where transfer_key is not null;
