-- What keeps money from moving is told to people: to operators as it is, to merchants as what it means for their orders.

-- An item without a merchant is about the installation and for operators alone. A release before this one does not show
-- it.
alter table attention alter column merchant_id drop not null;
alter table attention add constraint attention_is_about_somebody check (merchant_id is not null or order_no is null);

-- What a key is for, and which kind of trouble it has since when. Null: written by an older release, or no trouble.
alter table relay_signers
  add column role text check (role in ('relayer', 'refunder')),
  add column trouble_kind text,
  add column trouble_since timestamptz;

-- What a mined transaction cost, in wei, with what a rollup charges for its data.
alter table relay_outbox add column cost numeric(78, 0);
create index relay_outbox_costs on relay_outbox (chain, signer, sent_at) include (cost) where cost is not null;

-- Whose money waits while a chain is stuck.
create index settlements_under_way on settlements (order_no) where status in ('wanted', 'broadcast');
create index refunds_under_way on refunds (order_no) where status in ('sending', 'proposed');
