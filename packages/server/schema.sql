-- What the migrations amount to. Written by `npm run db:dump`; a test fails when it drifts.

create schema florin;
set search_path = florin;
-- Functions are before the tables that they read.
set check_function_bodies = off;

CREATE OR REPLACE FUNCTION make_partitions(parent text, from_day date, until_day date, width integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION metadata_key(key text, value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'm' || encode(substr(sha256(convert_to(length(key) || ':' || key || value, 'UTF8')), 1, 9), 'base64')
$function$;

CREATE OR REPLACE FUNCTION order_keys(title text, external_id text, metadata json)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select 'w' || word from unnest(order_words(title, external_id)) word
  union all
  select metadata_key(each.key, each.value) from json_each_text(metadata) each
$function$;

CREATE OR REPLACE FUNCTION order_sums_of(status text, created_at timestamp with time zone, settled_at timestamp with time zone, micros bigint, minor bigint)
 RETURNS TABLE(at timestamp with time zone, kind text, n integer, micros bigint, minor bigint)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select date_trunc('hour', created_at, 'UTC'), status, 1, $4, coalesce($5, 0)
  union all
  select date_trunc('hour', settled_at, 'UTC'), 'settled', 1, $4, coalesce($5, 0) where settled_at is not null
  union all
  select date_trunc('hour', settled_at, 'UTC'), 't' || pay_time_step(created_at, settled_at), 1, 0, 0 where settled_at is not null
$function$;

CREATE OR REPLACE FUNCTION order_words(title text, external_id text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
      select array(
        select left(word, 32)
        from unnest(regexp_split_to_array(lower(normalize(concat_ws(' ', title,
          case when length(external_id) <= 24 then external_id end), nfkc) collate pg_c_utf8), '[^[:alnum:]]+' collate pg_c_utf8))
          with ordinality as each (word, n)
        where word <> '' group by left(word, 32) order by min(n) limit 24)
    $function$;

CREATE OR REPLACE FUNCTION pay_time_step(made timestamp with time zone, settled timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when abs(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8)
      - round(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8))) < 1e-6
    then floor(16 * log(2, 1 + greatest(0, extract(epoch from settled - made)))::numeric)::int
    else floor(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8))::int
  end
$function$;

CREATE OR REPLACE FUNCTION queue_for_position()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_arrivals (event_id, event_created_at) values (new.id, new.created_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.detail::jsonb ? 'reason' and new.detail::jsonb = old.detail::jsonb - 'reason'
    and (new.id, new.merchant_id, new.actor, new.action, new.subject, new.created_at)
      = (old.id, old.merchant_id, old.actor, old.action, old.subject, old.created_at) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION stamp_xid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.xid := pg_current_xact_id();
  return new;
end $function$;

create table account_addresses (
  account_id text collate "C" not null,
  index bigint not null,
  script text not null,
  order_ref text collate "C",
  assigned_at timestamp with time zone,
  seen_at timestamp with time zone,
  is_paid boolean default false not null,
  merchant_id text collate "C",
  by_stranger boolean default false not null,
  constraint one_address_per_index PRIMARY KEY (account_id, index)
);
CREATE INDEX account_addresses_by_script ON account_addresses USING btree (script);
CREATE INDEX account_addresses_unseen ON account_addresses USING btree (account_id, assigned_at) WHERE ((seen_at IS NULL) AND (order_ref IS NOT NULL));
comment on table account_addresses is 'Owner: addresses. Derived addresses: a look-ahead above the counter, and all that was given out.';

create table account_assignments (
  account_id text collate "C" not null,
  order_ref text collate "C" not null,
  index bigint not null,
  assigned_at timestamp with time zone not null,
  constraint one_index_per_order PRIMARY KEY (account_id, order_ref)
);
comment on table account_assignments is 'Owner: addresses. Which index an order has: asked again, the same one, also after the index was given to another.';

create table account_change (
  account_id text collate "C" not null,
  index bigint not null,
  script text not null,
  constraint one_change_per_index PRIMARY KEY (account_id, index)
);
CREATE INDEX account_change_by_script ON account_change USING btree (script);
comment on table account_change is 'Owner: addresses.';

create table api_key_hashes (
  hash bytea not null,
  api_key_id text collate "C" not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint api_key_hashes_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX api_key_hash_one_current ON api_key_hashes USING btree (api_key_id) WHERE (expires_at IS NULL);
CREATE INDEX api_key_hashes_of_key ON api_key_hashes USING btree (api_key_id);
comment on table api_key_hashes is 'Owner: identity.';

create table api_keys (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  livemode boolean not null,
  name text not null,
  prefix text not null,
  last4 text not null,
  scopes text[] not null,
  fee_bps integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  shown_to_session text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000)))
);
CREATE INDEX api_keys_of_merchant ON api_keys USING btree (merchant_id, id DESC);
comment on table api_keys is 'Owner: identity.';

create table attention (
  id text collate "C" not null,
  merchant_id text collate "C",
  livemode boolean not null,
  order_no text collate "C",
  kind text not null,
  cause text not null,
  evidence json not null,
  actions text[] not null,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  xid xid8 default pg_current_xact_id() not null,
  constraint attention_pkey PRIMARY KEY (id),
  constraint attention_is_about_somebody CHECK (((merchant_id IS NOT NULL) OR (order_no IS NULL)))
);
CREATE INDEX attention_in_commit_order ON attention USING btree (xid);
CREATE INDEX attention_of_all ON attention USING btree (livemode, id DESC);
CREATE INDEX attention_of_merchant ON attention USING btree (merchant_id, livemode, id DESC);
CREATE INDEX attention_of_order ON attention USING btree (order_no, id DESC) WHERE (resolved_at IS NULL);
CREATE INDEX attention_open ON attention USING btree (merchant_id, livemode, id DESC) WHERE (resolved_at IS NULL);
CREATE UNIQUE INDEX attention_open_once ON attention USING btree (cause) WHERE (resolved_at IS NULL);
CREATE TRIGGER attention_says_who_changed_it BEFORE UPDATE ON attention FOR EACH ROW EXECUTE FUNCTION stamp_xid();
comment on table attention is 'Owner: operations/attention. What a person must decide: evidence and the actions that fit.';

create table audit_log (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail json not null,
  created_at timestamp with time zone not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_of_merchant ON audit_log USING btree (merchant_id, id DESC);
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
comment on table audit_log is 'Owner: platform. Ids are compared byte by byte: their order is their time, whatever the database''s locale.';

create table book_differences (
  id text collate "C" not null,
  order_no text collate "C" not null,
  merchant_id text collate "C" not null,
  livemode boolean not null,
  pay_leg_id text collate "C" not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  booked numeric(78,0) not null,
  found numeric(78,0) not null,
  height bigint,
  seen_at timestamp with time zone not null,
  told_at timestamp with time zone,
  resolved_at timestamp with time zone,
  constraint book_differences_pkey PRIMARY KEY (id)
);
CREATE INDEX book_differences_of_all ON book_differences USING btree (livemode, id DESC) WHERE (told_at IS NOT NULL);
CREATE INDEX book_differences_of_merchant ON book_differences USING btree (merchant_id, livemode, id DESC) WHERE (told_at IS NOT NULL);
CREATE UNIQUE INDEX book_differences_open_once ON book_differences USING btree (pay_leg_id, chain, COALESCE(lower(contract), ''::text)) WHERE (resolved_at IS NULL);
comment on table book_differences is 'Owner: orders. One row a difference between the books and the chain, of one asset of one leg. People hear of it when it was seen at two final blocks.';

create table chain_blocks (
  chain text collate "C" not null,
  height bigint not null,
  hash text not null,
  parent text not null,
  "time" timestamp with time zone not null,
  read_by text,
  constraint chain_blocks_pkey PRIMARY KEY (chain, height)
);
comment on table chain_blocks is 'Owner: rail-evm. The newest blocks that were read, so that a reorg can be followed back.';

create table chain_cursors (
  chain text collate "C" not null,
  pass text not null,
  chain_id bigint not null,
  livemode boolean not null,
  start_height bigint not null,
  height bigint not null,
  hash text not null,
  head bigint not null,
  note text,
  updated_at timestamp with time zone not null,
  constraint chain_cursors_pkey PRIMARY KEY (chain, pass),
  constraint chain_cursors_pass_check CHECK ((pass = ANY (ARRAY['seen'::text, 'credit'::text])))
);
comment on table chain_cursors is 'Owner: rail-evm. How far a chain has been read. `seen` is the first look, `credit` the second one at the depth that counts.';

create table chain_providers (
  chain text collate "C" not null,
  name text collate "C" not null,
  verdict text not null,
  reason text,
  until timestamp with time zone,
  since timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint chain_providers_pkey PRIMARY KEY (chain, name),
  constraint chain_providers_verdict_check CHECK ((verdict = ANY (ARRAY['ok'::text, 'laggard'::text, 'frozen'::text, 'liar'::text, 'wrong_chain'::text, 'silent'::text])))
);
comment on table chain_providers is 'Owner: rail-evm. What the process that watches a chain thinks of each provider, for every process to show.';

create table confirmation_codes (
  id text collate "C" not null,
  session_id text collate "C" not null,
  code_hash bytea not null,
  wrong_tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint confirmation_codes_pkey PRIMARY KEY (id)
);
CREATE INDEX confirmation_codes_by_age ON confirmation_codes USING btree (created_at);
CREATE INDEX confirmation_codes_of_session ON confirmation_codes USING btree (session_id, created_at DESC);
comment on table confirmation_codes is 'Owner: identity.';

create table deliveries (
  id text collate "C" not null,
  no bigint generated always as identity not null,
  event_id text collate "C" not null,
  event_created_at timestamp with time zone not null,
  event text not null,
  order_no text collate "C" not null,
  merchant_no integer not null,
  api_key_id text collate "C",
  livemode boolean not null,
  url text not null,
  status text default 'pending'::text not null,
  attempt_count smallint default 0 not null,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  resent_from text collate "C",
  xid xid8 default pg_current_xact_id() not null,
  endpoint_id text collate "C",
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_attempt_count_check CHECK (((attempt_count >= 0) AND (attempt_count <= 5))),
  constraint deliveries_one_signer CHECK ((num_nonnulls(api_key_id, endpoint_id) = 1)),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'succeeded'::text, 'dead'::text])))
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX deliveries_in_commit_order ON deliveries USING btree (merchant_no, xid);
CREATE INDEX deliveries_listed ON deliveries USING btree (merchant_no, livemode, status, event, id);
CREATE INDEX deliveries_of_endpoint ON deliveries USING btree (endpoint_id, status, id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX deliveries_of_order ON deliveries USING btree (order_no, id);
comment on table deliveries is 'Owner: webhooks.';

create table delivery_attempts (
  delivery_id text collate "C" not null,
  started_at timestamp with time zone not null,
  n smallint not null,
  http_status smallint,
  latency_ms integer,
  error text,
  response_excerpt text,
  detail text,
  constraint delivery_attempts_pkey PRIMARY KEY (delivery_id, started_at)
) partition by range (started_at);
comment on table delivery_attempts is 'Owner: webhooks. The log. One index: the key, which also keeps a flush that is repeated from writing a row twice.';

create table delivery_queue (
  delivery_no bigint not null,
  delivery_id text collate "C" not null,
  class smallint not null,
  tenant integer not null,
  lane bigint not null,
  state smallint not null,
  attempt smallint default 0 not null,
  claims smallint default 0 not null,
  run_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  lease_token bigint,
  constraint delivery_queue_pkey PRIMARY KEY (delivery_no)
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
CREATE INDEX delivery_queue_leased ON delivery_queue USING btree (lease_until) WHERE (state = 3);
CREATE INDEX delivery_queue_ready ON delivery_queue USING btree (class, tenant, lane, run_at, delivery_no) WHERE (state = 1);
CREATE INDEX delivery_queue_scheduled ON delivery_queue USING btree (run_at) WHERE (state = 2);
comment on table delivery_queue is 'Owner: webhooks. One row an unfinished delivery, deleted when it is finished: at most one piece of work a delivery by its primary key.';

create table delivery_replays (
  id text collate "C" not null,
  merchant_no integer not null,
  livemode boolean,
  status text not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  last_seen text collate "C" not null,
  total integer not null,
  resent integer default 0 not null,
  skipped integer default 0 not null,
  state text default 'running'::text not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint delivery_replays_pkey PRIMARY KEY (id),
  constraint delivery_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text]))),
  constraint delivery_replays_status_check CHECK ((status = ANY (ARRAY['dead'::text, 'succeeded'::text])))
);
CREATE INDEX delivery_replays_running ON delivery_replays USING btree (created_at) WHERE (state = 'running'::text);
comment on table delivery_replays is 'Owner: webhooks. A merchant''s request to send a range of time again; a job works it off in small steps.';

