-- Transactions that payers named on a leg: each is told to the provider once, and there are only so many.
alter table intents_legs add column hinted text[] not null default '{}';
