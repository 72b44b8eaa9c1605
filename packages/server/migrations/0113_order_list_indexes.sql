-- concurrently: orders are written while these are built.
create index concurrently orders_by_chain on orders (merchant_id, livemode, settle_chain, order_no desc);
create index concurrently orders_by_settle_tx on orders using hash (lower(settle_tx_hash)) where settle_tx_hash is not null;
create index concurrently orders_by_tail on orders using hash (right(order_no, 6));
drop index concurrently if exists orders_by_metadata;
