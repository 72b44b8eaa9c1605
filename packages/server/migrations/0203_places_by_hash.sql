-- concurrently: orders are paid while these are built. Addresses and transactions are asked for whole, so a hash of four bytes does what
-- a tree of texts did: half the bytes, and two pages to look at instead of four.
create index concurrently pay_legs_at_address on pay_legs using hash (lower(address));
create index concurrently payments_in_transaction on payments using hash (lower(tx_hash));
drop index concurrently if exists pay_legs_by_address;
drop index concurrently if exists payments_by_tx_hash;
