-- Of each merchant who set an account of a wallet: what is theirs to say of it. Merchants with one account share its addresses,
-- so no index is given out twice, and nothing that one of them says moves where the other's orders are paid.
create table account_holders (
  account_id   text collate "C" not null references receiving_accounts,
  merchant_id  text collate "C" not null references merchants,
  -- how many unused addresses in a row this merchant's wallet looks at
  wallet_limit int not null default 20,
  -- how deep payments have to be: [{belowUsd, blocks}]; null: as the operator says
  depths       jsonb,
  -- where the merchant's counter began: behind the address that was given to compare, or behind what the wallet's file says
  start_index  bigint not null default 0,
  -- one above the last index that the merchant says was used; null: it was not said
  said_below   bigint,
  -- which of these told: wallet_address, export, merchant
  told_by      text[] not null default '{}',
  -- the next free index from here on is given out
  next_index   bigint not null,
  -- one above the highest index that an order of the merchant's got
  given_below  bigint not null default 0,
  -- one above the highest paid index that the merchant's wallet sees: it looks no further than its limit from the one before
  seen_below   bigint not null,
  -- addresses are derived ahead up to here
  derived_to   bigint not null default 0,
  since        timestamptz not null,
  constraint one_holder_per_merchant primary key (account_id, merchant_id)
);

-- What the account's row said was whoever set it first; it goes on for all who have it. Its columns for that are read no more
-- and go a release later, except next_index: one above the highest index that was ever given out.
insert into account_holders (account_id, merchant_id, wallet_limit, depths, start_index, said_below, told_by, next_index, given_below, seen_below, since)
select r.id, m.merchant_id, r.wallet_limit, r.depths, r.start_index, r.said_below,
  array(select who from unnest(r.told_by) who where who in ('wallet_address', 'export', 'merchant')), r.next_index, r.next_index, r.seen_below, r.created_at
from receiving_accounts r join (
  select merchant_id, address from receiving_addresses
  union select merchant_id, address from waiting_addresses
  union select merchant_id, address from receiving_address_history
  union select set_by, id from receiving_accounts
) m on m.address = r.id;

alter table account_addresses
  -- whose order it was given to last
  add column merchant_id text collate "C" references merchants,
  -- a payer started that order, not the merchant's server
  add column by_stranger boolean not null default false;
update account_addresses a set merchant_id = o.merchant_id from orders o where o.order_ref = a.order_ref;
-- The addresses that a wallet finds one after the other.
create index account_addresses_paid on account_addresses (account_id, index) where is_paid;
