-- A payment whose block left the chain after its money was passed on: it counts until other money of its order stands in its place.
alter table payments add column left_at timestamptz;
