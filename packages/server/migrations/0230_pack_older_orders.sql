-- Orders that closed before a closed order said all of itself in its row (0200), or while that waited for an upgrade to end, are packed
-- by the job pack-older-orders, newest first: from above every number on.
insert into backfills (name, position) select 'packed_orders', '~' where exists (select from orders);
