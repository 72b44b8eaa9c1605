-- Frozen bodies are packed (platform/packed) once no process runs that would send them as they stand. A database without
-- events never had such a process and has no row here; another waits two days for the last one of an upgrade to end.
create table packing_waits (until timestamptz not null);
insert into packing_waits (until) select now() + interval '2 days' where exists (select from order_events);
