-- concurrently: whose an address is, is asked for each address that a third party gives, while orders are made and paid. Trees, since
-- all customers of an exchange pay from one address and are paid back at one: a tree keeps those together.
create index concurrently waiting_addresses_by_address on waiting_addresses (address);
create index concurrently receiving_address_history_by_address on receiving_address_history (address);
create index concurrently pay_legs_paid_back_at on pay_legs (lower(coalesce(bound_refund_address, refund_address)))
  where coalesce(bound_refund_address, refund_address) is not null;
create index concurrently refunds_by_address on refunds (lower(address)) where address is not null;
create index concurrently merchant_refunds_by_address on merchant_refunds (lower(address));
create index concurrently payments_by_sender on payments (lower(from_address)) where from_address is not null;
create index concurrently intents_legs_paid_back_at on intents_legs (lower(refund_address));
