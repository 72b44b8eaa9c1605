-- A position for every event, in the order of the commits, given after the commit. Transaction numbers gave that order
-- before; they are lost with a dump, a restore or a logical copy, where these stay.

-- What has no position yet. `n` is taken while the transaction commits, not when it wrote: of two commits of which one
-- had returned before the other was asked for, the first has the lower number, however long each had been open.
create table event_arrivals (
  n                bigint generated always as identity,
  event_id         text collate "C" not null,
  event_created_at timestamptz not null,
  arrived_at       timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- The events that are there already come first and in their old order. This is the long part on a large table, and nobody
-- waits for it: it only reads. The sequencer gives them their positions afterwards, a batch at a time.
insert into event_arrivals (n, event_id, event_created_at) overriding system value
select row_number() over (order by xid, id) - 2000000000000000, id, created_at from order_events;

-- From here to the end the table is held, for moments: a column without a value touches no row.
alter table order_events add column position bigint;

-- What was written while the old ones were read. A row is written within a day of its time.
insert into event_arrivals (n, event_id, event_created_at) overriding system value
select row_number() over (order by e.xid, e.id) - 1000000000000000, e.id, e.created_at
from order_events e
where e.created_at > now() - interval '1 day' and not exists (
  select from event_arrivals a
  where a.event_id = e.id and a.event_created_at > now() - interval '1 day'
);
-- Not unique: a logical copy carries rows and no sequence, and an order must not fail over a number that was given before.
create index event_arrivals_in_order on event_arrivals (n, event_id);

create function queue_for_position() returns trigger language plpgsql as $$
begin
  insert into event_arrivals (event_id, event_created_at) values (new.id, new.created_at);
  return null;
end $$;
create constraint trigger order_events_arrive after insert on order_events deferrable initially deferred
  for each row when (new.position is null) execute function queue_for_position();

-- Event and time stand in the index so that what a page leaves out (timelines, what is too old) costs no visit to the row.
create index order_events_by_position on order_events (merchant_id, livemode, position, event, created_at)
  where position is not null;
drop index order_events_in_commit_order;

-- How far positions are given: one row, made with the first of them.
create table event_sequence (
  only_row      boolean primary key default true check (only_row),
  last_position bigint not null
);

-- Which positions the events of a span of time have: tells a page in which partitions to look.
create table event_spans (
  from_at        timestamptz primary key,
  until_at       timestamptz not null,
  first_position bigint not null,
  last_position  bigint not null
);
