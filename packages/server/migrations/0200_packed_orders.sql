-- What hangs on a closed order, as lists show it, in its own row: a page of orders that lie far apart looked at four tables for each
-- of them. Empty: the order is archived (archived_orders holds it). null: it stands in the tables alone.
alter table orders add column packed bytea;
-- It is packed already (platform/packed); in a row that has no room it goes out of it as it is.
alter table orders alter column packed set storage external;
-- A process of the release before changes what hangs on an order and knows nothing of this: none is written before it has ended.
insert into packing_waits (until) select now() + interval '2 days' where exists (select from orders);
