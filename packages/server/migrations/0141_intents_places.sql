-- A swap's address as its chain's rules spell it, whatever the provider writes: refunds never go to one.
alter table intents_legs add column place text collate "C";
create index intents_legs_by_spelling on intents_legs (place);
