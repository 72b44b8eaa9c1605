-- concurrently: orders are written while these are built. The hours at the ends of a range of statistics are read from these two alone,
-- with what an order was asked for in other currencies: its row was looked at for that.
create index concurrently orders_made on orders (merchant_id, livemode, created_at)
  include (amount_usd_micros, status, currency, exponent, amount_minor);
create index concurrently orders_settled on orders (merchant_id, livemode, settled_at)
  include (amount_usd_micros, created_at, currency, exponent, amount_minor) where settled_at is not null;
drop index concurrently if exists orders_by_creation;
drop index concurrently if exists orders_by_settlement;
-- Of an hour and a day nine tenths are how long it took to pay, as steps: who asks for money does not read past them.
create index concurrently order_sums_of_money on order_sums (merchant_no, livemode, width, at)
  include (kind, currency, exponent, n, micros, minor) where kind < 't';
create index concurrently order_sums_of_times on order_sums (merchant_no, livemode, width, at) include (kind, n) where kind >= 't';
create unique index concurrently order_sums_key on order_sums (merchant_no, livemode, width, at, kind, currency, exponent);
