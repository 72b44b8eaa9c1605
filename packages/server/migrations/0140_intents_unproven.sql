-- Whether a payout on the provider's word alone counts is set when a leg is opened, and not by what the merchant sets later;
-- beside it, what the merchant says of one payout. Legs that are open keep what holds for them now.
alter table intents_legs
  add column takes_unproven boolean not null default false,
  add column is_vouched boolean not null default false;
update intents_legs l set takes_unproven = coalesce(
  (select t.takes_unproven from orders o join third_party_chains t
     on t.merchant_id = o.merchant_id and t.livemode = o.livemode and t.chain = l.settle ->> 'chain'
   where o.order_ref = l.order_ref),
  not l.livemode)
where l.due_at is not null;
