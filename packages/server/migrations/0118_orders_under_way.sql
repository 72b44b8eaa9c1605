-- Orders that money has come for and that are not done: a handful among millions, counted every quarter of a minute.
create index orders_processing on orders (created_at) where status = 'processing';
