-- contracts: orders and deliveries are looked up and counted by the statements that change them, and by no trigger.
drop trigger orders_are_looked_up on orders;
drop trigger orders_are_summed on orders;
drop trigger orders_are_summed_anew on orders;
drop trigger deliveries_are_summed on deliveries;
drop trigger deliveries_are_summed_no_more on deliveries;
drop trigger deliveries_come_back on deliveries;
drop trigger deliveries_say_who_changed_them on deliveries;
drop function look_up_order, note_order_sums, note_delivery_ends, note_delivery_gone, note_ended_delivery, sums_of_order;

-- What one order adds to the sums of statistics.
create function order_sums_of(status text, created_at timestamptz, settled_at timestamptz, micros bigint, minor bigint)
returns table (at timestamptz, kind text, n int, micros bigint, minor bigint)
language sql immutable parallel safe as $$
  select date_trunc('hour', created_at, 'UTC'), status, 1, $4, coalesce($5, 0)
  union all
  select date_trunc('hour', settled_at, 'UTC'), 'settled', 1, $4, coalesce($5, 0) where settled_at is not null
  union all
  select date_trunc('hour', settled_at, 'UTC'), 't' || pay_time_step(created_at, settled_at), 1, 0, 0 where settled_at is not null
$$;

comment on table order_sum_changes is 'Owner: sums.';
