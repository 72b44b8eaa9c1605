-- What was final and left the chain again: since when it is away. Null again once it is back.
alter table settlements add column left_at timestamptz;
alter table refunds add column left_at timestamptz;

-- The head when a transaction was first offered, or offered again after it left the chain: how long it waits unmined.
-- null: written by an older release; then its newest offer counts.
alter table relay_outbox add column first_height bigint;
-- Whether its orders were told that it waits for too long.
alter table relay_outbox add column is_overdue boolean not null default false;
