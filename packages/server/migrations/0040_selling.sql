-- Orders that no API key made: from the console, from a payment link, from an invoice. They notify no webhook_url, since no
-- key's secret would sign it; the account's endpoints hear of them.
alter table orders alter column api_key_id drop not null;
alter table order_events alter column api_key_id drop not null;
alter table orders
  -- The link or the invoice whose page a payer started from.
  add column payment_link_id text collate "C",
  add column invoice_id      text collate "C",
  -- How many of what a link sells.
  add column quantity        int check (quantity > 0),
  -- What the payer or the merchant said of the payer. A stranger's text: shown to the merchant, mailed to nobody.
  add column payer_email     text,
  add column payer_name      text,
  add column payer_note      text,
  -- The merchant's words on the page of a paid order.
  add column success_text    text;

-- What is taken of a link's stock is the sum over these rows: no counter that could drift from the orders.
create index orders_of_payment_link on orders (payment_link_id, order_no desc) include (status, quantity)
  where payment_link_id is not null;
create index orders_of_invoice on orders (invoice_id, order_no desc) include (status) where invoice_id is not null;
