-- Webhook delivery in four tables, so that what is hot stays thin: what the merchant sees (deliveries), what is still
-- to be done (delivery_queue), what was tried (delivery_attempts, dropped by the day), who is working (delivery_workers).
-- The bytes that are sent stand in order_events.

create table deliveries (
  id               text collate "C" primary key,
  -- The queue's key: a third of the width of an id in the hot indexes, and in the order of insertion.
  no               bigint generated always as identity,
  event_id         text collate "C" not null,
  event_created_at timestamptz not null,
  event            text not null,
  order_no         text collate "C" not null,
  merchant_no      integer not null,
  -- No foreign key: the order has it, and this insert is on the path of every status change.
  api_key_id       text collate "C" not null,
  livemode         boolean not null,
  url              text not null,
  status           text not null default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'dead')),
  -- Automatic attempts that had an outcome. One that was interrupted has none and is made again under its number.
  attempt_count    smallint not null default 0 check (attempt_count between 0 and 5),
  next_attempt_at  timestamptz,
  created_at       timestamptz not null,
  resent_from      text collate "C"
) with (fillfactor = 85);
-- Every filter of the list is in front of the id, so a page costs one short index walk for each status and event asked for.
create index deliveries_listed on deliveries (merchant_no, livemode, status, event, id);
create index deliveries_of_order on deliveries (order_no, id);

-- One row an unfinished delivery, deleted when it is finished: at most one piece of work a delivery by its primary key.
create table delivery_queue (
  delivery_no bigint primary key,
  delivery_id text collate "C" not null,
  -- 0 first attempt, 1 retry or resend, 2 replay, 3 suspect: was in flight when a worker died, twice
  class       smallint not null,
  tenant      integer not null,
  -- Hash of tenant, scheme, host and port. Two targets that collide only share a cap.
  lane        bigint not null,
  -- 1 ready, 2 scheduled, 3 leased
  state       smallint not null,
  -- As deliveries.attempt_count.
  attempt     smallint not null default 0,
  -- Leases since the last outcome.
  claims      smallint not null default 0,
  run_at      timestamptz not null,
  lease_until timestamptz,
  -- Random for each claim: a result is written only under the token it was claimed with.
  lease_token bigint
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
-- Fairness is in the prefix: tenants and lanes are found by jumps in this index, whatever the backlog.
create index delivery_queue_ready on delivery_queue (class, tenant, lane, run_at, delivery_no) where state = 1;
create index delivery_queue_scheduled on delivery_queue (run_at) where state = 2;
create index delivery_queue_leased on delivery_queue (lease_until) where state = 3;

-- The log. One index: the key, which also keeps a flush that is repeated from writing a row twice.
create table delivery_attempts (
  delivery_id      text collate "C" not null,
  started_at       timestamptz not null,
  n                smallint not null,
  http_status      smallint,
  -- Until the status line, or until it failed.
  latency_ms       integer,
  -- null: a 2xx. Else a code of webhooks/send/outcome.ts.
  error            text,
  -- Made printable before it is stored: a receiver chooses these bytes.
  response_excerpt text,
  -- For the operator only: what the system said.
  detail           text,
  primary key (delivery_id, started_at)
) partition by range (started_at);

create table delivery_workers (
  id         text collate "C" primary key,
  started_at timestamptz not null,
  beat_at    timestamptz not null,
  slots      integer not null,
  in_flight  integer not null
);

-- A merchant's request to send a range of time again; a job works it off in small steps.
create table delivery_replays (
  id           text collate "C" primary key,
  merchant_no  integer not null,
  -- null: both modes
  livemode     boolean,
  status       text not null check (status in ('dead', 'succeeded')),
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  -- The newest delivery that was looked at: where the next step goes on.
  last_seen    text collate "C" not null,
  -- Found when it was asked for, 10,000 at most.
  total        integer not null,
  resent       integer not null default 0,
  -- Deliveries whose body is past its retention.
  skipped      integer not null default 0,
  state        text not null default 'running' check (state in ('running', 'done')),
  created_at   timestamptz not null,
  finished_at  timestamptz
);
create index delivery_replays_running on delivery_replays (created_at) where state = 'running';