create table delivery_workers (
  id text collate "C" not null,
  beat_at timestamp with time zone not null,
  slots integer not null,
  in_flight integer not null,
  constraint delivery_workers_pkey PRIMARY KEY (id)
);
comment on table delivery_workers is 'Owner: webhooks.';

create table email_changes (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  old_email text not null,
  new_email text not null,
  asked_by text not null,
  by_operator boolean not null,
  old_approved_at timestamp with time zone,
  new_approved_at timestamp with time zone,
  effective_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  outcome text,
  ended_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX email_change_one_open ON email_changes USING btree (merchant_id) WHERE (ended_at IS NULL);
CREATE INDEX email_changes_due ON email_changes USING btree (COALESCE(effective_at, expires_at)) WHERE (ended_at IS NULL);
CREATE INDEX email_changes_of_merchant ON email_changes USING btree (merchant_id, id DESC);
comment on table email_changes is 'Owner: identity.';

create table event_arrivals (
  n bigint generated always as identity not null,
  event_id text collate "C" not null,
  event_created_at timestamp with time zone not null,
  arrived_at timestamp with time zone default clock_timestamp() not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
CREATE INDEX event_arrivals_in_order ON event_arrivals USING btree (n, event_id);
comment on table event_arrivals is 'Owner: webhooks. What has no position yet. `n` is taken while the transaction commits, not when it wrote: of two commits of which one had returned before the other was asked for, the first has the lower number, however long each had been open.';

create table event_sequence (
  only_row boolean default true not null,
  last_position bigint not null,
  constraint event_sequence_pkey PRIMARY KEY (only_row),
  constraint event_sequence_only_row_check CHECK (only_row)
);
comment on table event_sequence is 'Owner: webhooks. How far positions are given: one row, made with the first of them.';

create table event_spans (
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  first_position bigint not null,
  last_position bigint not null,
  constraint event_spans_pkey PRIMARY KEY (from_at)
);
comment on table event_spans is 'Owner: webhooks. Which positions the events of a span of time have: tells a page in which partitions to look.';

create table folded_payments (
  key text collate "C" not null,
  order_no text collate "C" not null,
  fold text collate "C" not null,
  tx_hash text not null,
  output_index integer not null,
  amount numeric(78,0) not null,
  from_address text,
  height bigint,
  status text not null,
  seen_at timestamp with time zone not null,
  constraint folded_payments_pkey PRIMARY KEY (key),
  constraint folded_payments_amount_check CHECK ((amount > (0)::numeric)),
  constraint folded_payments_status_check CHECK ((status = ANY (ARRAY['unconfirmed'::text, 'detected'::text, 'confirmed'::text, 'orphaned'::text, 'dropped'::text])))
);
CREATE INDEX folded_payments_by_tx_hash ON folded_payments USING btree (lower(tx_hash));
comment on table folded_payments is 'Owner: orders.';

create table forwarder_factory_logs (
  key text collate "C" not null,
  chain text collate "C" not null,
  event text not null,
  vault text collate "C",
  tx_hash text collate "C" not null,
  log_index integer not null,
  height bigint not null,
  block_hash text collate "C" not null,
  args json not null,
  state text not null,
  created_at timestamp with time zone not null,
  relayed text,
  said_by text default ''::text not null,
  agreed boolean default true not null,
  disputed text,
  ask_at timestamp with time zone,
  block_time timestamp with time zone,
  constraint forwarder_factory_logs_pkey PRIMARY KEY (key),
  constraint forwarder_factory_logs_event_check CHECK ((event = ANY (ARRAY['Settled'::text, 'SettleFailed'::text, 'Refunded'::text, 'RefundProposed'::text, 'RefundVetoed'::text, 'PushFailed'::text]))),
  constraint forwarder_factory_logs_state_check CHECK ((state = ANY (ARRAY['seen'::text, 'final'::text, 'orphaned'::text])))
);
CREATE INDEX forwarder_factory_logs_disputed ON forwarder_factory_logs USING btree (chain) WHERE (disputed IS NOT NULL);
CREATE INDEX forwarder_factory_logs_not_final ON forwarder_factory_logs USING btree (chain, height) WHERE (state = 'seen'::text);
CREATE INDEX forwarder_factory_logs_of_block ON forwarder_factory_logs USING btree (chain, block_hash);
CREATE INDEX forwarder_factory_logs_of_vault ON forwarder_factory_logs USING btree (chain, vault);
CREATE INDEX forwarder_factory_logs_refuted ON forwarder_factory_logs USING btree (chain, ask_at) WHERE ((state = 'orphaned'::text) AND (ask_at IS NOT NULL));
CREATE INDEX forwarder_factory_logs_to_relay ON forwarder_factory_logs USING btree (chain, height) WHERE (relayed IS DISTINCT FROM state);
comment on table forwarder_factory_logs is 'Owner: rail-evm. What the factory said. Truth about settlements and refunds, whoever sent them; the relayer reads these rows.';

create table forwarder_observations (
  key text collate "C" not null,
  leg_ref text collate "C" not null,
  order_ref text collate "C" not null,
  chain text collate "C" not null,
  vault text collate "C" not null,
  token text,
  amount numeric(78,0) not null,
  tx_hash text not null,
  log_index integer not null,
  from_address text,
  height bigint not null,
  block_hash text collate "C" not null,
  seen_at timestamp with time zone not null,
  state text not null,
  found_by text not null,
  created_at timestamp with time zone not null,
  said_by text default ''::text not null,
  agreed boolean default true not null,
  disputed text,
  ask_at timestamp with time zone,
  constraint forwarder_observations_pkey PRIMARY KEY (key),
  constraint forwarder_observations_amount_check CHECK ((amount > (0)::numeric)),
  constraint forwarder_observations_found_by_check CHECK ((found_by = ANY (ARRAY['first'::text, 'second'::text, 'balance'::text]))),
  constraint forwarder_observations_state_check CHECK ((state = ANY (ARRAY['seen'::text, 'confirmed'::text, 'orphaned'::text])))
);
CREATE INDEX forwarder_observations_disputed ON forwarder_observations USING btree (chain) WHERE (disputed IS NOT NULL);
CREATE INDEX forwarder_observations_of_block ON forwarder_observations USING btree (chain, block_hash);
CREATE INDEX forwarder_observations_of_order_to_agree ON forwarder_observations USING btree (order_ref) WHERE ((state = 'seen'::text) AND (NOT agreed));
CREATE INDEX forwarder_observations_of_vault ON forwarder_observations USING btree (chain, vault);
CREATE INDEX forwarder_observations_refuted ON forwarder_observations USING btree (chain, ask_at) WHERE ((state = 'orphaned'::text) AND (ask_at IS NOT NULL));
CREATE INDEX forwarder_observations_to_confirm ON forwarder_observations USING btree (chain, height) WHERE (state = 'seen'::text);
comment on table forwarder_observations is 'Owner: rail-evm. One row a transfer to a vault in one block: the same transfer in another block is another row. key: chain:blockHash:logIndex; from balances: chain:blockHash:vault, with :token behind it for a token.';

create table forwarder_vaults (
  leg_ref text collate "C" not null,
  order_ref text collate "C" not null,
  chain text collate "C" not null,
  livemode boolean not null,
  vault text collate "C" not null,
  factory text not null,
  impl text not null,
  route json not null,
  asset text not null,
  contract text,
  decimals integer not null,
  amount_due numeric(78,0) not null,
  opened json not null,
  state text default 'open'::text not null,
  deadline timestamp with time zone not null,
  hot_until timestamp with time zone not null,
  watch_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  xid xid8 default pg_current_xact_id() not null,
  is_large boolean default false not null,
  merchant_id text,
  constraint forwarder_vaults_pkey PRIMARY KEY (leg_ref),
  constraint forwarder_vaults_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text])))
);
CREATE INDEX forwarder_vaults_by_commit ON forwarder_vaults USING btree (livemode, xid) WHERE (state = 'open'::text);
CREATE INDEX forwarder_vaults_by_vault ON forwarder_vaults USING btree (vault);
CREATE INDEX forwarder_vaults_of_order ON forwarder_vaults USING btree (order_ref);
CREATE INDEX forwarder_vaults_to_close ON forwarder_vaults USING btree (watch_until) WHERE (state = 'open'::text);
CREATE INDEX forwarder_vaults_to_walk ON forwarder_vaults USING btree (livemode, leg_ref) WHERE (state = 'open'::text);
comment on table forwarder_vaults is 'Owner: rail-evm. One row an opened leg, written before the payer is shown the address.';

