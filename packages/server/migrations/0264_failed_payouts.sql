-- concurrently: a swap said to have failed may bring its payout yet, for as long as it is asked about.
create index concurrently intents_legs_to_bring on intents_legs (lower(merchant_address))
  where due_at is not null and stage in ('waiting', 'paid', 'claimed', 'failed');
drop index concurrently if exists intents_legs_to_pay;
