-- Tables that rails share, and those of the sandbox.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create table rail_facts (
  id          bigint generated always as identity primary key,
  rail        text not null,
  order_ref   text collate "C" not null,
  fact        json not null,
  created_at  timestamptz not null,
  due_at      timestamptz not null,
  merchant_no int not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table rail_facts is
  'Owner: rail-kit. What rails report: written by a rail in the transaction that recorded what it saw. orders/settle takes each '
  'through the one door exactly once and in its order''s order: the row is deleted in the transaction that applied it.';
comment on column rail_facts.due_at is 'Later than created_at where the facts of an order could not be applied: others do not wait for them.';
create index rail_facts_by_merchant on rail_facts (merchant_no, order_ref, due_at);
create index rail_facts_due on rail_facts (due_at, id);
create index rail_facts_of_order on rail_facts (order_ref, id);

create table route_troubles (
  rail     text collate "C" not null,
  livemode boolean not null,
  chain    text collate "C" not null,
  asset    text collate "C" not null,
  side     text collate "C" not null check (side in ('any', 'pay', 'settle')),
  source   text collate "C" not null check (source in ('health', 'opening')),
  state    text collate "C" not null check (state in ('slow', 'down')),
  note     text not null,
  since    timestamptz not null,
  until    timestamptz not null,
  primary key (rail, livemode, chain, asset, side, source)
);
comment on table route_troubles is
  'Owner: rail-kit. Ways that are out (`down`) or late (`slow`). Empty texts mean all of it. Rows are renewed while the trouble '
  'lasts and end by themselves: no process has to be there for a way to come back.';
comment on column route_troubles.source is '`health`: what the rail says of itself. `opening`: an address could not be had.';

create table sandbox_legs (
  ref        text collate "C" primary key,
  order_ref  text collate "C" not null,
  chain      text not null,
  asset      text not null,
  contract   text,
  decimals   int not null,
  amount_due numeric(78, 0) not null,
  amount_out numeric(78, 0) not null,
  opened     json not null,
  created_at timestamptz not null
);
comment on table sandbox_legs is 'Owner: rail-kit.';
create index sandbox_legs_of_order on sandbox_legs (order_ref);

create table sandbox_outflows (
  id        bigint generated always as identity primary key,
  order_ref text collate "C" not null,
  leg_ref   text collate "C" not null references sandbox_legs (ref),
  chain     text not null,
  contract  text,
  amount    numeric(78, 0) not null
);
comment on table sandbox_outflows is 'Owner: rail-kit.';
create index sandbox_outflows_of_leg on sandbox_outflows (leg_ref);

create table sandbox_refunds (
  id        text collate "C" primary key,
  order_ref text collate "C" not null,
  status    text not null check (status in ('pending', 'succeeded')),
  leg_ref   text collate "C" not null,
  asset     json not null,
  amount    numeric(78, 0) not null
);
comment on table sandbox_refunds is 'Owner: rail-kit.';
create index sandbox_refunds_of_order on sandbox_refunds (order_ref, id);

create table sandbox_settlements (
  id        text collate "C" primary key,
  order_ref text collate "C" not null,
  leg_ref   text collate "C" not null references sandbox_legs (ref),
  gross     numeric(78, 0) not null,
  fee_bps   int not null,
  status    text not null check (status in ('pending', 'final', 'failed'))
);
comment on table sandbox_settlements is 'Owner: rail-kit.';
create index sandbox_settlements_of_order on sandbox_settlements (order_ref, id);

create table sandbox_transfers (
  order_ref text collate "C" not null,
  n         int not null,
  leg_ref   text collate "C" not null references sandbox_legs (ref),
  amount    numeric(78, 0) not null,
  status    text not null check (status in ('detected', 'confirmed', 'orphaned')),
  asset     json,
  primary key (order_ref, n)
);
comment on table sandbox_transfers is 'Owner: rail-kit.';
