-- Orders and all that hangs on them. Chain amounts are numeric(78,0) in smallest units, dollars bigint micros.
-- orders/advance is the one door through which status changes; every other table here is what it decides from.

create table orders (
  order_no               text collate "C" primary key,
  -- Server-made randomness that rails know the order by; never chosen by a merchant or a payer.
  order_ref              text collate "C" not null unique,
  merchant_id            text collate "C" not null references merchants,
  merchant_no            integer not null,
  api_key_id             text collate "C" not null references api_keys,
  livemode               boolean not null,
  external_id            text,
  status                 text not null check (status in ('pending', 'processing', 'success', 'failed', 'refunded', 'expired')),
  status_detail          text not null,
  amount_usd_micros      bigint not null check (amount_usd_micros > 0),
  fee_bps                int not null check (fee_bps between 0 and 10000),
  amount_out             numeric(78, 0),
  settle_chain           text not null,
  settle_asset           text not null,
  settle_contract        text,
  settle_decimals        int not null,
  settle_address         text not null,
  settle_tx_hash         text,
  rail                   text not null,
  pay_leg_id             text collate "C",
  refund_address         text,
  checkout_token         text collate "C" not null unique,
  webhook_url            text,
  success_url            text,
  cancel_url             text,
  title                  text,
  description            text,
  metadata               json not null,
  underpay_tolerance_bps int not null,
  late_policy            text not null check (late_policy in ('settle', 'refund')),
  canceled               boolean not null default false,
  version                int not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  expires_at             timestamptz not null,
  -- When the clock has to look at this order again, or until when somebody is looking; null: never by itself.
  look_at                timestamptz,
  settled_at             timestamptz
) with (fillfactor = 85);
create index orders_of_merchant on orders (merchant_id, livemode, order_no desc);
create index orders_by_status on orders (merchant_id, livemode, status, order_no desc);
create index orders_by_external_id on orders (merchant_id, livemode, external_id, order_no desc) where external_id is not null;
create index orders_to_look_at on orders (look_at) where look_at is not null;

-- What a payer was shown: every leg ever shown stays watched, and money on it is judged at its own quote.
create table pay_legs (
  id              text collate "C" primary key,
  order_no        text collate "C" not null references orders,
  -- 1, 2, … in the order they were shown; with the order's reference it makes the rail's reference.
  n               int not null,
  ref             text collate "C" not null unique,
  rail            text not null,
  chain           text not null,
  asset           text not null,
  contract        text,
  decimals        int not null,
  address         text not null,
  memo            text,
  uri             text not null,
  amount_due      numeric(78, 0) not null check (amount_due > 0),
  -- What the merchant's address gets when exactly amount_due is paid, after the fee.
  amount_out      numeric(78, 0) not null,
  -- An excess up to this is not worth sending back: it goes to the merchant with the settlement.
  dust            numeric(78, 0) not null,
  is_stable       boolean not null,
  rate            text not null,
  rate_source     text not null,
  rate_expires_at timestamptz not null,
  confirmations_required int not null,
  -- The refund address that the rail bound into this leg, or null.
  bound_refund_address text,
  -- All that a stranger needs to recompute the address and push the money without us, or null.
  proof           json,
  created_at      timestamptz not null
);
create unique index pay_legs_of_order on pay_legs (order_no, n);

-- One row a transfer that a rail saw. The key is the rail's: it names block and position, so a transfer that a reorg
-- moves is another row.
create table payments (
  key                    text collate "C" primary key,
  id                     text collate "C" not null unique,
  order_no               text collate "C" not null references orders,
  pay_leg_id             text collate "C" not null references pay_legs,
  tx_hash                text not null,
  output_index           int not null,
  chain                  text not null,
  asset                  text not null,
  contract               text,
  decimals               int not null,
  amount                 numeric(78, 0) not null check (amount > 0),
  from_address           text,
  height                 bigint,
  confirmations_required int not null,
  status                 text not null check (status in ('detected', 'confirmed', 'orphaned')),
  use                    text not null check (use in ('counted', 'excess', 'late', 'wrong_asset', 'wrong_chain')),
  -- The block's time: what decides between on time and late.
  seen_at                timestamptz not null,
  detected_at            timestamptz not null
);
create index payments_of_order on payments (order_no, id desc);

