-- concurrently: orders are archived and read while this is built.
create index concurrently archived_orders_by_place on archived_orders using gin (places);
