-- What the orders and the merchant of an invoice say of it, so that lists by status read only what they show. 'paid': an order of it
-- succeeded; 'processing': one has enough money or failed with it; 'void': the merchant took it back. Set by the commit that changes an
-- order's status and by the merchant's act. Whether an unpaid invoice is overdue follows from its due date.
alter table invoices
  add column state text not null default 'unpaid' check (state in ('unpaid', 'processing', 'paid', 'void'));
update invoices i set state = case
  when exists (select from orders o where o.invoice_id = i.id and o.status = 'success') then 'paid'
  when exists (select from orders o where o.invoice_id = i.id and o.status in ('processing', 'failed')) then 'processing'
  when voided_at is not null then 'void' else 'unpaid' end;
