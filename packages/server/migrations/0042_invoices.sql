-- Invoices. Nothing of one changes once it is made, but that it is mailed or void; whether it is paid is what its orders say.
create table invoices (
  id             text collate "C" primary key,
  merchant_id    text collate "C" not null references merchants,
  livemode       boolean not null,
  token          text collate "C" not null unique,
  number         text not null,
  currency       text not null,
  exponent       int not null,
  -- [{description, quantity, unit, amount}], amounts as digits of the smallest unit
  lines          json not null,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  tax_label      text,
  tax_percent    text,
  tax_minor      bigint not null check (tax_minor >= 0),
  total_minor    bigint not null check (total_minor > 0),
  due_date       date not null,
  seller_details text,
  payer_email    text,
  payer_name     text,
  payer_details  text,
  note           text,
  external_id    text,
  settle_chain   text,
  settle_asset   text,
  sent_count     int not null default 0,
  last_sent_at   timestamptz,
  voided_at      timestamptz,
  created_at     timestamptz not null,
  constraint invoice_number_once unique (merchant_id, livemode, number)
);
create index invoices_of_merchant on invoices (merchant_id, livemode, id desc);

-- The last number given out. It is raised in the transaction of its invoice, which holds the row until it commits: there
-- is no gap, and no number twice.
create table invoice_numbers (
  merchant_id text collate "C" not null references merchants,
  livemode    boolean not null,
  last        int not null,
  primary key (merchant_id, livemode)
);
