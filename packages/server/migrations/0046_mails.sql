-- What a merchant does not want to be mailed. No row: it is wanted.
create table mail_switches (
  merchant_id text collate "C" not null references merchants (id),
  kind text collate "C" not null,
  off_at timestamptz not null,
  primary key (merchant_id, kind)
);

-- One row for each mail that a change of an order asks for, written in the commit of the change: nobody is mailed twice.
create table order_mails (
  order_no text collate "C" not null references orders (order_no),
  kind text collate "C" not null,
  -- The refund that it is about; empty where it is about the order.
  about text collate "C" not null,
  merchant_id text collate "C" not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  done_at timestamptz,
  -- It went out alone and not in a digest; null: not at all.
  is_alone boolean,
  primary key (order_no, kind, about),
  constraint order_mails_kind_check check (kind in ('paid', 'receipt', 'refund'))
);
create index order_mails_due on order_mails (due_at) where done_at is null;
create index order_mails_alone on order_mails (merchant_id, done_at) where is_alone;

-- Who was written of which week.
create table weekly_mails (
  merchant_id text collate "C" not null references merchants (id),
  week date not null,
  primary key (merchant_id, week)
);

-- Deliveries that were given up and that nobody was told of yet; the commit that tells deletes the row.
create table delivery_deaths (
  delivery_id text collate "C" primary key,
  at timestamptz not null
);
create index delivery_deaths_in_order on delivery_deaths (at);
