-- The facts of rails are a queue, as deliveries are: it is vacuumed after so many dead rows, whatever its size.
alter table rail_facts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Each order updates these rows a few times in its first hour and never again. By default PostgreSQL waits until a fifth of
-- a table is dead: of 50 million orders that is 10 million rows.
alter table orders set (autovacuum_vacuum_scale_factor = 0.02);
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02);
alter table settlements set (autovacuum_vacuum_scale_factor = 0.02);
alter table payments set (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 85);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.02);
