-- What a merchant's refund asks for beyond what is owed, so that it is told from another merchant's: transfers that are known as the
-- merchant's own count without it as well.
alter table merchant_refunds add column extra numeric not null default 0;
