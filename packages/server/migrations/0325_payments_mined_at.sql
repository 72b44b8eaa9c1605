-- The time of the block that a payment is in; null: in none yet, or which one is not known.
alter table payments add column mined_at timestamptz;
