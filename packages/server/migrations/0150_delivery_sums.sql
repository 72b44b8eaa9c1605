-- Deliveries that ended, in the sums of statistics: kinds 'dsucceeded' and 'ddead', by when the delivery was made. Those that have not
-- ended are read as they are, so that an order's commit writes nothing more. A statement that ends many leaves a row an hour.

create function note_delivery_ends() returns trigger language plpgsql as $$
begin
  insert into order_sum_changes (order_no, merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
  select '', merchant_no, livemode, date_trunc('hour', created_at, 'UTC'), 'd' || status, 'USD', 2, sum(sign), 0, 0
  from (
    select merchant_no, livemode, created_at, status, 1 as sign from ended
    union all
    select merchant_no, livemode, created_at, status, -1 from before
  ) change
  where status in ('succeeded', 'dead')
  group by 2, 3, 4, 5 having sum(sign) <> 0;
  return null;
end $$;

create function note_delivery_gone() returns trigger language plpgsql as $$
begin
  insert into order_sum_changes (order_no, merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
  select '', merchant_no, livemode, date_trunc('hour', created_at, 'UTC'), 'd' || status, 'USD', 2, -count(*), 0, 0
  from before where status in ('succeeded', 'dead') group by 2, 3, 4, 5;
  return null;
end $$;

create function note_ended_delivery() returns trigger language plpgsql as $$
begin
  insert into order_sum_changes (order_no, merchant_no, livemode, at, kind, currency, exponent, n, micros, minor)
  values ('', new.merchant_no, new.livemode, date_trunc('hour', new.created_at, 'UTC'), 'd' || new.status, 'USD', 2, 1, 0, 0);
  return null;
end $$;

create trigger deliveries_are_summed after update on deliveries
  referencing old table as before new table as ended for each statement execute function note_delivery_ends();
create trigger deliveries_are_summed_no_more after delete on deliveries
  referencing old table as before for each statement execute function note_delivery_gone();
-- Nobody makes one that has ended, but who brings one back.
create trigger deliveries_come_back after insert on deliveries
  for each row when (new.status in ('succeeded', 'dead')) execute function note_ended_delivery();

-- After the triggers, which nobody who ends deliveries could pass: a job sums those of before, merchant by merchant.
insert into backfills (name, position)
select 'delivery_sums', '0' where exists (select from deliveries);
