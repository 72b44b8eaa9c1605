-- Exports that a worker writes, and the pieces of their files: each is packed by itself, and all of them in a row are one file.
create table order_exports (
  id text collate "C" primary key,
  merchant_id text not null references merchants (id),
  livemode boolean not null,
  -- As it was asked: whoever goes on reads it anew.
  query json not null,
  status text not null check (status in ('writing', 'done', 'failed')),
  -- Behind which order the next piece begins.
  goes_on_after text collate "C",
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  pieces int not null default 0,
  -- Since the last piece.
  tries int not null default 0,
  claim text,
  claimed_until timestamptz,
  touched_at timestamptz not null,
  created_at timestamptz not null,
  done_at timestamptz,
  expires_at timestamptz not null
);
create index order_exports_of on order_exports (merchant_id, livemode, id);
create index order_exports_to_write on order_exports (touched_at) where status = 'writing';
create index order_exports_by_end on order_exports (expires_at);

create table order_export_pieces (
  export_id text collate "C" not null references order_exports (id) on delete cascade,
  n int not null,
  body bytea not null,
  primary key (export_id, n)
);
alter table order_export_pieces alter column body set storage external;