-- One row a settlement that was asked of a rail; `final` only when the chain's rule says so.
create table settlements (
  id            text collate "C" primary key,
  order_no      text collate "C" not null references orders,
  pay_leg_id    text collate "C" not null references pay_legs,
  status        text not null check (status in ('wanted', 'broadcast', 'final', 'failed')),
  gross         numeric(78, 0) not null check (gross > 0),
  fee_bps       int not null,
  fee           numeric(78, 0),
  amount_out    numeric(78, 0),
  tx_hash       text,
  failure       text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- The rail took the request; until then the settle job asks again from hand_over_at on.
  handed_over_at timestamptz,
  hand_over_at   timestamptz not null
);
create index settlements_of_order on settlements (order_no, id);
create index settlements_to_hand_over on settlements (hand_over_at) where handed_over_at is null and status = 'wanted';

create table refunds (
  id             text collate "C" primary key,
  order_no       text collate "C" not null references orders,
  pay_leg_id     text collate "C" not null references pay_legs,
  status         text not null check (status in ('waiting', 'proposed', 'sending', 'succeeded', 'failed')),
  chain          text not null,
  asset          text not null,
  contract       text,
  decimals       int not null,
  amount         numeric(78, 0) not null check (amount > 0),
  address        text,
  tx_hash        text,
  reason         text not null,
  failure        text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  handed_over_at timestamptz,
  hand_over_at   timestamptz not null
);
create index refunds_of_order on refunds (order_no, id);
create index refunds_to_hand_over on refunds (hand_over_at) where handed_over_at is null and status = 'sending';

-- What rails report: written by a rail in the transaction that recorded what it saw. orders/settle takes each through
-- the one door exactly once and in its order's order: the row is deleted in the transaction that applied it.
create table rail_facts (
  id         bigint generated always as identity primary key,
  rail       text not null,
  order_ref  text collate "C" not null,
  fact       json not null,
  created_at timestamptz not null,
  -- Later than created_at where the facts of an order could not be applied: others do not wait for them.
  due_at     timestamptz not null
);
create index rail_facts_of_order on rail_facts (order_ref, id);
create index rail_facts_due on rail_facts (due_at, id);

-- The timeline, and the frozen bytes of every event. Partitioned by time: retention drops whole partitions.
-- `xid` orders events by commit: a reader stops below pg_snapshot_xmin, so no later commit hides behind its cursor.
create table order_events (
  id            text collate "C" not null,
  order_no      text collate "C" not null,
  merchant_id   text collate "C" not null,
  api_key_id    text collate "C" not null,
  livemode      boolean not null,
  -- null: only the detail changed
  event         text,
  status        text not null,
  status_detail text not null,
  version       int not null,
  -- The exact bytes that are signed and sent; null where event is.
  body          bytea,
  xid           xid8 not null default pg_current_xact_id(),
  created_at    timestamptz not null,
  primary key (id, created_at)
) partition by range (created_at);
create index order_events_of_order on order_events (order_no, id);
create index order_events_in_commit_order on order_events (merchant_id, livemode, xid, id) where event is not null;

-- One row an Idempotency-Key that is running or answered.
create table idempotency_keys (
  api_key_id   text collate "C" not null,
  key          text collate "C" not null,
  body_hash    bytea not null,
  order_no     text collate "C" not null,
  order_ref    text collate "C" not null,
  leased_until timestamptz not null,
  -- null while in flight
  answer       bytea,
  created_at   timestamptz not null,
  primary key (api_key_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What a person must decide: evidence and the actions that fit.
create table attention (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null references merchants,
  livemode    boolean not null,
  order_no    text collate "C" references orders,
  kind        text not null,
  -- One open item a cause.
  cause       text not null,
  evidence    json not null,
  actions     text[] not null,
  created_at  timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  resolution  text
);
create unique index attention_open_once on attention (cause) where resolved_at is null;
create index attention_of_merchant on attention (merchant_id, livemode, id desc);

-- Partitions are made ahead and dropped after their time by a job. No default partition: rows that landed there
-- would block the making of the right one. Each covers `width` days counted from a Monday and is named for its first
-- day (UTC): order_events_20261116. Made beside the table and then attached: made as a part of it from the start, it
-- would wait for every reader, a backup for instance, and all writers would wait behind it.
create function make_partitions(parent text, from_day date, until_day date, width int) returns int language plpgsql as $$
declare
  made int := 0;
  day date := from_day - ((from_day - date '2001-01-01') % width);
  partition text;
begin
  while day <= until_day loop
    partition := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
    if to_regclass(partition) is null then
      execute format('create table %I (like %I including all)', partition, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                     parent, partition, day::timestamp at time zone 'UTC', (day + width)::timestamp at time zone 'UTC');
      made := made + 1;
    end if;
    day := day + width;
  end loop;
  return made;
end $$;
