-- Whoever holds a checkout link or a key names no refund address: docs/decisions/0020-refund-address.md.

-- refund_approved: what the merchant approved or named. refund_proposed: what came with the order and the payer may
-- confirm. refund_address, which anybody with the link could set, is read no more; a later release drops it.
-- refund_asks counts the addresses that were sent by link alone, refund_asked_at is when the last one was.
alter table orders
  add column refund_approved text,
  add column refund_proposed text,
  add column refund_asks     int not null default 0,
  add column refund_asked_at timestamptz;
update orders set refund_proposed = refund_address where refund_address is not null;

-- holder: SHA-256 of the secret of the one browser that is shown this leg; null: everybody is.
-- refund_address: what that browser named after the payment, where nothing is bound into the leg.
alter table pay_legs
  add column holder         bytea,
  add column refund_address text;

-- The wallet whose signature named the address of this refund.
alter table refunds add column signed_by text;

-- What came with the link alone lapses unapproved after a day.
create index attention_to_lapse on attention (created_at) where resolved_at is null and kind = 'refund_approval';
