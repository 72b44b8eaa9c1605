-- The standing comparison of what orders have booked with what lies on their addresses (orders/reconcile).

-- One row an order that is still compared.
create table reconciliations (
  order_no    text collate "C" primary key references orders,
  merchant_id text collate "C" not null references merchants,
  livemode    boolean not null,
  -- When it is compared next, or until when somebody is at it.
  due_at      timestamptz not null,
  -- null: it never was.
  compared_at timestamptz
);
create index reconciliations_due on reconciliations (due_at);
create index reconciliations_of_merchant on reconciliations (merchant_id, livemode, compared_at nulls first);

-- One row a difference between the books and the chain, of one asset of one leg. People hear of it when it was seen at
-- two final blocks.
create table book_differences (
  id          text collate "C" primary key,
  order_no    text collate "C" not null references orders,
  merchant_id text collate "C" not null references merchants,
  livemode    boolean not null,
  pay_leg_id  text collate "C" not null references pay_legs,
  chain       text not null,
  asset       text not null,
  contract    text,
  decimals    int not null,
  -- received - settled - fee - refunded, and what the chain says. Either may be the larger one.
  booked      numeric(78, 0) not null,
  found       numeric(78, 0) not null,
  -- The block at which it was first seen as it is; null where a rail has none.
  height      bigint,
  seen_at     timestamptz not null,
  told_at     timestamptz,
  resolved_at timestamptz
);
create unique index book_differences_open_once on book_differences (pay_leg_id, chain, coalesce(lower(contract), ''))
  where resolved_at is null;
create index book_differences_of_merchant on book_differences (merchant_id, livemode, id desc) where told_at is not null;
create index book_differences_of_all on book_differences (livemode, id desc) where told_at is not null;

-- The sandbox keeps books of its own as well, to be compared with: what was sent, and what went out.
-- null: the leg's own asset, as is all that an older release wrote.
alter table sandbox_transfers add column asset json;
alter table sandbox_refunds add column leg_ref text collate "C";
alter table sandbox_refunds add column asset json;
alter table sandbox_refunds add column amount numeric(78, 0);
create table sandbox_outflows (
  id        bigint generated always as identity primary key,
  order_ref text collate "C" not null,
  leg_ref   text collate "C" not null references sandbox_legs,
  chain     text not null,
  contract  text,
  amount    numeric(78, 0) not null
);
create index sandbox_outflows_of_leg on sandbox_outflows (leg_ref);
