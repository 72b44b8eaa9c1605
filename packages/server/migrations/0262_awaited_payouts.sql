-- concurrently: whether a swap under way is to pay an address is asked where a transfer to it is named as somebody's refund.
create index concurrently intents_legs_to_pay on intents_legs (lower(merchant_address))
  where due_at is not null and stage in ('waiting', 'paid', 'claimed');