create table fx_answers (
  source text not null,
  quote text not null,
  kind text not null,
  rate text not null,
  observed_at timestamp with time zone not null,
  fetched_at timestamp with time zone not null,
  constraint fx_answers_pkey PRIMARY KEY (source, quote),
  constraint fx_answers_kind_check CHECK ((kind = ANY (ARRAY['live'::text, 'fixing'::text, 'fixed'::text])))
);
comment on table fx_answers is 'Owner: prices.';

create table fx_checks (
  quote text not null,
  verdict text not null,
  why text,
  since timestamp with time zone not null,
  constraint fx_checks_pkey PRIMARY KEY (quote),
  constraint fx_checks_verdict_check CHECK ((verdict = ANY (ARRAY['agreed'::text, 'silent'::text, 'disagree'::text, 'off_peg'::text])))
);
comment on table fx_checks is 'Owner: prices. What the last look at the answers said of a currency, whether or not it gave a rate.';

create table fx_rates (
  quote text not null,
  rate text not null,
  observed_at timestamp with time zone not null,
  agreed_at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  apart_bps integer not null,
  sources json not null,
  rules_version integer not null,
  constraint fx_rates_pkey PRIMARY KEY (quote)
);
comment on table fx_rates is 'Owner: prices. What the answers of the sources agreed on last. Written by the one process that asks them, read by all.';

create table fx_sources (
  id text not null,
  next_at timestamp with time zone not null,
  failures integer default 0 not null,
  asked_at timestamp with time zone,
  answered_at timestamp with time zone,
  fault text,
  constraint fx_sources_pkey PRIMARY KEY (id)
);
comment on table fx_sources is 'Owner: prices. What sources of exchange rates said last, and when they are asked again. One process asks, by the lease fx-rates.';

create table idempotency_keys (
  api_key_id text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  order_no text collate "C" not null,
  order_ref text collate "C" not null,
  leased_until timestamp with time zone not null,
  answer bytea,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (api_key_id, key)
) with (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
comment on table idempotency_keys is 'Owner: orders. One row an Idempotency-Key that is running or answered.';

create table installation (
  one boolean default true not null,
  id text not null,
  former_id text,
  asleep_since timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint installation_pkey PRIMARY KEY (one),
  constraint installation_one_check CHECK (one)
);
comment on table installation is 'Owner: platform. Which Florin this database is of. A copy that was restored for practice has a name of its own and sleeps: no process of it that sends or settles starts. A restore makes the table itself where its backup is older.';

create table intents_catalogue (
  one boolean default true not null,
  tokens json not null,
  fetched_at timestamp with time zone not null,
  constraint intents_catalogue_pkey PRIMARY KEY (one),
  constraint intents_catalogue_one_check CHECK (one)
);
comment on table intents_catalogue is 'Owner: rail-intents. The provider''s list of tokens, as last read: one row, shared by all processes, and there while the provider is away.';

create table intents_feed (
  one boolean default true not null,
  read_at timestamp with time zone not null,
  constraint intents_feed_pkey PRIMARY KEY (one),
  constraint intents_feed_one_check CHECK (one)
);
comment on table intents_feed is 'Owner: rail-intents. When the partner''s list of swaps was read last.';

create table intents_legs (
  ref text collate "C" not null,
  order_ref text collate "C" not null,
  livemode boolean not null,
  pay json not null,
  settle json not null,
  merchant_address text collate "C" not null,
  refund_address text collate "C" not null,
  address text collate "C" not null,
  memo text collate "C",
  opened json not null,
  reply json not null,
  created_at timestamp with time zone not null,
  pay_until timestamp with time zone not null,
  returns_from timestamp with time zone not null,
  watch_until timestamp with time zone not null,
  amount_due numeric not null,
  amount_least numeric not null,
  amount_out numeric not null,
  refund_fee numeric not null,
  fee_bps integer not null,
  settlement_id text collate "C",
  status text collate "C" default 'PENDING_DEPOSIT'::text not null,
  stage text collate "C" default 'waiting'::text not null,
  announced numeric,
  deposits integer default 0 not null,
  deposited numeric default 0 not null,
  gross numeric default 0 not null,
  returned numeric default 0 not null,
  failure text,
  claimed_at timestamp with time zone,
  proof_key text collate "C",
  alarms text[] default '{}'::text[] not null,
  looked_at timestamp with time zone,
  due_at timestamp with time zone,
  rank smallint default 2 not null,
  misses integer default 0 not null,
  hot_until timestamp with time zone,
  hint text collate "C",
  hinted text[] default '{}'::text[] not null,
  takes_unproven boolean default false not null,
  is_vouched boolean default false not null,
  place text collate "C",
  refund_id text collate "C",
  ended_at timestamp with time zone,
  is_proven boolean default false not null,
  constraint intents_legs_proof_key_key UNIQUE (proof_key),
  constraint intents_legs_pkey PRIMARY KEY (ref),
  constraint intents_legs_stage_check CHECK ((stage = ANY (ARRAY['waiting'::text, 'paid'::text, 'claimed'::text, 'done'::text, 'returned'::text, 'failed'::text])))
);
CREATE INDEX intents_legs_by_order ON intents_legs USING btree (order_ref);
CREATE UNIQUE INDEX intents_legs_by_place ON intents_legs USING btree (address, COALESCE(memo, ''::text));
CREATE INDEX intents_legs_by_rank ON intents_legs USING btree (rank, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX intents_legs_by_spelling ON intents_legs USING btree (place);
CREATE INDEX intents_legs_paid_back_at ON intents_legs USING btree (lower(refund_address));
CREATE INDEX intents_legs_to_bring ON intents_legs USING btree (lower(merchant_address)) WHERE ((due_at IS NOT NULL) AND (stage = ANY (ARRAY['waiting'::text, 'paid'::text, 'claimed'::text, 'failed'::text])));
comment on table intents_legs is 'Owner: rail-intents.';

create table intents_payout_costs (
  chain text collate "C" not null,
  asset text collate "C" not null,
  cost numeric not null,
  told_at timestamp with time zone not null,
  constraint intents_payout_costs_pkey PRIMARY KEY (chain, asset)
);
comment on table intents_payout_costs is 'Owner: rail-intents. What the provider takes for paying out an asset, as it said last: learned from quotes, and shared by all processes, so that estimates are of the whole price. In smallest units.';

create table intents_sick (
  chain text collate "C" not null,
  asset text collate "C" not null,
  side text collate "C" not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  note text not null,
  constraint intents_sick_pkey PRIMARY KEY (chain, asset, side),
  constraint intents_sick_side_check CHECK ((side = ANY (ARRAY['pay'::text, 'settle'::text])))
);
comment on table intents_sick is 'Owner: rail-intents. Ways that the provider refused lately; a row ends by itself.';

create table invoice_numbers (
  merchant_id text collate "C" not null,
  livemode boolean not null,
  last integer not null,
  constraint invoice_numbers_pkey PRIMARY KEY (merchant_id, livemode)
);
comment on table invoice_numbers is 'Owner: selling. The last number given out. It is raised in the transaction of its invoice, which holds the row until it commits: there is no gap, and no number twice.';

create table invoices (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  livemode boolean not null,
  token text collate "C" not null,
  number text not null,
  currency text not null,
  exponent integer not null,
  lines json not null,
  subtotal_minor bigint not null,
  tax_label text,
  tax_percent text,
  tax_minor bigint not null,
  total_minor bigint not null,
  due_date date not null,
  seller_details text,
  payer_email text,
  payer_name text,
  payer_details text,
  note text,
  external_id text,
  settle_chain text,
  settle_asset text,
  sent_count integer default 0 not null,
  last_sent_at timestamp with time zone,
  voided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  payer_locale text,
  state text default 'unpaid'::text not null,
  constraint invoice_number_once UNIQUE (merchant_id, livemode, number),
  constraint invoices_token_key UNIQUE (token),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_state_check CHECK ((state = ANY (ARRAY['unpaid'::text, 'processing'::text, 'paid'::text, 'void'::text]))),
  constraint invoices_subtotal_minor_check CHECK ((subtotal_minor >= 0)),
  constraint invoices_tax_minor_check CHECK ((tax_minor >= 0)),
  constraint invoices_total_minor_check CHECK ((total_minor > 0))
);
CREATE INDEX invoices_by_state ON invoices USING btree (merchant_id, livemode, state, id DESC);
CREATE INDEX invoices_of_merchant ON invoices USING btree (merchant_id, livemode, id DESC);
CREATE INDEX invoices_unpaid ON invoices USING btree (merchant_id, livemode, due_date, id) WHERE (state = 'unpaid'::text);
comment on table invoices is 'Owner: selling. Invoices. Nothing of one changes once it is made, but that it is mailed or void; whether it is paid is what its orders say.';

create table journal_troubles (
  host text collate "C" not null,
  folder text not null,
  failure text not null,
  since timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint journal_troubles_pkey PRIMARY KEY (host)
);
comment on table journal_troubles is 'Owner: operations/recovery. Which processes cannot write their journal now, for every process to say: no pay address is shown meanwhile.';

create table known_browsers (
  merchant_id text collate "C" not null,
  hash bytea not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint known_browser_once PRIMARY KEY (merchant_id, hash)
);
CREATE INDEX known_browsers_by_age ON known_browsers USING btree (last_seen_at);
comment on table known_browsers is 'Owner: identity. A browser that signed in, by the hash of a cookie that only the server reads.';

create table leases (
  name text collate "C" not null,
  holder text not null,
  token bigint not null,
  until timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
);
comment on table leases is 'Owner: platform. Who may do what only one process does at a time. The token grows with every change of hands, so a holder that slept through its lease is refused by the rows it would write.';

create table limits (
  scope text collate "C" not null,
  part timestamp with time zone not null,
  n integer not null,
  ends_at timestamp with time zone not null,
  constraint limits_pkey PRIMARY KEY (scope, part)
);
CREATE INDEX limits_by_end ON limits USING btree (ends_at);
comment on table limits is 'Owner: platform.';

create table login_codes (
  id text collate "C" not null,
  email text not null,
  client text not null,
  code_hash bytea not null,
  wrong_tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  asker text,
  is_long boolean default false not null,
  tries_max integer default 5 not null,
  stranger boolean default false not null,
  constraint login_codes_pkey PRIMARY KEY (id)
);
CREATE INDEX login_codes_by_age ON login_codes USING btree (created_at);
CREATE INDEX login_codes_of_client ON login_codes USING btree (client, created_at DESC);
CREATE INDEX login_codes_of_email ON login_codes USING btree (email, created_at DESC);
comment on table login_codes is 'Owner: identity. One row a code that was asked for, whether or not its email is known. Rows stay for an hour: the limits of contract.md 1 count them, so the limits hold on every replica and over restarts.';

create table login_wrong_tries (
  email text not null,
  tries integer not null,
  since timestamp with time zone not null,
  warned_at timestamp with time zone,
  constraint login_wrong_tries_pkey PRIMARY KEY (email)
);
CREATE INDEX login_wrong_tries_by_age ON login_wrong_tries USING btree (since);
comment on table login_wrong_tries is 'Owner: identity. Wrong tries of one email in the day that began with the first of them.';

create table mail_links (
  id text collate "C" not null,
  token_hash bytea not null,
  merchant_id text collate "C" not null,
  kind text not null,
  subject text not null,
  detail json not null,
  session_id text,
  browser bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mail_link_token_is_unique UNIQUE (token_hash),
  constraint mail_links_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_links_by_end ON mail_links USING btree (expires_at);
CREATE INDEX mail_links_of_session ON mail_links USING btree (session_id, id DESC);
comment on table mail_links is 'Owner: platform. One-click links in mails: the token is known to the mailbox alone.';

create table mail_notices (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  weight text not null,
  email text not null,
  key_id text,
  box bytea,
  created_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint mail_notices_pkey PRIMARY KEY (id),
  constraint mail_notices_weight_check CHECK ((weight = ANY (ARRAY['addresses'::text, 'matters'::text, 'refunds'::text, 'routine'::text])))
);
CREATE INDEX mail_notices_by_age ON mail_notices USING btree (created_at);
CREATE INDEX mail_notices_of_merchant ON mail_notices USING btree (merchant_id, weight, created_at DESC);
CREATE INDEX mail_notices_unmailed ON mail_notices USING btree (weight, created_at) WHERE (mailed_at IS NULL);
comment on table mail_notices is 'Owner: platform. What merchants are told: counted by weight, and gathered into digests beyond the caps. The text is sealed, since it holds links; it is empty once it was mailed.';

create table mail_outbox (
  id text collate "C" not null,
  key_id text not null,
  box bytea not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone not null,
  drop_after timestamp with time zone not null,
  created_at timestamp with time zone not null,
  turn smallint default 0 not null,
  constraint mail_outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_outbox_by_turn ON mail_outbox USING btree (turn, due_at);
comment on table mail_outbox is 'Owner: platform. Bodies are sealed: they can hold sign-in codes. A row is deleted once the SMTP server took it.';

create table mail_switches (
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  off_at timestamp with time zone not null,
  constraint mail_switches_pkey PRIMARY KEY (merchant_id, kind)
);
comment on table mail_switches is 'Owner: platform. What a merchant does not want to be mailed. No row: it is wanted.';

create table master_key_check (
  one boolean not null,
  key_id text not null,
  box bytea not null,
  constraint master_key_check_pkey PRIMARY KEY (one),
  constraint master_key_check_one_check CHECK (one)
);
comment on table master_key_check is 'Owner: platform.';

create table merchant_brands (
  merchant_id text collate "C" not null,
  public_id text collate "C" not null,
  accent text,
  support_email text,
  support_url text,
  logo bytea,
  logo_width integer,
  logo_height integer,
  icon bytea,
  card bytea not null,
  updated_at timestamp with time zone not null,
  mail_logo bytea,
  constraint merchant_brands_public_id_key UNIQUE (public_id),
  constraint merchant_brands_pkey PRIMARY KEY (merchant_id),
  constraint merchant_brands_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_brands_check CHECK ((((logo IS NULL) = (logo_width IS NULL)) AND ((logo IS NULL) = (logo_height IS NULL)) AND ((logo IS NULL) = (icon IS NULL))))
);
comment on table merchant_brands is 'Owner: identity.';

create table merchant_refunds (
  id text collate "C" not null,
  order_no text collate "C" not null,
  status text not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  amount numeric(78,0) not null,
  address text not null,
  reason text,
  tx_hash text,
  failure text,
  transfer_key text collate "C",
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  recorded_at timestamp with time zone,
  sender text,
  once_key text,
  once_body text,
  sent_from text,
  from_height bigint,
  constraint merchant_refunds_pkey PRIMARY KEY (id),
  constraint merchant_refunds_amount_check CHECK ((amount > (0)::numeric)),
  constraint merchant_refunds_sent_from_check CHECK ((sent_from = ANY (ARRAY['own'::text, 'word'::text]))),
  constraint merchant_refunds_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'recorded'::text, 'canceled'::text])))
);
CREATE INDEX merchant_refunds_awaited ON merchant_refunds USING btree (chain, address) WHERE (status = 'requested'::text);
CREATE INDEX merchant_refunds_by_address ON merchant_refunds USING btree (lower(address));
CREATE INDEX merchant_refunds_of_order ON merchant_refunds USING btree (order_no, id);
CREATE UNIQUE INDEX merchant_refunds_transfer_counts_once ON merchant_refunds USING btree (transfer_key) WHERE (transfer_key IS NOT NULL);
comment on table merchant_refunds is 'Owner: orders. Refunds that a merchant pays from an own wallet, of money that was settled. Asked for first; recorded once the transfer was found on the chain, final and as two providers tell it. They are no part of an order''s balance: that money is settled.';

