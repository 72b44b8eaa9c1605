-- What merchants asked to be looked at again: every address of an order, on every chain.
create table order_looks (
  order_no    text collate "C" primary key references orders,
  merchant_id text collate "C" not null references merchants,
  asked_at    timestamptz not null,
  -- When a worker takes it up, or until when one is at it.
  due_at      timestamptz not null,
  tries       int not null default 0,
  -- When it was done; null: it waits.
  looked_at   timestamptz,
  -- Why a chain could not be read; of a look that is done, what it left out.
  failure     text
);
create index order_looks_due on order_looks (due_at) where looked_at is null;
create index order_looks_of_merchant on order_looks (merchant_id, asked_at);
