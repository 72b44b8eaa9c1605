-- What accounts of one wallet have in common, and the addresses that a wallet's own change goes to.

-- Marks of the keys that the account's text shows; null: written before this was kept, a job adds them.
alter table receiving_accounts add column wallet_marks text[];
create index receiving_accounts_by_marks on receiving_accounts using gin (wallet_marks);

-- The text that shows where the wallet's change goes, whoever set it: not every text of an account does. And how far that was derived.
alter table receiving_accounts add column change_from text;
alter table receiving_accounts add column change_to bigint not null default 0;
create table account_change (
  account_id text collate "C" not null references receiving_accounts (id),
  index bigint not null,
  script text not null,
  constraint one_change_per_index primary key (account_id, index)
);
create index account_change_by_script on account_change (script);
