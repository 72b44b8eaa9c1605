-- concurrently: settlements are written while it is built. For the sum that left the chain again, beside what settled.
create index concurrently settlements_left on settlements (order_no) where left_at is not null;
