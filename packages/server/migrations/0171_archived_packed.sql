-- What an archived order looked like is packed (platform/packed), which takes a third; `state` holds it of orders that were
-- archived before. Its addresses and transactions are hashes in its row: an index of those takes a quarter of a table of texts,
-- which `archived_places` is for older ones.
alter table archived_orders alter column state drop not null;
alter table archived_orders add column packed bytea;
alter table archived_orders add column places bigint[];
alter table archived_orders add constraint archived_orders_have_a_state check (num_nonnulls(state, packed) = 1) not valid;

-- Of an address or transaction, in any case of letters. Eight bytes of a good hash, and not compared further: another text
-- with the same takes 2^64 tries to find.
create function place_key(place text) returns bigint language sql immutable parallel safe as $$
  select ('x' || encode(substr(sha256(convert_to(lower(place), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
$$;