create table merchants (
  id text collate "C" not null,
  no integer generated always as identity not null,
  email text not null,
  name text,
  default_settle_chain text,
  created_at timestamp with time zone not null,
  suspended_at timestamp with time zone,
  closed_at timestamp with time zone,
  time_zone text,
  constraint merchant_email_is_unique UNIQUE (email),
  constraint merchants_no_key UNIQUE (no),
  constraint merchants_pkey PRIMARY KEY (id)
);
comment on table merchants is 'Owner: identity.';

create table migrations (
  package text not null,
  number integer not null,
  name text not null,
  min_code integer not null,
  checksum text not null,
  run_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (package, number)
);
comment on table migrations is 'Owner: platform. The files that ran, with the SHA-256 of their text. The runner creates it.';

create table native_walks (
  chain text collate "C" not null,
  after text collate "C" not null,
  constraint native_walks_pkey PRIMARY KEY (chain)
);
comment on table native_walks is 'Owner: rail-evm. Native coins on a wrong chain. They leave no entry that could be looked for, so the addresses of other chains'' legs are read in parts, round and round. One row a chain: where the next part begins.';

create table order_events (
  id text collate "C" not null,
  order_no text collate "C" not null,
  merchant_id text collate "C" not null,
  api_key_id text collate "C",
  livemode boolean not null,
  event text,
  status text not null,
  status_detail text not null,
  version integer not null,
  body bytea,
  created_at timestamp with time zone not null,
  "position" bigint,
  constraint order_events_pkey PRIMARY KEY (id, created_at)
) partition by range (created_at);
CREATE INDEX order_events_by_position ON order_events USING btree (merchant_id, livemode, "position", event, created_at) WHERE ("position" IS NOT NULL);
CREATE INDEX order_events_of_order ON order_events USING btree (order_no, id);
CREATE CONSTRAINT TRIGGER order_events_arrive AFTER INSERT ON order_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new."position" IS NULL)) EXECUTE FUNCTION queue_for_position();
comment on table order_events is 'Owner: webhooks. The timeline, and the frozen bytes of every event. Partitioned by time: retention drops whole partitions. `xid` orders events by commit: a reader stops below pg_snapshot_xmin, so no later commit hides behind its cursor.';

create table order_lookup (
  merchant_no integer not null,
  livemode boolean not null,
  key text collate "C" not null,
  order_no text collate "C" not null,
  constraint order_lookup_pkey PRIMARY KEY (merchant_no, livemode, key, order_no)
);
comment on table order_lookup is 'Owner: orders.';

create table order_sum_changes (
  merchant_no integer not null,
  livemode boolean not null,
  at timestamp with time zone not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  exponent smallint not null,
  n integer not null,
  micros bigint not null,
  minor bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
CREATE INDEX order_sum_changes_of_merchant ON order_sum_changes USING btree (merchant_no, livemode, at);
comment on table order_sum_changes is 'Owner: sums.';

create table order_sums (
  merchant_no integer not null,
  livemode boolean not null,
  width text collate "C" not null,
  at timestamp with time zone not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  exponent smallint not null,
  n bigint not null,
  micros numeric not null,
  minor numeric not null,
  constraint order_sums_pkey PRIMARY KEY (merchant_no, livemode, width, at, kind, currency, exponent),
  constraint order_sums_width_check CHECK ((width = ANY (ARRAY['hour'::text, 'day'::text])))
);
CREATE INDEX order_sums_of_money ON order_sums USING btree (merchant_no, livemode, width, at) INCLUDE (kind, currency, exponent, n, micros, minor) WHERE (kind < 't'::text);
CREATE INDEX order_sums_of_times ON order_sums USING btree (merchant_no, livemode, width, at) INCLUDE (kind, n) WHERE (kind >= 't'::text);
comment on table order_sums is 'Owner: operations/reports.';

create table orders (
  order_no text collate "C" not null,
  order_ref text collate "C" not null,
  merchant_id text collate "C" not null,
  merchant_no integer not null,
  api_key_id text collate "C",
  livemode boolean not null,
  external_id text,
  status text not null,
  status_detail text not null,
  amount_usd_micros bigint not null,
  fee_bps integer not null,
  amount_out numeric(78,0),
  settle_chain text not null,
  settle_asset text not null,
  settle_contract text,
  settle_decimals integer not null,
  settle_address text not null,
  settle_tx_hash text,
  rail text not null,
  pay_leg_id text collate "C",
  checkout_token text collate "C" not null,
  webhook_url text,
  success_url text,
  cancel_url text,
  title text,
  description text,
  metadata json not null,
  underpay_tolerance_bps integer not null,
  late_policy text not null,
  canceled boolean default false not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  look_at timestamp with time zone,
  settled_at timestamp with time zone,
  open_target json,
  refund_proposed text,
  refund_asks integer default 0 not null,
  refund_asked_at timestamp with time zone,
  currency text default 'USD'::text not null,
  amount_minor bigint,
  exponent smallint,
  fx json,
  payment_link_id text collate "C",
  invoice_id text collate "C",
  quantity integer,
  payer_email text,
  payer_name text,
  payer_note text,
  success_text text,
  third_party boolean default false not null,
  payer_locale text,
  constraint orders_checkout_token_key UNIQUE (checkout_token),
  constraint orders_order_ref_key UNIQUE (order_ref),
  constraint orders_pkey PRIMARY KEY (order_no),
  constraint orders_amount_usd_micros_check CHECK ((amount_usd_micros > 0)),
  constraint orders_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
  constraint orders_fx CHECK ((((currency = 'USD'::text) = (amount_minor IS NULL)) AND ((amount_minor IS NULL) = (fx IS NULL)) AND ((amount_minor IS NULL) = (exponent IS NULL)) AND ((amount_minor IS NULL) OR (amount_minor > 0)))),
  constraint orders_late_policy_check CHECK ((late_policy = ANY (ARRAY['settle'::text, 'refund'::text]))),
  constraint orders_quantity_check CHECK ((quantity > 0)),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'success'::text, 'failed'::text, 'refunded'::text, 'expired'::text])))
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX orders_by_amount ON orders USING btree (merchant_id, livemode, amount_usd_micros, order_no DESC);
CREATE INDEX orders_by_chain ON orders USING btree (merchant_id, livemode, settle_chain, order_no DESC);
CREATE INDEX orders_by_currency ON orders USING btree (merchant_id, livemode, currency, order_no DESC) WHERE (currency <> 'USD'::text);
CREATE INDEX orders_by_external_id ON orders USING btree (merchant_id, livemode, external_id, order_no DESC) WHERE (external_id IS NOT NULL);
CREATE INDEX orders_by_settle_tx ON orders USING hash (lower(settle_tx_hash)) WHERE (settle_tx_hash IS NOT NULL);
CREATE INDEX orders_by_status ON orders USING btree (merchant_id, livemode, status, order_no DESC);
CREATE INDEX orders_by_tail ON orders USING hash ("right"(order_no, 6));
CREATE INDEX orders_currency_in_use ON orders USING btree (created_at) INCLUDE (currency) WHERE (currency <> 'USD'::text);
CREATE INDEX orders_listed ON orders USING btree (merchant_id, livemode, order_no DESC) INCLUDE (amount_usd_micros, currency);
CREATE INDEX orders_made ON orders USING btree (merchant_id, livemode, created_at) INCLUDE (amount_usd_micros, status, currency, exponent, amount_minor);
CREATE INDEX orders_of_invoice ON orders USING btree (invoice_id, order_no DESC) INCLUDE (status) WHERE (invoice_id IS NOT NULL);
CREATE INDEX orders_of_payment_link ON orders USING btree (payment_link_id, order_no DESC) INCLUDE (status, quantity) WHERE (payment_link_id IS NOT NULL);
CREATE INDEX orders_processing ON orders USING btree (created_at) WHERE (status = 'processing'::text);
CREATE INDEX orders_settled ON orders USING btree (merchant_id, livemode, settled_at) INCLUDE (amount_usd_micros, created_at, currency, exponent, amount_minor) WHERE (settled_at IS NOT NULL);
CREATE INDEX orders_taking ON orders USING btree (payment_link_id) INCLUDE (quantity) WHERE ((payment_link_id IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'processing'::text, 'success'::text, 'failed'::text])));
CREATE INDEX orders_to_look_at ON orders USING btree (look_at) WHERE (look_at IS NOT NULL);
comment on table orders is 'Owner: orders.';

