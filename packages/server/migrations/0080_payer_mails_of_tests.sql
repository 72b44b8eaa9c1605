-- A payment on a test network costs its payer nothing, so mails to payers of test orders are bounded for each merchant too.
alter table payer_mails add column is_test boolean not null default false;
create index payer_mails_of_tests on payer_mails (merchant_id, at) where is_test;
