-- contracts: columns that no code reads, and null where no code writes it any more.

-- Readers of events have gone by position since 0013.
alter table order_events drop column xid;
-- It was only ever set to null.
alter table login_wrong_tries drop column paused_until;

alter table pay_legs
  alter column settle_chain set not null,
  alter column settle_asset set not null,
  alter column settle_decimals set not null,
  alter column settle_address set not null;
alter table sandbox_refunds
  alter column leg_ref set not null,
  alter column asset set not null,
  alter column amount set not null;
alter table relay_signers alter column role set not null;
