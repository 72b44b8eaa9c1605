-- An account of a wallet belongs to one merchant. Its row holds the merchant's settings, which started in account_holders.
alter table receiving_accounts rename column set_by to merchant_id;
alter table receiving_accounts
  -- how often it went to another merchant: a signature counts for one turn
  add column turn int not null default 0,
  -- addresses are derived ahead up to here
  add column derived_to bigint not null default 0;
update receiving_accounts r set wallet_limit = h.wallet_limit, depths = h.depths, start_index = h.start_index, said_below = h.said_below,
  told_by = array(select distinct who from unnest(r.told_by || h.told_by) who order by who), next_index = h.next_index, seen_below = h.seen_below
from account_holders h where h.account_id = r.id and h.merchant_id = r.merchant_id;
drop table account_holders;
