-- Which Florin this database is of. A copy that was restored for practice has a name of its own and sleeps: no process of it that
-- sends or settles starts. A restore makes the table itself where its backup is older.
create table if not exists installation (
  one boolean primary key default true check (one),
  id text not null,
  -- Of a copy: what it is a copy of.
  former_id text,
  asleep_since timestamptz,
  created_at timestamptz not null
);
