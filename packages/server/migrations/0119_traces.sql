-- Which trace what is done about an order belongs to, where traces are wanted: it outlives the request that began it.
create table traces (
  subject text collate "C" primary key,
  traceparent text not null,
  created_at timestamptz not null
);
create index traces_by_age on traces (created_at);
