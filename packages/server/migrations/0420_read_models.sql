-- What other features and the rails may read of an owner's tables. A view has the columns that are promised; all others are the
-- owner's alone. A view of one table without sums is planned as if its table stood in the statement.
create view merchant_accounts as
  select id, no, email, time_zone, suspended_at, closed_at from merchants;
comment on view merchant_accounts is 'Owner: identity. Accounts of merchants, for joins.';

create view order_summaries as
  select order_no, order_ref, merchant_id, merchant_no, livemode, status, currency, exponent, amount_minor, amount_usd_micros,
    payment_link_id, invoice_id, quantity, checkout_token, created_at, updated_at, settled_at
  from orders;
comment on view order_summaries is 'Owner: orders. Status, amounts and references of orders, for figures, pages that sell, addresses and rails.';

create view delivery_summaries as
  select id, merchant_no, livemode, order_no, event, status, created_at, xid from deliveries;
comment on view delivery_summaries is 'Owner: webhooks. Status of deliveries, for figures and the stream of changes.';

create view order_starters as
  select order_no, client from page_starts;
comment on view order_starters is 'Owner: selling. The client that started an order from a page.';

create view refund_summaries as
  select id, order_no, status from refunds;
comment on view refund_summaries is 'Owner: orders. Status of refunds, for items that ask about them.';
