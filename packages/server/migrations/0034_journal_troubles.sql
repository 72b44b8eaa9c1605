-- Which processes cannot write their journal now, for every process to say: no pay address is shown meanwhile.
create table journal_troubles (
  host       text collate "C" primary key,
  folder     text not null,
  failure    text not null,
  since      timestamptz not null,
  -- A process that is gone says nothing any more.
  updated_at timestamptz not null
);