create table page_starts (
  order_no text collate "C" not null,
  page text collate "C" not null,
  client text not null,
  created_at timestamp with time zone not null,
  constraint page_starts_pkey PRIMARY KEY (order_no)
);
CREATE INDEX page_starts_by_age ON page_starts USING btree (created_at);
CREATE INDEX page_starts_of_client ON page_starts USING btree (page, client);
comment on table page_starts is 'Owner: selling. Which client started which order: what one client may have open at once is bounded.';

create table pay_legs (
  id text collate "C" not null,
  order_no text collate "C" not null,
  n integer not null,
  ref text collate "C" not null,
  rail text not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  address text not null,
  memo text,
  uri text not null,
  amount_due numeric(78,0) not null,
  amount_out numeric(78,0) not null,
  dust numeric(78,0) not null,
  is_stable boolean not null,
  rate text not null,
  rate_source text not null,
  rate_expires_at timestamp with time zone not null,
  confirmations_required integer not null,
  bound_refund_address text,
  proof json,
  created_at timestamp with time zone not null,
  settle_chain text not null,
  settle_asset text not null,
  settle_contract text,
  settle_decimals integer not null,
  settle_address text not null,
  holder bytea,
  refund_address text,
  chosen_at timestamp with time zone,
  "least" numeric,
  expected_s integer,
  route json,
  constraint pay_legs_ref_key UNIQUE (ref),
  constraint pay_legs_pkey PRIMARY KEY (id),
  constraint pay_legs_amount_due_check CHECK ((amount_due > (0)::numeric))
);
CREATE INDEX pay_legs_at_address ON pay_legs USING hash (lower(address));
CREATE UNIQUE INDEX pay_legs_of_order ON pay_legs USING btree (order_no, n);
CREATE INDEX pay_legs_paid_back_at ON pay_legs USING btree (lower(COALESCE(bound_refund_address, refund_address))) WHERE (COALESCE(bound_refund_address, refund_address) IS NOT NULL);
comment on table pay_legs is 'Owner: orders. What a payer was shown: every leg ever shown stays watched, and money on it is judged at its own quote.';

create table payer_mail_stops (
  mailbox bytea not null,
  merchant_id text collate "C" not null,
  stopped_at timestamp with time zone not null,
  constraint payer_mail_stops_pkey PRIMARY KEY (mailbox, merchant_id)
);
comment on table payer_mail_stops is 'Owner: platform. Mailboxes that want no more: of one shop, or of any where merchant_id is empty.';

create table payer_mails (
  id bigint generated always as identity not null,
  mailbox bytea not null,
  merchant_id text collate "C" not null,
  is_invoice boolean not null,
  at timestamp with time zone not null,
  is_test boolean default false not null,
  constraint payer_mails_pkey PRIMARY KEY (id)
);
CREATE INDEX payer_mails_in_order ON payer_mails USING btree (at);
CREATE INDEX payer_mails_of_mailbox ON payer_mails USING btree (mailbox, at);
CREATE INDEX payer_mails_of_tests ON payer_mails USING btree (merchant_id, at) WHERE is_test;
comment on table payer_mails is 'Owner: platform. Mails to payers within the last day, to bound them for each mailbox over all shops. The mailbox is a keyed hash of its address: the rows tell nobody who was mailed.';

create table payment_links (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  livemode boolean not null,
  token text collate "C" not null,
  active boolean default true not null,
  title text not null,
  description text,
  currency text not null,
  exponent integer not null,
  amount_minor bigint,
  min_minor bigint,
  max_minor bigint,
  quantity_max integer not null,
  stock integer,
  ends_at timestamp with time zone,
  ask_email text not null,
  ask_name text not null,
  ask_note text not null,
  success_text text,
  success_url text,
  settle_chain text,
  settle_asset text,
  expires_in_s integer not null,
  external_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payment_links_token_key UNIQUE (token),
  constraint payment_links_pkey PRIMARY KEY (id),
  constraint payment_links_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payment_links_check CHECK ((max_minor >= min_minor)),
  constraint payment_links_min_minor_check CHECK ((min_minor > 0)),
  constraint payment_links_quantity_max_check CHECK ((quantity_max > 0)),
  constraint payment_links_stock_check CHECK ((stock >= 0))
);
CREATE INDEX payment_links_of_merchant ON payment_links USING btree (merchant_id, livemode, id DESC);
comment on table payment_links is 'Owner: selling. Pages that a payer starts an order from. What is left of a stock is never stored: it is what the orders of the link have not taken, counted under the lock of its row.';

