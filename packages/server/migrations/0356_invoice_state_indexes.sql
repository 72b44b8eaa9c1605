-- concurrently: invoices are written while these are built. Open and overdue ones are the two halves of a range of due dates.
create index concurrently invoices_by_state on invoices (merchant_id, livemode, state, id desc);
create index concurrently invoices_unpaid on invoices (merchant_id, livemode, due_date, id) where state = 'unpaid';
