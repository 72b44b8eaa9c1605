-- How many test events a merchant sent in a minute: one statement counts and judges, so that any number of processes count
-- together. One row for each merchant who ever sent one.
create table webhook_tests (
  merchant_id text collate "C" primary key references merchants (id),
  minute timestamptz not null,
  n int not null
);
