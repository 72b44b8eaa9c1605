-- Owner: platform.
-- Work that is due at a time, once: "do `kind` for `subject` at `run_at`". A claim moves `run_at` to the end of its lease, so that a
-- task of a worker that died becomes due again.
create table tasks (
  kind       text collate "C" not null,
  -- The merchant, where all tasks of one merchant are read together; else empty.
  owner      text collate "C" not null default '',
  subject    text collate "C" not null,
  -- Null: it is done and kept, so that the same is never asked for again.
  run_at     timestamptz,
  created_at timestamptz not null,
  -- Claims since it was last asked for.
  attempts   int not null default 0,
  -- Grows with each claim and each time that it is asked for anew: only the newest claim can end or postpone it.
  fence      int not null default 0,
  payload    jsonb not null default '{}',
  primary key (kind, owner, subject)
);
create index tasks_due on tasks (kind, run_at) where run_at is not null;
-- A queue: vacuumed after so many dead rows, whatever its size.
alter table tasks set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table tasks is 'Owner: platform.';
