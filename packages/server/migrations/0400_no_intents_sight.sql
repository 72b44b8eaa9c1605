-- contracts: nodes look at no deposit address of a swap any more, because the list of swaps reports deposits.

drop table intents_sights;

alter table intents_legs
  drop column seen,
  drop column seen_at,
  drop column seen_due_at;

drop index intents_legs_to_look_at;
