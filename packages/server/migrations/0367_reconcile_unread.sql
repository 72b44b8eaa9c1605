-- Since when a round meets orders that cannot be read; null: it read all that it passed. After an hour the round goes on without them,
-- and does not count as whole.
alter table reconcile_rounds add column unread_since timestamptz;
