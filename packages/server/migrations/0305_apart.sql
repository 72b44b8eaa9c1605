-- Settlements that the relay sends apart from those of others, since a transaction that carried them failed. 0: with others; 1: only
-- with those of the same receiver; 2: alone; each failure alone adds one.
alter table relay_items add column apart integer not null default 0;
create index relay_items_apart on relay_items (chain, updated_at) where apart > 1;
