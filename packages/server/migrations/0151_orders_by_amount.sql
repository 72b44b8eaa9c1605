-- concurrently: orders are written while these are built. Dollars are what is left of all.
create index concurrently orders_by_currency on orders (merchant_id, livemode, currency, order_no desc) where currency <> 'USD';
create index concurrently orders_by_amount on orders (merchant_id, livemode, amount_usd_micros, order_no desc);
-- What other filters are checked by beside the number, without the row.
create index concurrently orders_listed on orders (merchant_id, livemode, order_no desc) include (amount_usd_micros, currency);
drop index concurrently if exists orders_of_merchant;
