-- Words and metadata of orders, so that a search reads what it shows and no more, however many orders a merchant has. A
-- trigger writes it, in the commit of the order, whichever release makes it; orders from before are added by a job.

create table order_lookup (
  merchant_no int not null,
  livemode boolean not null,
  -- 'w' and a word; 'm' and a hash of a key and value of the metadata; 'early': the number is older than its order.
  key text collate "C" not null,
  order_no text collate "C" not null,
  primary key (merchant_no, livemode, key, order_no)
);

-- Work on rows from before a migration. It goes on below `position`; a finished one has no row.
create table backfills (
  name text primary key,
  position text collate "C" not null,
  done bigint not null default 0,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Letters of all languages, whatever the database was made for. What it was made with here stays: words that are stored
-- and words that are looked for are cut by the same function.
do $do$
declare
  letters text := coalesce(
    (select quote_ident(collname) from pg_collation
     where collname in ('pg_c_utf8', 'und-x-icu') and collencoding in (-1, pg_char_to_encoding('UTF8'))
     order by collname limit 1), '"default"');
begin
  execute format($make$
    create function order_words(title text, external_id text) returns text[] language sql immutable parallel safe as $body$
      select array(
        select left(word, 32)
        from unnest(regexp_split_to_array(lower(normalize(concat_ws(' ', title,
          case when length(external_id) <= 24 then external_id end), nfkc) collate %1$s), '[^[:alnum:]]+' collate %1$s))
          with ordinality as each (word, n)
        where word <> '' group by left(word, 32) order by min(n) limit 24)
    $body$ $make$, letters);
end $do$;

create function metadata_key(key text, value text) returns text language sql immutable parallel safe as $$
  select 'm' || encode(substr(sha256(convert_to(length(key) || ':' || key || value, 'UTF8')), 1, 9), 'base64')
$$;

create function order_keys(title text, external_id text, metadata json) returns setof text language sql stable parallel safe as $$
  select 'w' || word from unnest(order_words(title, external_id)) word
  union all
  select metadata_key(each.key, each.value) from json_each_text(metadata) each
$$;

create function look_up_order() returns trigger language plpgsql as $$
begin
  insert into order_lookup (merchant_no, livemode, key, order_no)
  select new.merchant_no, new.livemode, key, new.order_no
  from order_keys(new.title, new.external_id, new.metadata) key
  on conflict do nothing;
  return null;
end $$;

create trigger orders_are_looked_up after insert or update of title, external_id, metadata on orders
  for each row when (new.title is not null or new.external_id is not null or new.metadata::text <> '{}')
  execute function look_up_order();

-- After the trigger, which nobody who writes orders could pass: what is not in here yet is below this number.
insert into backfills (name, position)
select 'order_lookup', max(order_no) || '~' from orders having max(order_no) is not null;
