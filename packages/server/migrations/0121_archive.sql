-- Closed orders that were moved to files. The order's own row stays, so lists, statistics, stock and invoices read what
-- they always did; what hung on it is in a file, and here as its readers last saw it.

create table archive_files (
  id text collate "C" primary key,
  -- In the archive's folder.
  name text not null unique,
  sha256 text not null,
  -- 'taking': written and verified, its orders are still being moved. 'done': they were. 'gone': another file replaced it.
  state text not null check (state in ('taking', 'done', 'gone')),
  made_at timestamptz not null
);

create table archived_orders (
  order_no text collate "C" primary key references orders (order_no),
  file_id text collate "C" not null references archive_files (id),
  archived_at timestamptz not null,
  -- Legs, payments, settlements and refunds as orders are read.
  state json not null
) with (toast_tuple_target = 128);
-- Compressed in its row: outside of it each would take a row and an index entry more.
alter table archived_orders alter column state set storage main;
create index archived_orders_of_file on archived_orders (file_id);

-- Addresses and transactions of archived orders, in lower case: an address is never given out again, and money that comes
-- to it, or a search, still finds its order.
create table archived_places (
  key text collate "C" not null,
  order_no text collate "C" not null references orders (order_no),
  primary key (key, order_no)
);
