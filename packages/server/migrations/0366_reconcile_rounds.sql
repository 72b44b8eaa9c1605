-- Rounds of the comparison of books and chain. A round compares every order of the last months once, in parts, by order number, and
-- writes nothing about an order whose books agree with its addresses. `reconciliations` keeps only looks that are due: soon after an
-- order closed or changed, once what closed it is final, and while a difference is open.
create table reconcile_rounds (
  one         boolean primary key default true check (one),
  -- The order up to which this round has compared; empty between two rounds.
  after       text collate "C" not null,
  -- When this round began, or the last one.
  began_at    timestamptz not null,
  -- When the next part is compared, or until when a worker is at it.
  due_at      timestamptz not null,
  -- When the last round that is whole began; null: none is.
  whole_since timestamptz
);
-- Written in the commit that closes an order, which holds the order's row already: its own key to the merchant is enough.
alter table reconciliations drop constraint reconciliations_merchant_id_fkey;
