-- What is known of the addresses of an account that were used before it came here, and who told; and which addresses were
-- paid in a block, apart from which were ever seen, so that a reorg can take a payment back.
alter table receiving_accounts
  -- where the counter began: behind the address that was given to compare, or behind what the wallet's file says
  add column start_index bigint not null default 0,
  -- one above the highest index that coins or blocks showed used
  add column found_below bigint not null default 0,
  -- one above the last index that the merchant says was used; null: it was not said
  add column said_below bigint,
  -- who told: wallet_address, export, unspent, blocks, merchant
  add column told_by text[] not null default '{}',
  -- how far blocks were read backwards for it: whole (to the first), part (to the last that could be read), none
  add column history text not null default 'waiting' check (history in ('waiting', 'reading', 'whole', 'part', 'none')),
  -- from which block down, and the lowest that was read
  add column read_top bigint,
  add column read_down_to bigint,
  -- when it is read on; until then one process has it
  add column read_turn timestamptz not null default '-infinity';
update receiving_accounts set start_index = seen_below;
drop index receiving_accounts_to_examine;
create index receiving_accounts_to_read on receiving_accounts (read_turn) where history in ('waiting', 'reading');

-- In a block of the chain as it stands. seen_at stays: what was ever announced or paid is given to no other order.
alter table account_addresses add column is_paid boolean not null default false;
update account_addresses set is_paid = true where seen_at is not null;
