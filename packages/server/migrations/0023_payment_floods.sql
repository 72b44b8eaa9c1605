-- Floods of small payments: an order keeps few rows however many transfers it gets, and its facts delay nobody else's.

-- Of a row that stands for many transfers: what they have in common (leg, asset, on time or late). Null for one transfer.
-- floor: an amount up to this was not worth sending back when the payment was seen; null: the rail did not say.
alter table payments
  add column fold      text collate "C",
  add column transfers int not null default 1 check (transfers > 0),
  add column floor     numeric(78, 0);

-- Transfers that stand in such a row, so that a later fact about one finds its amount. A release before this one does not
-- know them, and counts the row alone.
create table folded_payments (
  key          text collate "C" primary key,
  order_no     text collate "C" not null references orders,
  fold         text collate "C" not null,
  tx_hash      text not null,
  output_index int not null,
  amount       numeric(78, 0) not null check (amount > 0),
  from_address text,
  height       bigint,
  status       text not null check (status in ('detected', 'confirmed', 'orphaned')),
  seen_at      timestamptz not null
);
create index folded_payments_by_tx_hash on folded_payments (lower(tx_hash));

-- 0: the order was not written yet when the fact was, or an older release wrote the fact.
alter table rail_facts add column merchant_no int not null default 0;
create index rail_facts_by_merchant on rail_facts (merchant_no, order_ref, due_at);
