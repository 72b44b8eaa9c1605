-- Read by nothing, in this release or the one before it, which has no such table. The old columns of receiving_accounts stay: the
-- release before reads them.
alter table account_holders drop column if exists given_below;