create table payments (
  key text collate "C" not null,
  id text collate "C" not null,
  order_no text collate "C" not null,
  pay_leg_id text collate "C" not null,
  tx_hash text not null,
  output_index integer not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  amount numeric(78,0) not null,
  from_address text,
  height bigint,
  confirmations_required integer not null,
  status text not null,
  use text not null,
  seen_at timestamp with time zone not null,
  detected_at timestamp with time zone not null,
  fold text collate "C",
  transfers integer default 1 not null,
  floor numeric(78,0),
  left_at timestamp with time zone,
  mined_at timestamp with time zone,
  constraint payments_pkey PRIMARY KEY (key),
  constraint payments_amount_check CHECK ((amount > (0)::numeric)),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['unconfirmed'::text, 'detected'::text, 'confirmed'::text, 'orphaned'::text, 'dropped'::text]))),
  constraint payments_transfers_check CHECK ((transfers > 0)),
  constraint payments_use_check CHECK ((use = ANY (ARRAY['counted'::text, 'excess'::text, 'late'::text, 'wrong_asset'::text, 'wrong_chain'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, fillfactor=85);
CREATE INDEX payments_by_sender ON payments USING btree (lower(from_address)) WHERE (from_address IS NOT NULL);
CREATE INDEX payments_in_transaction ON payments USING hash (lower(tx_hash));
CREATE INDEX payments_of_order ON payments USING btree (order_no, id DESC);
comment on table payments is 'Owner: orders. One row a transfer that a rail saw. The key is the rail''s: it names block and position, so a transfer that a reorg moves is another row.';

create table price_settings (
  merchant_id text not null,
  default_currency text default 'USD'::text not null,
  display_currency text default 'USD'::text not null,
  spread_bps integer default 0 not null,
  updated_at timestamp with time zone not null,
  constraint price_settings_pkey PRIMARY KEY (merchant_id),
  constraint price_settings_spread_bps_check CHECK (((spread_bps >= 0) AND (spread_bps <= 1000)))
);
comment on table price_settings is 'Owner: prices. What a merchant chose. No row: dollars, official rates, nothing added.';

create table rail_facts (
  id bigint generated always as identity not null,
  rail text not null,
  order_ref text collate "C" not null,
  fact json not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  merchant_no integer default 0 not null,
  constraint rail_facts_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
CREATE INDEX rail_facts_by_merchant ON rail_facts USING btree (merchant_no, order_ref, due_at);
CREATE INDEX rail_facts_due ON rail_facts USING btree (due_at, id);
CREATE INDEX rail_facts_of_order ON rail_facts USING btree (order_ref, id);
comment on table rail_facts is 'Owner: rail-kit. What rails report: written by a rail in the transaction that recorded what it saw. orders/settle takes each through the one door exactly once and in its order''s order: the row is deleted in the transaction that applied it.';

create table receiving_accounts (
  id text collate "C" not null,
  chain text not null,
  network text not null,
  script text not null,
  descriptor text not null,
  fingerprint text,
  next_index bigint default 0 not null,
  seen_below bigint default 0 not null,
  wallet_limit integer default 20 not null,
  examined_at timestamp with time zone,
  merchant_id text collate "C" not null,
  created_at timestamp with time zone not null,
  depths jsonb,
  start_index bigint default 0 not null,
  found_below bigint default 0 not null,
  said_below bigint,
  told_by text[] default '{}'::text[] not null,
  history text default 'waiting'::text not null,
  read_top bigint,
  read_down_to bigint,
  wallet_marks text[],
  change_from text,
  change_to bigint default 0 not null,
  turn integer default 0 not null,
  derived_to bigint default 0 not null,
  constraint receiving_accounts_pkey PRIMARY KEY (id),
  constraint receiving_accounts_history_check CHECK ((history = ANY (ARRAY['waiting'::text, 'reading'::text, 'whole'::text, 'part'::text, 'none'::text])))
);
CREATE INDEX receiving_accounts_by_marks ON receiving_accounts USING gin (wallet_marks) WITH (fastupdate=off);
comment on table receiving_accounts is 'Owner: addresses. Accounts of merchants'' wallets: whoever sets the same one shares its counter, so no index is given out twice.';

create table receiving_address_history (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  chain text not null,
  address text,
  label text,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint receiving_address_history_pkey PRIMARY KEY (id)
);
CREATE INDEX receiving_address_history_by_address ON receiving_address_history USING btree (address);
CREATE INDEX receiving_address_history_of_merchant ON receiving_address_history USING btree (merchant_id, id DESC);
CREATE TRIGGER receiving_address_history_is_append_only BEFORE DELETE OR UPDATE ON receiving_address_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
comment on table receiving_address_history is 'Owner: addresses.';

create table receiving_addresses (
  merchant_id text collate "C" not null,
  chain text not null,
  address text not null,
  label text,
  updated_at timestamp with time zone not null,
  session_id text,
  constraint one_address_per_chain PRIMARY KEY (merchant_id, chain)
);
CREATE INDEX receiving_addresses_by_address ON receiving_addresses USING btree (address);
comment on table receiving_addresses is 'Owner: addresses.';

create table reconcile_rounds (
  one boolean default true not null,
  after text collate "C" not null,
  began_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  whole_since timestamp with time zone,
  unread_since timestamp with time zone,
  constraint reconcile_rounds_pkey PRIMARY KEY (one),
  constraint reconcile_rounds_one_check CHECK (one)
);
comment on table reconcile_rounds is 'Owner: orders. Rounds of the comparison of books and chain. A round compares every order of the last months once, in parts, by order number, and writes nothing about an order whose books agree with its addresses. `reconciliations` keeps only looks that are due: soon after an order closed or changed, once what closed it is final, and while a difference is open.';

create table recovery_seed (
  one boolean default true not null,
  seed_id text not null,
  key_id text not null,
  box bytea not null,
  created_at timestamp with time zone not null,
  exported_at timestamp with time zone,
  constraint recovery_seed_pkey PRIMARY KEY (one),
  constraint recovery_seed_one_check CHECK (one)
);
comment on table recovery_seed is 'Owner: operations/recovery. One row. `seed_id` names the seed without giving anything of it away; the journal''s files carry it too.';

create table refunds (
  id text collate "C" not null,
  order_no text collate "C" not null,
  pay_leg_id text collate "C" not null,
  status text not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  amount numeric(78,0) not null,
  address text,
  tx_hash text,
  reason text not null,
  failure text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  handed_over_at timestamp with time zone,
  hand_over_at timestamp with time zone not null,
  signed_by text,
  left_at timestamp with time zone,
  parts jsonb,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_amount_check CHECK ((amount > (0)::numeric)),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'proposed'::text, 'sending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_by_address ON refunds USING btree (lower(address)) WHERE (address IS NOT NULL);
CREATE INDEX refunds_of_order ON refunds USING btree (order_no, id);
CREATE INDEX refunds_to_hand_over ON refunds USING btree (hand_over_at) WHERE ((handed_over_at IS NULL) AND (status = 'sending'::text));
CREATE INDEX refunds_under_way ON refunds USING btree (order_no) WHERE (status = ANY (ARRAY['sending'::text, 'proposed'::text]));
comment on table refunds is 'Owner: orders.';

create table relay_attempts (
  hash text collate "C" not null,
  chain text not null,
  signer text not null,
  nonce bigint not null,
  raw text not null,
  max_fee numeric(78,0) not null,
  tip numeric(78,0) not null,
  created_at timestamp with time zone not null,
  constraint relay_attempts_pkey PRIMARY KEY (hash)
);
CREATE INDEX relay_attempts_of_row ON relay_attempts USING btree (chain, signer, nonce, created_at);
comment on table relay_attempts is 'Owner: rail-evm. Every signed form of a transaction: any of them may be the one that is mined.';

create table relay_items (
  id text collate "C" not null,
  kind text not null,
  chain text not null,
  order_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  token text,
  amount numeric(78,0) not null,
  fee_bps integer not null,
  to_address text,
  state text not null,
  proposal_id text,
  failures integer default 0 not null,
  failure text,
  not_before timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  in_turn boolean default false not null,
  apart integer default 0 not null,
  burnt integer default 0 not null,
  is_account boolean,
  constraint relay_items_pkey PRIMARY KEY (id),
  constraint relay_items_amount_check CHECK ((amount > (0)::numeric)),
  constraint relay_items_kind_check CHECK ((kind = ANY (ARRAY['settle'::text, 'refund_bound'::text, 'refund_announced'::text]))),
  constraint relay_items_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX relay_items_apart ON relay_items USING btree (chain, updated_at) WHERE (apart > 1);
CREATE INDEX relay_items_burnt ON relay_items USING btree (chain, updated_at) WHERE (burnt > 0);
CREATE UNIQUE INDEX relay_items_one_refund ON relay_items USING btree (leg_ref, chain, COALESCE(token, ''::text), to_address) WHERE (in_turn AND (kind <> 'settle'::text) AND (state = ANY (ARRAY['waiting'::text, 'sent'::text])));
CREATE INDEX relay_items_open_by_leg ON relay_items USING btree (leg_ref) WHERE (state = ANY (ARRAY['waiting'::text, 'sent'::text]));
CREATE INDEX relay_items_waiting ON relay_items USING btree (chain, not_before) WHERE (state = 'waiting'::text);
comment on table relay_items is 'Owner: rail-evm. One row a settlement or refund that an order asked for. The id is the order''s own row id.';

create table relay_outbox (
  chain text not null,
  signer text not null,
  nonce bigint not null,
  state text not null,
  purpose text not null,
  item_ids text[] not null,
  to_address text not null,
  data text not null,
  gas bigint not null,
  sent_height bigint not null,
  sent_at timestamp with time zone not null,
  mined_hash text,
  mined_height bigint,
  lost_looks integer default 0 not null,
  created_at timestamp with time zone not null,
  first_height bigint,
  is_overdue boolean default false not null,
  cost numeric(78,0),
  constraint relay_outbox_pkey PRIMARY KEY (chain, signer, nonce),
  constraint relay_outbox_purpose_check CHECK ((purpose = ANY (ARRAY['settle'::text, 'refund_bound'::text, 'propose'::text, 'execute'::text]))),
  constraint relay_outbox_state_check CHECK ((state = ANY (ARRAY['open'::text, 'mined'::text, 'done'::text, 'lost'::text])))
);
CREATE INDEX relay_outbox_costs ON relay_outbox USING btree (chain, signer, sent_at) INCLUDE (cost) WHERE (cost IS NOT NULL);
CREATE INDEX relay_outbox_live ON relay_outbox USING btree (chain, signer, nonce) WHERE (state = ANY (ARRAY['open'::text, 'mined'::text]));
comment on table relay_outbox is 'Owner: rail-evm. open: not mined yet; mined: in a block that may still go; done: final; lost: another transaction took its number.';

create table relay_signers (
  chain text not null,
  signer text not null,
  trouble text,
  balance numeric(78,0),
  looked_at timestamp with time zone not null,
  role text not null,
  trouble_kind text,
  trouble_since timestamp with time zone,
  constraint relay_signers_pkey PRIMARY KEY (chain, signer),
  constraint relay_signers_role_check CHECK ((role = ANY (ARRAY['relayer'::text, 'refunder'::text])))
);
comment on table relay_signers is 'Owner: rail-evm. How each key fares, for people: any process can tell it, also one that sends nothing.';

create table route_troubles (
  rail text collate "C" not null,
  livemode boolean not null,
  chain text collate "C" not null,
  asset text collate "C" not null,
  side text collate "C" not null,
  source text collate "C" not null,
  state text collate "C" not null,
  note text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint route_troubles_pkey PRIMARY KEY (rail, livemode, chain, asset, side, source),
  constraint route_troubles_side_check CHECK ((side = ANY (ARRAY['any'::text, 'pay'::text, 'settle'::text]))),
  constraint route_troubles_source_check CHECK ((source = ANY (ARRAY['health'::text, 'opening'::text]))),
  constraint route_troubles_state_check CHECK ((state = ANY (ARRAY['slow'::text, 'down'::text])))
);
comment on table route_troubles is 'Owner: rail-kit. Ways that are out (`down`) or late (`slow`). Empty texts mean all of it. Rows are renewed while the trouble lasts and end by themselves: no process has to be there for a way to come back.';

create table sandbox_legs (
  ref text collate "C" not null,
  order_ref text collate "C" not null,
  chain text not null,
  asset text not null,
  contract text,
  decimals integer not null,
  amount_due numeric(78,0) not null,
  amount_out numeric(78,0) not null,
  opened json not null,
  created_at timestamp with time zone not null,
  constraint sandbox_legs_pkey PRIMARY KEY (ref)
);
CREATE INDEX sandbox_legs_of_order ON sandbox_legs USING btree (order_ref);
comment on table sandbox_legs is 'Owner: rail-kit.';

create table sandbox_outflows (
  id bigint generated always as identity not null,
  order_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  chain text not null,
  contract text,
  amount numeric(78,0) not null,
  constraint sandbox_outflows_pkey PRIMARY KEY (id)
);
CREATE INDEX sandbox_outflows_of_leg ON sandbox_outflows USING btree (leg_ref);
comment on table sandbox_outflows is 'Owner: rail-kit.';

create table sandbox_refunds (
  id text collate "C" not null,
  order_ref text collate "C" not null,
  status text not null,
  leg_ref text collate "C" not null,
  asset json not null,
  amount numeric(78,0) not null,
  constraint sandbox_refunds_pkey PRIMARY KEY (id),
  constraint sandbox_refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text])))
);
CREATE INDEX sandbox_refunds_of_order ON sandbox_refunds USING btree (order_ref, id);
comment on table sandbox_refunds is 'Owner: rail-kit.';

create table sandbox_settlements (
  id text collate "C" not null,
  order_ref text collate "C" not null,
  leg_ref text collate "C" not null,
  gross numeric(78,0) not null,
  fee_bps integer not null,
  status text not null,
  constraint sandbox_settlements_pkey PRIMARY KEY (id),
  constraint sandbox_settlements_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'final'::text, 'failed'::text])))
);
CREATE INDEX sandbox_settlements_of_order ON sandbox_settlements USING btree (order_ref, id);
comment on table sandbox_settlements is 'Owner: rail-kit.';

