-- Sums of orders by hour and day, so that statistics read days and not orders. What changes an order writes what changes in the
-- sums beside it, in the same commit; a job adds that up. Whoever reads takes the sums and what was not added yet.

create table order_sums (
  merchant_no int not null,
  livemode boolean not null,
  width text collate "C" not null check (width in ('hour', 'day')),
  at timestamptz not null,
  -- A status: orders made then that have it now. 'settled': orders settled then. 't…': of those, how many took so long.
  kind text collate "C" not null,
  currency text collate "C" not null,
  exponent smallint not null,
  n bigint not null,
  micros numeric not null,
  minor numeric not null,
  constraint order_sums_pkey primary key (merchant_no, livemode, width, at, kind, currency, exponent) include (n, micros, minor)
);

create table order_sum_changes (
  order_no text collate "C" not null,
  merchant_no int not null,
  livemode boolean not null,
  at timestamptz not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  exponent smallint not null,
  n int not null,
  micros bigint not null,
  minor bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
create index order_sum_changes_of_merchant on order_sum_changes (merchant_no, livemode, at);

-- Sixteen steps from a time to its double: a step is 4 % wide.
create function pay_time_step(made timestamptz, settled timestamptz) returns int language sql immutable parallel safe as $$
  select floor(16 * log(2, 1 + greatest(0, extract(epoch from settled - made)))::numeric)::int
$$;

-- What an order is in the sums.
create function sums_of_order(o orders) returns table (at timestamptz, kind text, n int, micros bigint, minor bigint)
  language sql immutable parallel safe as $$
  select date_trunc('hour', o.created_at, 'UTC'), o.status, 1, o.amount_usd_micros, coalesce(o.amount_minor, 0)
  union all
  select date_trunc('hour', o.settled_at, 'UTC'), 'settled', 1, o.amount_usd_micros, coalesce(o.amount_minor, 0)
  where o.settled_at is not null
  union all
  select date_trunc('hour', o.settled_at, 'UTC'), 't' || pay_time_step(o.created_at, o.settled_at), 1, 0, 0
  where o.settled_at is not null
$$;

create function note_order_sums() returns trigger language plpgsql as $$
begin
  insert into order_sum_changes (order_no, merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
  select new.order_no, new.merchant_no, new.livemode, change.at, change.kind, new.currency, coalesce(new.exponent, 2),
    sum(sign * change.n), sum(sign * change.micros), sum(sign * change.minor)
  from (
    select 1 as sign, * from sums_of_order(new)
    union all
    select -1, * from sums_of_order(old) where tg_op = 'UPDATE'
  ) change
  group by change.at, change.kind having sum(sign) <> 0;
  return null;
end $$;

create trigger orders_are_summed after insert on orders for each row execute function note_order_sums();
create trigger orders_are_summed_anew after update of status, settled_at, created_at on orders for each row
  when (old.status is distinct from new.status or old.settled_at is distinct from new.settled_at or old.created_at <> new.created_at)
  execute function note_order_sums();

-- After the triggers, which nobody who writes orders could pass: what is not summed yet is below this number.
insert into backfills (name, position)
select 'order_sums', max(order_no) || '~' from orders having max(order_no) is not null;
