-- contracts: closed orders stay in their tables, with event bodies as they are sent; nothing works on rows of an earlier release.
drop table archived_places;
drop table archived_orders;
drop table archive_files;
drop function place_key(text);
drop table packing_waits;
drop table backfills;
-- The first two belonged to the archive. Nothing reads or writes the others.
alter table orders drop column packed, drop column kept_until, drop column refund_approved, drop column refund_address;