create table sandbox_transfers (
  order_ref text collate "C" not null,
  n integer not null,
  leg_ref text collate "C" not null,
  amount numeric(78,0) not null,
  status text not null,
  asset json,
  constraint sandbox_transfers_pkey PRIMARY KEY (order_ref, n),
  constraint sandbox_transfers_status_check CHECK ((status = ANY (ARRAY['detected'::text, 'confirmed'::text, 'orphaned'::text])))
);
comment on table sandbox_transfers is 'Owner: rail-kit.';

create table sessions (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  user_agent text,
  ip text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  wrong_confirmations integer default 0 not null,
  constraint sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_by_end ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_merchant ON sessions USING btree (merchant_id, id DESC);
comment on table sessions is 'Owner: identity.';

create table settlements (
  id text collate "C" not null,
  order_no text collate "C" not null,
  pay_leg_id text collate "C" not null,
  status text not null,
  gross numeric(78,0) not null,
  fee_bps integer not null,
  fee numeric(78,0),
  amount_out numeric(78,0),
  tx_hash text,
  failure text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  handed_over_at timestamp with time zone,
  hand_over_at timestamp with time zone not null,
  left_at timestamp with time zone,
  hold text,
  is_released boolean default false not null,
  proven boolean,
  constraint settlements_pkey PRIMARY KEY (id),
  constraint settlements_gross_check CHECK ((gross > (0)::numeric)),
  constraint settlements_status_check CHECK ((status = ANY (ARRAY['wanted'::text, 'broadcast'::text, 'final'::text, 'failed'::text])))
) with (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX settlements_left ON settlements USING btree (order_no) WHERE (left_at IS NOT NULL);
CREATE INDEX settlements_of_order ON settlements USING btree (order_no, id);
CREATE INDEX settlements_to_hand_over ON settlements USING btree (hand_over_at) WHERE ((handed_over_at IS NULL) AND (status = 'wanted'::text));
CREATE INDEX settlements_under_way ON settlements USING btree (order_no) WHERE (status = ANY (ARRAY['wanted'::text, 'broadcast'::text]));
comment on table settlements is 'Owner: orders. One row a settlement that was asked of a rail; `final` only when the chain''s rule says so.';

create table tasks (
  kind text collate "C" not null,
  owner text collate "C" default ''::text not null,
  subject text collate "C" not null,
  run_at timestamp with time zone,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  fence integer default 0 not null,
  payload jsonb default '{}'::jsonb not null,
  constraint tasks_pkey PRIMARY KEY (kind, owner, subject)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
CREATE INDEX tasks_due ON tasks USING btree (kind, run_at) WHERE (run_at IS NOT NULL);
comment on table tasks is 'Owner: platform. Owner: platform. Work that is due at a time, once: "do `kind` for `subject` at `run_at`". A claim moves `run_at` to the end of its lease, so that a task of a worker that died becomes due again.';

create table third_party_chains (
  merchant_id text collate "C" not null,
  chain text collate "C" not null,
  livemode boolean not null,
  is_on boolean not null,
  takes_unproven boolean not null,
  updated_at timestamp with time zone not null,
  effective_at timestamp with time zone,
  until_on boolean,
  until_unproven boolean,
  session_id text collate "C",
  constraint third_party_chains_pkey PRIMARY KEY (merchant_id, chain, livemode),
  constraint third_party_waits_whole CHECK ((((effective_at IS NULL) = (until_on IS NULL)) AND ((effective_at IS NULL) = (until_unproven IS NULL))))
);
comment on table third_party_chains is 'Owner: addresses. Which legs of an order a merchant takes through a third party, by the chain that it settles on; by default only test orders.';

create table traces (
  subject text collate "C" not null,
  traceparent text not null,
  created_at timestamp with time zone not null,
  constraint traces_pkey PRIMARY KEY (subject)
);
CREATE INDEX traces_by_age ON traces USING btree (created_at);
comment on table traces is 'Owner: platform. Which trace what is done about an order belongs to, where traces are wanted: it outlives the request that began it.';

create table unreadable_tokens (
  chain text collate "C" not null,
  contract text collate "C" not null,
  why text not null,
  since timestamp with time zone not null,
  asked_at timestamp with time zone,
  constraint unreadable_tokens_pkey PRIMARY KEY (chain, contract)
);
comment on table unreadable_tokens is 'Owner: rail-evm. Tokens of the rails file (otherTokens) that do not answer as tokens do: left out of what is read, and said. asked_at: when one was asked last; null where only its decimals are others than the file says, and it is read all the same.';

create table utxo_announced (
  chain text not null,
  txid text not null,
  first_seen timestamp with time zone not null,
  constraint utxo_announced_pkey PRIMARY KEY (chain, txid)
);
CREATE INDEX utxo_announced_by_time ON utxo_announced USING btree (first_seen);
comment on table utxo_announced is 'Owner: rail-utxo. When a transaction to a watched address that no order has was first announced: what was there before it was asked for is no refund.';

create table utxo_blocks (
  chain text not null,
  height bigint not null,
  hash text not null,
  "time" timestamp with time zone not null,
  bits bigint not null,
  constraint utxo_blocks_pkey PRIMARY KEY (chain, height)
);
comment on table utxo_blocks is 'Owner: rail-utxo.';

create table utxo_cursors (
  chain text not null,
  genesis text not null,
  livemode boolean not null,
  height bigint not null,
  hash text not null,
  head bigint not null,
  note text,
  caught_up_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint utxo_cursors_pkey PRIMARY KEY (chain)
);
comment on table utxo_cursors is 'Owner: rail-utxo. How far each chain was read. One row a chain; its holder of the lease moves it.';

create table utxo_held (
  refund_id text not null,
  chain text not null,
  txid text not null,
  vout integer not null,
  height bigint not null,
  amount numeric(78,0) not null,
  is_own boolean not null,
  made_by timestamp with time zone not null,
  looked_at timestamp with time zone not null,
  constraint utxo_held_pkey PRIMARY KEY (refund_id, txid, vout)
);
CREATE INDEX utxo_held_by_chain ON utxo_held USING btree (chain, looked_at);
comment on table utxo_held is 'Owner: rail-utxo. Outputs that fulfil a refund unless they are a swap''s payout: which they are is known when that swap has ended.';

create table utxo_legs (
  ref text not null,
  order_ref text not null,
  chain text not null,
  livemode boolean not null,
  script text not null,
  address text not null,
  account text,
  index bigint,
  asset text not null,
  amount_due numeric(78,0) not null,
  opened json not null,
  depth integer not null,
  deadline timestamp with time zone not null,
  late_after timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint utxo_legs_pkey PRIMARY KEY (ref),
  constraint utxo_legs_amount_due_check CHECK ((amount_due > (0)::numeric)),
  constraint utxo_legs_depth_check CHECK ((depth > 0))
);
CREATE INDEX utxo_legs_by_order ON utxo_legs USING btree (order_ref);
CREATE INDEX utxo_legs_by_script ON utxo_legs USING btree (chain, script, created_at);
comment on table utxo_legs is 'Owner: rail-utxo.';

create table utxo_outputs (
  chain text not null,
  block_hash text not null,
  txid text not null,
  vout integer not null,
  leg_ref text not null,
  order_ref text not null,
  script text not null,
  amount numeric(78,0) not null,
  height bigint not null,
  kind text not null,
  seen_at timestamp with time zone not null,
  state text not null,
  key text not null,
  created_at timestamp with time zone not null,
  constraint utxo_outputs_pkey PRIMARY KEY (chain, block_hash, txid, vout),
  constraint utxo_outputs_amount_check CHECK ((amount > (0)::numeric)),
  constraint utxo_outputs_kind_check CHECK ((kind = ANY (ARRAY['plain'::text, 'coinbase'::text, 'peg_out'::text]))),
  constraint utxo_outputs_state_check CHECK ((state = ANY (ARRAY['seen'::text, 'confirmed'::text, 'orphaned'::text])))
);
CREATE INDEX utxo_outputs_by_coin ON utxo_outputs USING btree (txid, vout);
CREATE INDEX utxo_outputs_by_height ON utxo_outputs USING btree (chain, height);
CREATE INDEX utxo_outputs_by_leg ON utxo_outputs USING btree (leg_ref);
CREATE INDEX utxo_outputs_by_order ON utxo_outputs USING btree (order_ref);
CREATE INDEX utxo_outputs_unconfirmed ON utxo_outputs USING btree (chain, height) WHERE (state = 'seen'::text);
comment on table utxo_outputs is 'Owner: rail-utxo.';

create table utxo_pool (
  chain text not null,
  txid text not null,
  vout integer not null,
  leg_ref text not null,
  order_ref text not null,
  script text not null,
  amount numeric(78,0) not null,
  inputs text[] not null,
  raw text,
  is_mweb boolean not null,
  fee_rate numeric(20,3),
  ancestors integer,
  state text not null,
  rival text,
  first_seen timestamp with time zone not null,
  constraint utxo_pool_pkey PRIMARY KEY (chain, txid, vout),
  constraint utxo_pool_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'mined'::text, 'gone'::text])))
);
CREATE INDEX utxo_pool_by_order ON utxo_pool USING btree (order_ref);
CREATE INDEX utxo_pool_waiting ON utxo_pool USING btree (chain) WHERE (state = 'waiting'::text);
comment on table utxo_pool is 'Owner: rail-utxo. Announced payments of ours, with what is needed to find out what became of them.';

create table utxo_refunds (
  id text not null,
  order_ref text not null,
  leg_ref text not null,
  chain text not null,
  script text not null,
  amount numeric(78,0) not null,
  asked_from bigint not null,
  state text not null,
  tx_hash text,
  vout integer,
  height bigint,
  created_at timestamp with time zone not null,
  draft_psbt text,
  draft_fee numeric(78,0),
  draft_inputs text[],
  spent_by text,
  spent_height bigint,
  spent_pays boolean,
  constraint utxo_refunds_pkey PRIMARY KEY (id),
  constraint utxo_refunds_amount_check CHECK ((amount > (0)::numeric)),
  constraint utxo_refunds_draft_fee_check CHECK ((draft_fee >= (0)::numeric)),
  constraint utxo_refunds_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'done'::text])))
);
CREATE INDEX utxo_refunds_asked ON utxo_refunds USING btree (chain, script) WHERE (state = 'asked'::text);
CREATE INDEX utxo_refunds_by_height ON utxo_refunds USING btree (chain, height) WHERE (state = 'done'::text);
CREATE INDEX utxo_refunds_by_leg ON utxo_refunds USING btree (leg_ref);
CREATE INDEX utxo_refunds_by_output ON utxo_refunds USING btree (chain, tx_hash, vout) WHERE (tx_hash IS NOT NULL);
CREATE INDEX utxo_refunds_drawn ON utxo_refunds USING btree (chain) WHERE (draft_inputs IS NOT NULL);
comment on table utxo_refunds is 'Owner: rail-utxo. Refunds that the merchant''s wallet makes. An output of the chain fulfils one of them.';

