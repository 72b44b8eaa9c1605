-- concurrently: orders are written while it is built.
create index concurrently orders_processing on orders (created_at) where status = 'processing';
