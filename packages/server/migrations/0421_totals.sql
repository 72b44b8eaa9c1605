-- What a backup counts to compare a copy with, said by the owners of what is counted.
create view order_totals (what, total) as
  select 'orders', count(*)::text from orders
  union all select 'orders ' || status, count(*)::text from orders group by status
  union all select concat_ws(' ', 'paid', chain, asset, contract, status, use), sum(amount)::text
    from payments group by chain, asset, contract, status, use
  union all select concat_ws(' ', 'settled', o.settle_chain, o.settle_asset, s.status), sum(s.gross)::text
    from settlements s join orders o using (order_no) group by o.settle_chain, o.settle_asset, s.status
  union all select concat_ws(' ', 'refunded', chain, asset, contract, status), sum(amount)::text
    from refunds group by chain, asset, contract, status;
comment on view order_totals is 'Owner: orders. Orders by status, and money by asset and state.';

create view delivery_totals (what, total) as
  select 'events', count(*)::text from order_events
  union all select 'deliveries ' || status, count(*)::text from deliveries group by status;
comment on view delivery_totals is 'Owner: webhooks. Events, and deliveries by status.';

create view current_addresses as
  select merchant_id, chain, address from receiving_addresses;
comment on view current_addresses is 'Owner: addresses. Where merchants receive now.';