create table utxo_scripts (
  chain text not null,
  script text not null,
  watch_until timestamp with time zone not null,
  xid xid8 default pg_current_xact_id() not null,
  constraint utxo_scripts_pkey PRIMARY KEY (chain, script)
);
CREATE INDEX utxo_scripts_new ON utxo_scripts USING btree (chain, xid);
comment on table utxo_scripts is 'Owner: rail-utxo. Scripts that are looked for: of pay addresses and of refunds. xid: what commits while others read is not missed.';

create table utxo_settlements (
  id text not null,
  order_ref text not null,
  leg_ref text not null,
  chain text not null,
  gross numeric(78,0) not null,
  fee_bps integer not null,
  fee_owed numeric(78,0) not null,
  tx_hash text,
  state text not null,
  created_at timestamp with time zone not null,
  asked numeric(78,0),
  "least" numeric(78,0),
  constraint utxo_settlements_pkey PRIMARY KEY (id),
  constraint utxo_settlements_asked_check CHECK ((asked > (0)::numeric)),
  constraint utxo_settlements_fee_owed_check CHECK ((fee_owed >= (0)::numeric)),
  constraint utxo_settlements_gross_check CHECK ((gross > (0)::numeric)),
  constraint utxo_settlements_least_check CHECK (("least" > (0)::numeric)),
  constraint utxo_settlements_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'final'::text])))
);
CREATE INDEX utxo_settlements_by_leg ON utxo_settlements USING btree (leg_ref);
CREATE INDEX utxo_settlements_owed ON utxo_settlements USING btree (created_at) WHERE (fee_owed > (0)::numeric);
CREATE INDEX utxo_settlements_waiting ON utxo_settlements USING btree (chain) WHERE (state = 'waiting'::text);
comment on table utxo_settlements is 'Owner: rail-utxo. Money that counts as settled: it was the merchant''s own from the first block on. The fee is owed, never taken.';

create table waiting_addresses (
  merchant_id text collate "C" not null,
  chain text not null,
  address text,
  label text,
  session_id text,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  effective_at timestamp with time zone not null,
  constraint one_waiting_address_per_chain PRIMARY KEY (merchant_id, chain)
);
CREATE INDEX waiting_addresses_by_address ON waiting_addresses USING btree (address);
CREATE INDEX waiting_addresses_due ON waiting_addresses USING btree (effective_at);
comment on table waiting_addresses is 'Owner: addresses. A change that live orders follow from effective_at on; test orders follow it at once.';

create table webhook_endpoints (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  merchant_no integer not null,
  livemode boolean not null,
  url text not null,
  lane bigint not null,
  description text,
  events text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  disabled_by text,
  failing_since timestamp with time zone,
  deleted_at timestamp with time zone,
  once_key text,
  once_body text,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_disabled_by_check CHECK ((disabled_by = ANY (ARRAY['merchant'::text, 'failures'::text])))
);
CREATE INDEX webhook_endpoints_of_merchant ON webhook_endpoints USING btree (merchant_no, livemode, id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoints_once ON webhook_endpoints USING btree (once_key) WHERE (once_key IS NOT NULL);
comment on table webhook_endpoints is 'Owner: webhooks. Receivers that a merchant registers once for the account and a mode, beside the webhook_url of an order.';

create table webhook_secrets (
  id text collate "C" not null,
  api_key_id text collate "C",
  key_id text not null,
  box bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  endpoint_id text collate "C",
  constraint webhook_secrets_pkey PRIMARY KEY (id),
  constraint webhook_secrets_one_owner CHECK ((num_nonnulls(api_key_id, endpoint_id) = 1))
);
CREATE UNIQUE INDEX webhook_secret_one_current ON webhook_secrets USING btree (api_key_id) WHERE (expires_at IS NULL);
CREATE INDEX webhook_secrets_of_endpoint ON webhook_secrets USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX webhook_secrets_of_key ON webhook_secrets USING btree (api_key_id, expires_at DESC, id DESC);
comment on table webhook_secrets is 'Owner: identity. Sealed under the master key. Newest first in the signature header; at most two are live: the current one, whose end is null, and during an overlap the one before it.';

create table weekly_mails (
  merchant_id text collate "C" not null,
  week date not null,
  constraint weekly_mails_pkey PRIMARY KEY (merchant_id, week)
);
comment on table weekly_mails is 'Owner: operations/reports. Who was written of which week.';

create view current_addresses as
 SELECT merchant_id,
    chain,
    address
   FROM receiving_addresses;
comment on view current_addresses is 'Owner: addresses. Where merchants receive now.';

create view delivery_summaries as
 SELECT id,
    merchant_no,
    livemode,
    order_no,
    event,
    status,
    created_at,
    xid
   FROM deliveries;
comment on view delivery_summaries is 'Owner: webhooks. Status of deliveries, for figures and the stream of changes.';

create view delivery_totals as
 SELECT 'events'::text AS what,
    (count(*))::text AS total
   FROM order_events
UNION ALL
 SELECT ('deliveries '::text || deliveries.status) AS what,
    (count(*))::text AS total
   FROM deliveries
  GROUP BY deliveries.status;
comment on view delivery_totals is 'Owner: webhooks. Events, and deliveries by status.';

create view merchant_accounts as
 SELECT id,
    no,
    email,
    time_zone,
    suspended_at,
    closed_at
   FROM merchants;
comment on view merchant_accounts is 'Owner: identity. Accounts of merchants, for joins.';

create view order_starters as
 SELECT order_no,
    client
   FROM page_starts;
comment on view order_starters is 'Owner: selling. The client that started an order from a page.';

create view order_summaries as
 SELECT order_no,
    order_ref,
    merchant_id,
    merchant_no,
    livemode,
    status,
    currency,
    exponent,
    amount_minor,
    amount_usd_micros,
    payment_link_id,
    invoice_id,
    quantity,
    checkout_token,
    created_at,
    updated_at,
    settled_at
   FROM orders;
comment on view order_summaries is 'Owner: orders. Status, amounts and references of orders, for figures, pages that sell, addresses and rails.';

create view order_totals as
 SELECT 'orders'::text AS what,
    (count(*))::text AS total
   FROM orders
UNION ALL
 SELECT ('orders '::text || orders.status) AS what,
    (count(*))::text AS total
   FROM orders
  GROUP BY orders.status
UNION ALL
 SELECT concat_ws(' '::text, 'paid', payments.chain, payments.asset, payments.contract, payments.status, payments.use) AS what,
    (sum(payments.amount))::text AS total
   FROM payments
  GROUP BY payments.chain, payments.asset, payments.contract, payments.status, payments.use
UNION ALL
 SELECT concat_ws(' '::text, 'settled', o.settle_chain, o.settle_asset, s.status) AS what,
    (sum(s.gross))::text AS total
   FROM (settlements s
     JOIN orders o USING (order_no))
  GROUP BY o.settle_chain, o.settle_asset, s.status
UNION ALL
 SELECT concat_ws(' '::text, 'refunded', refunds.chain, refunds.asset, refunds.contract, refunds.status) AS what,
    (sum(refunds.amount))::text AS total
   FROM refunds
  GROUP BY refunds.chain, refunds.asset, refunds.contract, refunds.status;
comment on view order_totals is 'Owner: orders. Orders by status, and money by asset and state.';

create view refund_summaries as
 SELECT id,
    order_no,
    status
   FROM refunds;
comment on view refund_summaries is 'Owner: orders. Status of refunds, for items that ask about them.';

alter table account_addresses add constraint account_addresses_account_id_fkey FOREIGN KEY (account_id) REFERENCES receiving_accounts(id);
alter table account_addresses add constraint account_addresses_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table account_assignments add constraint account_assignments_account_id_fkey FOREIGN KEY (account_id) REFERENCES receiving_accounts(id);
alter table account_change add constraint account_change_account_id_fkey FOREIGN KEY (account_id) REFERENCES receiving_accounts(id);
alter table api_key_hashes add constraint api_key_hashes_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id);
alter table api_keys add constraint api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table attention add constraint attention_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table attention add constraint attention_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table book_differences add constraint book_differences_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table book_differences add constraint book_differences_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table confirmation_codes add constraint confirmation_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table email_changes add constraint email_changes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table folded_payments add constraint folded_payments_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table forwarder_observations add constraint forwarder_observations_leg_ref_fkey FOREIGN KEY (leg_ref) REFERENCES forwarder_vaults(leg_ref);
alter table invoice_numbers add constraint invoice_numbers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table invoices add constraint invoices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table known_browsers add constraint known_browsers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table mail_links add constraint mail_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table mail_notices add constraint mail_notices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table mail_switches add constraint mail_switches_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table merchant_brands add constraint merchant_brands_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table merchant_refunds add constraint merchant_refunds_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table orders add constraint orders_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id);
alter table orders add constraint orders_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table pay_legs add constraint pay_legs_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table payer_mails add constraint payer_mails_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table payment_links add constraint payment_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table payments add constraint payments_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table price_settings add constraint price_settings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table receiving_accounts add constraint receiving_accounts_set_by_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table receiving_address_history add constraint receiving_address_history_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table receiving_addresses add constraint receiving_addresses_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table refunds add constraint refunds_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table relay_attempts add constraint relay_attempts_chain_signer_nonce_fkey FOREIGN KEY (chain, signer, nonce) REFERENCES relay_outbox(chain, signer, nonce);
alter table sandbox_outflows add constraint sandbox_outflows_leg_ref_fkey FOREIGN KEY (leg_ref) REFERENCES sandbox_legs(ref);
alter table sandbox_settlements add constraint sandbox_settlements_leg_ref_fkey FOREIGN KEY (leg_ref) REFERENCES sandbox_legs(ref);
alter table sandbox_transfers add constraint sandbox_transfers_leg_ref_fkey FOREIGN KEY (leg_ref) REFERENCES sandbox_legs(ref);
alter table sessions add constraint sessions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table settlements add constraint settlements_order_no_fkey FOREIGN KEY (order_no) REFERENCES orders(order_no);
alter table third_party_chains add constraint third_party_chains_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table utxo_held add constraint utxo_held_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES utxo_refunds(id) ON DELETE CASCADE;
alter table waiting_addresses add constraint waiting_addresses_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table webhook_endpoints add constraint webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
alter table webhook_secrets add constraint webhook_secrets_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id);
alter table webhook_secrets add constraint webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);
alter table weekly_mails add constraint weekly_mails_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
