-- Pages that a payer starts an order from. What is left of a stock is never stored: it is what the orders of the link have
-- not taken, counted under the lock of its row.
create table payment_links (
  id            text collate "C" primary key,
  merchant_id   text collate "C" not null references merchants,
  livemode      boolean not null,
  -- In the page's address; whoever has it may start.
  token         text collate "C" not null unique,
  active        boolean not null default true,
  title         text not null,
  description   text,
  currency      text not null,
  exponent      int not null,
  -- Smallest units of the currency; null: open, within the bounds.
  amount_minor  bigint check (amount_minor > 0),
  min_minor     bigint check (min_minor > 0),
  max_minor     bigint check (max_minor >= min_minor),
  quantity_max  int not null check (quantity_max > 0),
  stock         int check (stock >= 0),
  ends_at       timestamptz,
  ask_email     text not null,
  ask_name      text not null,
  ask_note      text not null,
  success_text  text,
  success_url   text,
  settle_chain  text,
  settle_asset  text,
  expires_in_s  int not null,
  external_id   text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null
);
create index payment_links_of_merchant on payment_links (merchant_id, livemode, id desc);

-- How many orders strangers started, by whom and where, in a clock hour. One statement counts and judges, so that any
-- number of processes count together.
create table start_counts (
  scope text collate "C" not null,
  hour  timestamptz not null,
  n     int not null,
  primary key (scope, hour)
);
create index start_counts_by_age on start_counts (hour);

-- Which client started which order: what one client may have open at once is bounded.
create table page_starts (
  order_no   text collate "C" primary key,
  -- The payment link or invoice.
  page       text collate "C" not null,
  client     text not null,
  created_at timestamptz not null
);
create index page_starts_of_client on page_starts (page, client);
create index page_starts_by_age on page_starts (created_at);

-- What is taken of a stock: a sum over this index alone, however many orders of the link have lapsed.
create index orders_taking on orders (payment_link_id) include (quantity)
  where payment_link_id is not null and status in ('pending', 'processing', 'success', 'failed');
