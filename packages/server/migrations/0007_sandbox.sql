-- The sandbox rail's own world: legs it opened, transfers that were simulated, work it was given.

create table sandbox_legs (
  ref         text collate "C" primary key,
  order_ref   text collate "C" not null,
  chain       text not null,
  asset       text not null,
  contract    text,
  decimals    int not null,
  amount_due  numeric(78, 0) not null,
  amount_out  numeric(78, 0) not null,
  opened      json not null,
  created_at  timestamptz not null
);
create index sandbox_legs_of_order on sandbox_legs (order_ref);

create table sandbox_transfers (
  order_ref text collate "C" not null,
  n         int not null,
  leg_ref   text collate "C" not null references sandbox_legs,
  amount    numeric(78, 0) not null,
  status    text not null check (status in ('detected', 'confirmed', 'orphaned')),
  primary key (order_ref, n)
);

create table sandbox_settlements (
  id         text collate "C" primary key,
  order_ref  text collate "C" not null,
  leg_ref    text collate "C" not null references sandbox_legs,
  gross      numeric(78, 0) not null,
  fee_bps    int not null,
  status     text not null check (status in ('pending', 'final', 'failed'))
);
create index sandbox_settlements_of_order on sandbox_settlements (order_ref, id);

create table sandbox_refunds (
  id        text collate "C" primary key,
  order_ref text collate "C" not null,
  status    text not null check (status in ('pending', 'succeeded'))
);
create index sandbox_refunds_of_order on sandbox_refunds (order_ref, id);
