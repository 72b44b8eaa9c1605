-- Tables of the server, by feature.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create function metadata_key(key text, value text) returns text language sql immutable parallel safe as $$
  select 'm' || encode(substr(sha256(convert_to(length(key) || ':' || key || value, 'UTF8')), 1, 9), 'base64')
$$;

-- Letters of all languages, whatever the database was made for. What it was made with here stays: words that are stored
-- and words that are looked for are cut by the same function.
do $do$
declare
  letters text := coalesce(
    (select quote_ident(collname) from pg_collation
     where collname in ('pg_c_utf8', 'und-x-icu') and collencoding in (-1, pg_char_to_encoding('UTF8'))
     order by collname limit 1), '"default"');
begin
  execute format($make$
    create function order_words(title text, external_id text) returns text[] language sql immutable parallel safe as $body$
      select array(
        select left(word, 32)
        from unnest(regexp_split_to_array(lower(normalize(concat_ws(' ', title,
          case when length(external_id) <= 24 then external_id end), nfkc) collate %1$s), '[^[:alnum:]]+' collate %1$s))
          with ordinality as each (word, n)
        where word <> '' group by left(word, 32) order by min(n) limit 24)
    $body$ $make$, letters);
end $do$;

create function order_keys(title text, external_id text, metadata json) returns setof text language sql stable parallel safe as $$
  select 'w' || word from unnest(order_words(title, external_id)) word
  union all
  select metadata_key(each.key, each.value) from json_each_text(metadata) each
$$;

create function pay_time_step(made timestamptz, settled timestamptz) returns int language sql immutable parallel safe as $$
  select case
    when abs(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8)
      - round(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8))) < 1e-6
    then floor(16 * log(2, 1 + greatest(0, extract(epoch from settled - made)))::numeric)::int
    else floor(16 * ln((1 + greatest(0, extract(epoch from settled - made)))::float8) / ln(2::float8))::int
  end
$$;
comment on function pay_time_step is
  'The logarithm of a numeric takes 15 µs: a third of reading statistics, and of what settling an order writes. A float is the same '
  'but where it lies so near to a whole number that its last digits decide; there the exact one is taken, so sums stay what they '
  'are.';

create function order_sums_of(status text, created_at timestamptz, settled_at timestamptz, micros bigint, minor bigint) returns table(at timestamptz, kind text, n int, micros bigint, minor bigint) language sql immutable parallel safe as $$
  select date_trunc('hour', created_at, 'UTC'), status, 1, $4, coalesce($5, 0)
  union all
  select date_trunc('hour', settled_at, 'UTC'), 'settled', 1, $4, coalesce($5, 0) where settled_at is not null
  union all
  select date_trunc('hour', settled_at, 'UTC'), 't' || pay_time_step(created_at, settled_at), 1, 0, 0 where settled_at is not null
$$;
comment on function order_sums_of is 'What one order adds to the sums of statistics.';

create function queue_for_position() returns trigger language plpgsql as $$
begin
  insert into event_arrivals (event_id, event_created_at) values (new.id, new.created_at);
  return null;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create function stamp_xid() returns trigger language plpgsql as $$
begin
  new.xid := pg_current_xact_id();
  return new;
end $$;
comment on function stamp_xid is
  'Deliveries and attention change in place, so each row says which transaction changed it last, whoever the writer was.';

-- Addresses

create table receiving_accounts (
  id           text collate "C" primary key,
  chain        text not null,
  network      text not null,
  script       text not null,
  descriptor   text not null,
  fingerprint  text,
  next_index   bigint not null default 0,
  seen_below   bigint not null default 0,
  wallet_limit int not null default 20,
  examined_at  timestamptz,
  merchant_id  text collate "C" not null,
  created_at   timestamptz not null,
  depths       jsonb,
  start_index  bigint not null default 0,
  found_below  bigint not null default 0,
  said_below   bigint,
  told_by      text[] not null default '{}'::text[],
  history      text not null default 'waiting' check (history in ('waiting', 'reading', 'whole', 'part', 'none')),
  read_top     bigint,
  read_down_to bigint,
  wallet_marks text[],
  change_from  text,
  change_to    bigint not null default 0,
  turn         int not null default 0,
  derived_to   bigint not null default 0
);
comment on table receiving_accounts is
  'Owner: addresses. Accounts of merchants'' wallets: whoever sets the same one shares its counter, so no index is given out twice.';
comment on column receiving_accounts.id is 'made of the identity, so every process makes the same one';
comment on column receiving_accounts.fingerprint is 'of the wallet''s top key; null: the text did not show it';
comment on column receiving_accounts.next_index is 'the lowest index that was never given out';
comment on column receiving_accounts.seen_below is 'one above the highest index that the chain has seen paid';
comment on column receiving_accounts.wallet_limit is 'how many unused addresses in a row the merchant''s wallet looks at';
comment on column receiving_accounts.examined_at is 'when the chain was asked which indexes were used before; null: it has to be asked first';
comment on column receiving_accounts.depths is
  'How deep payments to an account have to be, by amount, as whoever set it first says: [{belowUsd, blocks}], the last without a '
  'bound. null: as the operator''s rails file says, which is also the least.';
comment on column receiving_accounts.start_index is
  'where the counter began: behind the address that was given to compare, or behind what the wallet''s file says';
comment on column receiving_accounts.found_below is 'one above the highest index that coins or blocks showed used';
comment on column receiving_accounts.said_below is 'one above the last index that the merchant says was used; null: it was not said';
comment on column receiving_accounts.told_by is 'who told: wallet_address, export, unspent, blocks, merchant';
comment on column receiving_accounts.history is
  'how far blocks were read backwards for it: whole (to the first), part (to the last that could be read), none';
comment on column receiving_accounts.read_top is 'from which block down, and the lowest that was read';
comment on column receiving_accounts.wallet_marks is
  'Marks of the keys that the account''s text shows; null: written before this was kept, a job adds them.';
comment on column receiving_accounts.change_from is
  'The text that shows where the wallet''s change goes, whoever set it: not every text of an account does. And how far that was '
  'derived.';
comment on column receiving_accounts.turn is 'how often it went to another merchant: a signature counts for one turn';
comment on column receiving_accounts.derived_to is 'addresses are derived ahead up to here';
create index receiving_accounts_by_marks on receiving_accounts using gin (wallet_marks) with (fastupdate=off);

create table account_addresses (
  account_id  text collate "C" not null references receiving_accounts (id),
  index       bigint not null,
  script      text not null,
  order_ref   text collate "C",
  assigned_at timestamptz,
  seen_at     timestamptz,
  is_paid     boolean not null default false,
  merchant_id text collate "C",
  by_stranger boolean not null default false,
  constraint one_address_per_index primary key (account_id, index)
);
comment on table account_addresses is 'Owner: addresses. Derived addresses: a look-ahead above the counter, and all that was given out.';
comment on column account_addresses.script is 'in hexadecimal';
comment on column account_addresses.order_ref is 'the order that it was given to last; null: to none';
comment on column account_addresses.is_paid is
  'In a block of the chain as it stands. seen_at stays: what was ever announced or paid is given to no other order.';
comment on column account_addresses.merchant_id is 'whose order it was given to last';
comment on column account_addresses.by_stranger is 'a payer started that order, not the merchant''s server';
create index account_addresses_by_script on account_addresses (script);
create index account_addresses_unseen on account_addresses (account_id, assigned_at) where seen_at is null and order_ref is not null;
comment on index account_addresses_by_script is 'A payment to an address that no order was given is found by its script.';
comment on index account_addresses_unseen is 'The oldest that was never paid, where one has to be given out again.';

create table account_assignments (
  account_id  text collate "C" not null references receiving_accounts (id),
  order_ref   text collate "C" not null,
  index       bigint not null,
  assigned_at timestamptz not null,
  constraint one_index_per_order primary key (account_id, order_ref)
);
comment on table account_assignments is
  'Owner: addresses. Which index an order has: asked again, the same one, also after the index was given to another.';

create table account_change (
  account_id text collate "C" not null references receiving_accounts (id),
  index      bigint not null,
  script     text not null,
  constraint one_change_per_index primary key (account_id, index)
);
comment on table account_change is 'Owner: addresses.';
create index account_change_by_script on account_change (script);

create table receiving_address_history (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null,
  chain       text not null,
  address     text,
  label       text,
  changed_by  text not null,
  changed_at  timestamptz not null
);
comment on table receiving_address_history is 'Owner: addresses.';
comment on column receiving_address_history.address is 'null: the address was removed';
create index receiving_address_history_by_address on receiving_address_history (address);
create index receiving_address_history_of_merchant on receiving_address_history (merchant_id, id desc);
create trigger receiving_address_history_is_append_only before delete or update on receiving_address_history for each row execute function refuse_change();

create table receiving_addresses (
  merchant_id text collate "C" not null,
  chain       text not null,
  address     text not null,
  label       text,
  updated_at  timestamptz not null,
  session_id  text,
  constraint one_address_per_chain primary key (merchant_id, chain)
);
comment on table receiving_addresses is 'Owner: addresses.';
comment on column receiving_addresses.session_id is 'Who set what is in effect: an undo puts back what was before this session''s changes.';
create index receiving_addresses_by_address on receiving_addresses (address);

create table third_party_chains (
  merchant_id    text collate "C" not null,
  chain          text collate "C" not null,
  livemode       boolean not null,
  is_on          boolean not null,
  takes_unproven boolean not null,
  updated_at     timestamptz not null,
  effective_at   timestamptz,
  until_on       boolean,
  until_unproven boolean,
  session_id     text collate "C",
  primary key (merchant_id, chain, livemode),
  constraint third_party_waits_whole check (((effective_at is null) = (until_on is null)) and ((effective_at is null) = (until_unproven is null)))
);
comment on table third_party_chains is
  'Owner: addresses. Which legs of an order a merchant takes through a third party, by the chain that it settles on; by default only '
  'test orders.';
comment on column third_party_chains.takes_unproven is 'A payout that nobody but the provider tells of counts as made.';

create table waiting_addresses (
  merchant_id  text collate "C" not null,
  chain        text not null,
  address      text,
  label        text,
  session_id   text,
  asked_by     text not null,
  asked_at     timestamptz not null,
  effective_at timestamptz not null,
  constraint one_waiting_address_per_chain primary key (merchant_id, chain)
);
comment on table waiting_addresses is 'Owner: addresses. A change that live orders follow from effective_at on; test orders follow it at once.';
comment on column waiting_addresses.address is 'null: the address is taken away';
create index waiting_addresses_by_address on waiting_addresses (address);
create index waiting_addresses_due on waiting_addresses (effective_at);
comment on index waiting_addresses_by_address is
  'all customers of an exchange pay from one address and are paid back at one: a tree keeps those together.';

-- Identity

create table login_codes (
  id          text collate "C" primary key,
  email       text not null,
  client      text not null,
  code_hash   bytea not null,
  wrong_tries int not null default 0,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  closed_at   timestamptz,
  asker       text,
  is_long     boolean not null default false,
  tries_max   int not null default 5,
  stranger    boolean not null default false
);
comment on table login_codes is
  'Owner: identity. One row a code that was asked for, whether or not its email is known. Rows stay for an hour: the limits of '
  'contract.md 1 count them, so the limits hold on every replica and over restarts.';
comment on column login_codes.client is 'The address that asked; the /64 of an IPv6 one.';
comment on column login_codes.code_hash is 'Keyed with the master key: a plain hash of six digits is undone in a moment.';
comment on column login_codes.closed_at is 'Used, voided by wrong tries or pushed out by newer codes.';
comment on column login_codes.is_long is 'Twelve characters instead of six digits: nothing that can be guessed.';
comment on column login_codes.tries_max is 'How many wrong tries it bears; a code of six digits gets what the email''s day has left.';
comment on column login_codes.stranger is 'The email is nobody''s here yet.';
create index login_codes_by_age on login_codes (created_at);
create index login_codes_of_client on login_codes (client, created_at desc);
create index login_codes_of_email on login_codes (email, created_at desc);

create table login_wrong_tries (
  email     text primary key,
  tries     int not null,
  since     timestamptz not null,
  warned_at timestamptz
);
comment on table login_wrong_tries is 'Owner: identity. Wrong tries of one email in the day that began with the first of them.';
create index login_wrong_tries_by_age on login_wrong_tries (since);

create table merchants (
  id                   text collate "C" primary key,
  no                   int generated always as identity unique,
  email                text not null,
  name                 text,
  default_settle_chain text,
  created_at           timestamptz not null,
  suspended_at         timestamptz,
  closed_at            timestamptz,
  time_zone            text,
  constraint merchant_email_is_unique unique (email)
);
comment on table merchants is 'Owner: identity.';
comment on column merchants.no is 'The tenant of webhook fairness: a small integer sorts and compares fast in the queue''s indexes.';
comment on column merchants.time_zone is
  'The IANA time zone that a merchant''s days are of, such as Europe/Berlin. Set by the merchant, or by the console at its first '
  'visit to the browser''s; null: never set, days are of UTC.';

alter table mail_links add constraint mail_links_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table mail_notices add constraint mail_notices_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table mail_switches add constraint mail_switches_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table payer_mails add constraint payer_mails_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table receiving_accounts add constraint receiving_accounts_set_by_fkey foreign key (merchant_id) references merchants(id);

alter table account_addresses add constraint account_addresses_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table receiving_address_history add constraint receiving_address_history_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table receiving_addresses add constraint receiving_addresses_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table third_party_chains add constraint third_party_chains_merchant_id_fkey foreign key (merchant_id) references merchants(id);

alter table waiting_addresses add constraint waiting_addresses_merchant_id_fkey foreign key (merchant_id) references merchants(id);

create table api_keys (
  id               text collate "C" primary key,
  merchant_id      text collate "C" not null references merchants (id),
  livemode         boolean not null,
  name             text not null,
  prefix           text not null,
  last4            text not null,
  scopes           text[] not null,
  fee_bps          int not null check ((fee_bps >= 0) and (fee_bps <= 10000)),
  created_at       timestamptz not null,
  expires_at       timestamptz,
  last_used_at     timestamptz,
  revoked_at       timestamptz,
  shown_to_session text
);
comment on table api_keys is 'Owner: identity.';
comment on column api_keys.shown_to_session is 'The session that was shown the key: it made or last rotated it. Null: made before this was kept.';
create index api_keys_of_merchant on api_keys (merchant_id, id desc);

create table api_key_hashes (
  hash       bytea primary key,
  api_key_id text collate "C" not null references api_keys (id),
  created_at timestamptz not null,
  expires_at timestamptz
);
comment on table api_key_hashes is 'Owner: identity.';
comment on column api_key_hashes.expires_at is 'null: the current one';
create unique index api_key_hash_one_current on api_key_hashes (api_key_id) where expires_at is null;
create index api_key_hashes_of_key on api_key_hashes (api_key_id);

create table email_changes (
  id              text collate "C" primary key,
  merchant_id     text collate "C" not null references merchants (id),
  old_email       text not null,
  new_email       text not null,
  asked_by        text not null,
  by_operator     boolean not null,
  old_approved_at timestamptz,
  new_approved_at timestamptz,
  effective_at    timestamptz,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  outcome         text,
  ended_at        timestamptz
);
comment on table email_changes is 'Owner: identity.';
comment on column email_changes.asked_by is 'the merchant''s email, or operator:<email> where the old mailbox is lost';
comment on column email_changes.effective_at is 'null until the mailboxes have said yes';
comment on column email_changes.outcome is 'done, canceled, taken (the new email belongs to somebody else by then) or lapsed';
create unique index email_change_one_open on email_changes (merchant_id) where ended_at is null;
create index email_changes_due on email_changes (coalesce(effective_at, expires_at)) where ended_at is null;
create index email_changes_of_merchant on email_changes (merchant_id, id desc);

create table known_browsers (
  merchant_id   text collate "C" not null references merchants (id),
  hash          bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  constraint known_browser_once primary key (merchant_id, hash)
);
comment on table known_browsers is 'Owner: identity. A browser that signed in, by the hash of a cookie that only the server reads.';
create index known_browsers_by_age on known_browsers (last_seen_at);

create table merchant_brands (
  merchant_id   text collate "C" primary key references merchants (id),
  public_id     text collate "C" not null unique,
  accent        text check (accent ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_url   text,
  logo          bytea,
  logo_width    int,
  logo_height   int,
  icon          bytea,
  card          bytea not null,
  updated_at    timestamptz not null,
  mail_logo     bytea,
  constraint merchant_brands_check check (((logo is null) = (logo_width is null)) and ((logo is null) = (logo_height is null)) and ((logo is null) = (icon is null)))
);
comment on table merchant_brands is 'Owner: identity.';
comment on column merchant_brands.public_id is
  'names the pictures in their addresses; another one with each change, so that they can be cached for ever';
comment on column merchant_brands.logo is 'PNG that we encoded; what was uploaded is not kept';

create table sessions (
  id                  text collate "C" primary key,
  merchant_id         text collate "C" not null references merchants (id),
  user_agent          text,
  ip                  text,
  created_at          timestamptz not null,
  last_seen_at        timestamptz not null,
  expires_at          timestamptz not null,
  revoked_at          timestamptz,
  confirmed_at        timestamptz,
  wrong_confirmations int not null default 0
);
comment on table sessions is 'Owner: identity.';
create index sessions_by_end on sessions (expires_at);
create index sessions_of_merchant on sessions (merchant_id, id desc);

create table confirmation_codes (
  id          text collate "C" primary key,
  session_id  text collate "C" not null references sessions (id) on delete cascade,
  code_hash   bytea not null,
  wrong_tries int not null default 0,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  closed_at   timestamptz
);
comment on table confirmation_codes is 'Owner: identity.';
create index confirmation_codes_by_age on confirmation_codes (created_at);
create index confirmation_codes_of_session on confirmation_codes (session_id, created_at desc);

create table webhook_secrets (
  id          text collate "C" primary key,
  api_key_id  text collate "C" references api_keys (id),
  key_id      text not null,
  box         bytea not null,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  endpoint_id text collate "C",
  constraint webhook_secrets_one_owner check (num_nonnulls(api_key_id, endpoint_id) = 1)
);
comment on table webhook_secrets is
  'Owner: identity. Sealed under the master key. Newest first in the signature header; at most two are live: the current one, whose '
  'end is null, and during an overlap the one before it.';
create unique index webhook_secret_one_current on webhook_secrets (api_key_id) where expires_at is null;
create index webhook_secrets_of_endpoint on webhook_secrets (endpoint_id) where endpoint_id is not null;
create index webhook_secrets_of_key on webhook_secrets (api_key_id, expires_at desc, id desc);

-- Attention

create table attention (
  id          text collate "C" primary key,
  merchant_id text collate "C" references merchants (id),
  livemode    boolean not null,
  order_no    text collate "C",
  kind        text not null,
  cause       text not null,
  evidence    json not null,
  actions     text[] not null,
  created_at  timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  resolution  text,
  xid         xid8 not null default pg_current_xact_id(),
  constraint attention_is_about_somebody check ((merchant_id is not null) or (order_no is null))
);
comment on table attention is 'Owner: operations/attention. What a person must decide: evidence and the actions that fit.';
comment on column attention.cause is 'One open item a cause.';
create index attention_in_commit_order on attention (xid);
create index attention_of_all on attention (livemode, id desc);
create index attention_of_merchant on attention (merchant_id, livemode, id desc);
create index attention_of_order on attention (order_no, id desc) where resolved_at is null;
create index attention_open on attention (merchant_id, livemode, id desc) where resolved_at is null;
create unique index attention_open_once on attention (cause) where resolved_at is null;
comment on index attention_of_all is 'What operators see: the items of all merchants, and how many of a merchant''s wait.';
create trigger attention_says_who_changed_it before update on attention for each row execute function stamp_xid();

-- Orders

create table idempotency_keys (
  api_key_id   text collate "C" not null,
  key          text collate "C" not null,
  body_hash    bytea not null,
  order_no     text collate "C" not null,
  order_ref    text collate "C" not null,
  leased_until timestamptz not null,
  answer       bytea,
  created_at   timestamptz not null,
  primary key (api_key_id, key)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table idempotency_keys is 'Owner: orders. One row an Idempotency-Key that is running or answered.';
comment on column idempotency_keys.answer is 'null while in flight';
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table order_lookup (
  merchant_no int not null,
  livemode    boolean not null,
  key         text collate "C" not null,
  order_no    text collate "C" not null,
  primary key (merchant_no, livemode, key, order_no)
);
comment on table order_lookup is 'Owner: orders.';
comment on column order_lookup.key is
  '''w'' and a word; ''m'' and a hash of a key and value of the metadata; ''early'': the number is older than its order.';

create table orders (
  order_no               text collate "C" primary key,
  order_ref              text collate "C" not null unique,
  merchant_id            text collate "C" not null references merchants (id),
  merchant_no            int not null,
  api_key_id             text collate "C" references api_keys (id),
  livemode               boolean not null,
  external_id            text,
  status                 text not null check (status in ('pending', 'processing', 'success', 'failed', 'refunded', 'expired')),
  status_detail          text not null,
  amount_usd_micros      bigint not null check (amount_usd_micros > 0),
  fee_bps                int not null check ((fee_bps >= 0) and (fee_bps <= 10000)),
  amount_out             numeric(78, 0),
  settle_chain           text not null,
  settle_asset           text not null,
  settle_contract        text,
  settle_decimals        int not null,
  settle_address         text not null,
  settle_tx_hash         text,
  rail                   text not null,
  pay_leg_id             text collate "C",
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
  look_at                timestamptz,
  settled_at             timestamptz,
  open_target            json,
  refund_proposed        text,
  refund_asks            int not null default 0,
  refund_asked_at        timestamptz,
  currency               text not null default 'USD',
  amount_minor           bigint,
  exponent               smallint,
  fx                     json,
  payment_link_id        text collate "C",
  invoice_id             text collate "C",
  quantity               int check (quantity > 0),
  payer_email            text,
  payer_name             text,
  payer_note             text,
  success_text           text,
  third_party            boolean not null default false,
  payer_locale           text,
  constraint orders_fx check (((currency = 'USD') = (amount_minor is null)) and ((amount_minor is null) = (fx is null)) and ((amount_minor is null) = (exponent is null)) and (amount_minor is null or amount_minor > 0))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
comment on table orders is 'Owner: orders.';
comment on column orders.order_ref is 'Server-made randomness that rails know the order by; never chosen by a merchant or a payer.';
comment on column orders.look_at is 'When the clock has to look at this order again, or until when somebody is looking; null: never by itself.';
comment on column orders.open_target is
  'null: the target was fixed when the order was made. Else what it is open to: {settle, settleAddress: the default; asset: the '
  'symbol asked for or null; addresses: receiving address by chain}.';
comment on column orders.payment_link_id is 'The link or the invoice whose page a payer started from.';
comment on column orders.quantity is 'How many of what a link sells.';
comment on column orders.payer_email is
  'What the payer or the merchant said of the payer. A stranger''s text: shown to the merchant, mailed to nobody.';
comment on column orders.success_text is 'The merchant''s words on the page of a paid order.';
comment on column orders.third_party is 'Whether rails of a third party may carry this order: the merchant''s setting when it was made.';
comment on column orders.payer_locale is
  'The locale that the payer''s browser asks for, or that the merchant named: mails to the payer are in its language.';
create index orders_by_amount on orders (merchant_id, livemode, amount_usd_micros, order_no desc);
create index orders_by_chain on orders (merchant_id, livemode, settle_chain, order_no desc);
create index orders_by_currency on orders (merchant_id, livemode, currency, order_no desc) where currency <> 'USD';
create index orders_by_external_id on orders (merchant_id, livemode, external_id, order_no desc) where external_id is not null;
create index orders_by_settle_tx on orders using hash (lower(settle_tx_hash)) where settle_tx_hash is not null;
create index orders_by_status on orders (merchant_id, livemode, status, order_no desc);
create index orders_by_tail on orders using hash ("right"(order_no, 6));
create index orders_currency_in_use on orders (created_at) include (currency) where currency <> 'USD';
create index orders_listed on orders (merchant_id, livemode, order_no desc) include (amount_usd_micros, currency);
create index orders_made on orders (merchant_id, livemode, created_at) include (amount_usd_micros, status, currency, exponent, amount_minor);
create index orders_of_invoice on orders (invoice_id, order_no desc) include (status) where invoice_id is not null;
create index orders_of_payment_link on orders (payment_link_id, order_no desc) include (status, quantity) where payment_link_id is not null;
create index orders_processing on orders (created_at) where status = 'processing';
create index orders_settled on orders (merchant_id, livemode, settled_at) include (amount_usd_micros, created_at, currency, exponent, amount_minor) where settled_at is not null;
create index orders_taking on orders (payment_link_id) include (quantity) where payment_link_id is not null and (status in ('pending', 'processing', 'success', 'failed'));
create index orders_to_look_at on orders (look_at) where look_at is not null;
comment on index orders_currency_in_use is 'Which currencies are in use lately: only those are worth telling an operator about.';
comment on index orders_listed is 'What other filters are checked by beside the number, without the row.';
comment on index orders_made is 'with what an order was asked for in other currencies: its row was looked at for that.';
comment on index orders_of_payment_link is
  'What is taken of a link''s stock is the sum over these rows: no counter that could drift from the orders.';
comment on index orders_taking is 'What is taken of a stock: a sum over this index alone, however many orders of the link have lapsed.';

alter table attention add constraint attention_order_no_fkey foreign key (order_no) references orders(order_no);

create table book_differences (
  id          text collate "C" primary key,
  order_no    text collate "C" not null references orders (order_no),
  merchant_id text collate "C" not null references merchants (id),
  livemode    boolean not null,
  pay_leg_id  text collate "C" not null,
  chain       text not null,
  asset       text not null,
  contract    text,
  decimals    int not null,
  booked      numeric(78, 0) not null,
  found       numeric(78, 0) not null,
  height      bigint,
  seen_at     timestamptz not null,
  told_at     timestamptz,
  resolved_at timestamptz
);
comment on table book_differences is
  'Owner: orders. One row a difference between the books and the chain, of one asset of one leg. People hear of it when it was seen '
  'at two final blocks.';
comment on column book_differences.booked is 'received - settled - fee - refunded, and what the chain says. Either may be the larger one.';
comment on column book_differences.height is 'The block at which it was first seen as it is; null where a rail has none.';
create index book_differences_of_all on book_differences (livemode, id desc) where told_at is not null;
create index book_differences_of_merchant on book_differences (merchant_id, livemode, id desc) where told_at is not null;
create unique index book_differences_open_once on book_differences (pay_leg_id, chain, coalesce(lower(contract), '')) where resolved_at is null;

create table folded_payments (
  key          text collate "C" primary key,
  order_no     text collate "C" not null references orders (order_no),
  fold         text collate "C" not null,
  tx_hash      text not null,
  output_index int not null,
  amount       numeric(78, 0) not null check (amount > (0)::numeric),
  from_address text,
  height       bigint,
  status       text not null check (status in ('unconfirmed', 'detected', 'confirmed', 'orphaned', 'dropped')),
  seen_at      timestamptz not null
);
comment on table folded_payments is 'Owner: orders.';
create index folded_payments_by_tx_hash on folded_payments (lower(tx_hash));

create table merchant_refunds (
  id           text collate "C" primary key,
  order_no     text collate "C" not null references orders (order_no),
  status       text not null check (status in ('requested', 'recorded', 'canceled')),
  chain        text not null,
  asset        text not null,
  contract     text,
  decimals     int not null,
  amount       numeric(78, 0) not null check (amount > (0)::numeric),
  address      text not null,
  reason       text,
  tx_hash      text,
  failure      text,
  transfer_key text collate "C",
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  recorded_at  timestamptz,
  sender       text,
  once_key     text,
  once_body    text,
  sent_from    text check (sent_from in ('own', 'word')),
  from_height  bigint
);
comment on table merchant_refunds is
  'Owner: orders. Refunds that a merchant pays from an own wallet, of money that was settled. Asked for first; recorded once the '
  'transfer was found on the chain, final and as two providers tell it. They are no part of an order''s balance: that money is '
  'settled.';
comment on column merchant_refunds.tx_hash is 'The transaction that the merchant named, or that was found.';
comment on column merchant_refunds.failure is 'Why the transaction that was named last does not count.';
comment on column merchant_refunds.transfer_key is 'The transfer that it was recorded for: each one counts once.';
comment on column merchant_refunds.sender is
  'Where the transfer came from that a refund by the merchant was recorded for: shown to merchant and payer.';
comment on column merchant_refunds.once_key is
  'An Idempotency-Key of a call that makes one of these (contract.md 4.1), as hashes of the key and of the body it came with.';
comment on column merchant_refunds.sent_from is
  'Who says that a merchant paid a refund from an own wallet: the chain, by coins of the receiving address or account, or the '
  'merchant alone. null: recorded before it was told apart, or not recorded.';
comment on column merchant_refunds.from_height is 'The first block whose transfers count; null: asked for before this was kept.';
create index merchant_refunds_awaited on merchant_refunds (chain, address) where status = 'requested';
create index merchant_refunds_by_address on merchant_refunds (lower(address));
create index merchant_refunds_of_order on merchant_refunds (order_no, id);
create unique index merchant_refunds_transfer_counts_once on merchant_refunds (transfer_key) where transfer_key is not null;

create table pay_legs (
  id                     text collate "C" primary key,
  order_no               text collate "C" not null references orders (order_no),
  n                      int not null,
  ref                    text collate "C" not null unique,
  rail                   text not null,
  chain                  text not null,
  asset                  text not null,
  contract               text,
  decimals               int not null,
  address                text not null,
  memo                   text,
  uri                    text not null,
  amount_due             numeric(78, 0) not null check (amount_due > (0)::numeric),
  amount_out             numeric(78, 0) not null,
  dust                   numeric(78, 0) not null,
  is_stable              boolean not null,
  rate                   text not null,
  rate_source            text not null,
  rate_expires_at        timestamptz not null,
  confirmations_required int not null,
  bound_refund_address   text,
  proof                  json,
  created_at             timestamptz not null,
  settle_chain           text not null,
  settle_asset           text not null,
  settle_contract        text,
  settle_decimals        int not null,
  settle_address         text not null,
  holder                 bytea,
  refund_address         text,
  chosen_at              timestamptz,
  least                  numeric,
  expected_s             int,
  route                  json
);
comment on table pay_legs is
  'Owner: orders. What a payer was shown: every leg ever shown stays watched, and money on it is judged at its own quote.';
comment on column pay_legs.n is '1, 2, … in the order they were shown; with the order''s reference it makes the rail''s reference.';
comment on column pay_legs.amount_out is 'What the merchant''s address gets when exactly amount_due is paid, after the fee.';
comment on column pay_legs.dust is 'An excess up to this is not worth sending back: it goes to the merchant with the settlement.';
comment on column pay_legs.bound_refund_address is 'The refund address that the rail bound into this leg, or null.';
comment on column pay_legs.proof is 'All that a stranger needs to recompute the address and push the money without us, or null.';
comment on column pay_legs.chosen_at is 'When it was chosen last; null: when it was opened.';
comment on column pay_legs.least is 'What must arrive at least where a rail judges it, and the seconds it expects to take.';
comment on column pay_legs.route is
  'Why this rail carries the leg and others do not, as it was when it was opened; null: opened before there was a choice.';
create index pay_legs_at_address on pay_legs using hash (lower(address));
create unique index pay_legs_of_order on pay_legs (order_no, n);
create index pay_legs_paid_back_at on pay_legs (lower(coalesce(bound_refund_address, refund_address))) where coalesce(bound_refund_address, refund_address) is not null;
comment on index pay_legs_at_address is 'a tree of texts did: half the bytes, and two pages to look at instead of four.';

create table payments (
  key                    text collate "C" primary key,
  id                     text collate "C" not null,
  order_no               text collate "C" not null references orders (order_no),
  pay_leg_id             text collate "C" not null,
  tx_hash                text not null,
  output_index           int not null,
  chain                  text not null,
  asset                  text not null,
  contract               text,
  decimals               int not null,
  amount                 numeric(78, 0) not null check (amount > (0)::numeric),
  from_address           text,
  height                 bigint,
  confirmations_required int not null,
  status                 text not null check (status in ('unconfirmed', 'detected', 'confirmed', 'orphaned', 'dropped')),
  use                    text not null check (use in ('counted', 'excess', 'late', 'wrong_asset', 'wrong_chain')),
  seen_at                timestamptz not null,
  detected_at            timestamptz not null,
  fold                   text collate "C",
  transfers              int not null default 1 check (transfers > 0),
  floor                  numeric(78, 0),
  left_at                timestamptz,
  mined_at               timestamptz
) with (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 85);
comment on table payments is
  'Owner: orders. One row a transfer that a rail saw. The key is the rail''s: it names block and position, so a transfer that a reorg '
  'moves is another row.';
comment on column payments.seen_at is 'The block''s time: what decides between on time and late.';
comment on column payments.left_at is
  'A payment whose block left the chain after its money was passed on: it counts until other money of its order stands in its place.';
comment on column payments.mined_at is 'The time of the block that a payment is in; null: in none yet, or which one is not known.';
create index payments_by_sender on payments (lower(from_address)) where from_address is not null;
create index payments_in_transaction on payments using hash (lower(tx_hash));
create index payments_of_order on payments (order_no, id desc);

create table reconcile_rounds (
  one          boolean default true primary key check (one),
  after        text collate "C" not null,
  began_at     timestamptz not null,
  due_at       timestamptz not null,
  whole_since  timestamptz,
  unread_since timestamptz
);
comment on table reconcile_rounds is
  'Owner: orders. Rounds of the comparison of books and chain. A round compares every order of the last months once, in parts, by '
  'order number, and writes nothing about an order whose books agree with its addresses. `reconciliations` keeps only looks that are '
  'due: soon after an order closed or changed, once what closed it is final, and while a difference is open.';
comment on column reconcile_rounds.after is 'The order up to which this round has compared; empty between two rounds.';
comment on column reconcile_rounds.began_at is 'When this round began, or the last one.';
comment on column reconcile_rounds.due_at is 'When the next part is compared, or until when a worker is at it.';
comment on column reconcile_rounds.whole_since is 'When the last round that is whole began; null: none is.';
comment on column reconcile_rounds.unread_since is
  'Since when a round meets orders that cannot be read; null: it read all that it passed. After an hour the round goes on without '
  'them, and does not count as whole.';

create table refunds (
  id             text collate "C" primary key,
  order_no       text collate "C" not null references orders (order_no),
  pay_leg_id     text collate "C" not null,
  status         text not null check (status in ('waiting', 'proposed', 'sending', 'succeeded', 'failed')),
  chain          text not null,
  asset          text not null,
  contract       text,
  decimals       int not null,
  amount         numeric(78, 0) not null check (amount > (0)::numeric),
  address        text,
  tx_hash        text,
  reason         text not null,
  failure        text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  handed_over_at timestamptz,
  hand_over_at   timestamptz not null,
  signed_by      text,
  left_at        timestamptz,
  parts          jsonb
);
comment on table refunds is 'Owner: orders.';
comment on column refunds.signed_by is 'The wallet whose signature named the address of this refund.';
comment on column refunds.parts is
  'Which payments a refund returns, fixed when it begins: [{"payment": id, "amount": units}]. A wallet''s signature moves its own '
  'part and no more. null: the refund was not begun here, or began before this column.';
create index refunds_by_address on refunds (lower(address)) where address is not null;
create index refunds_of_order on refunds (order_no, id);
create index refunds_to_hand_over on refunds (hand_over_at) where handed_over_at is null and status = 'sending';
create index refunds_under_way on refunds (order_no) where status in ('sending', 'proposed');

create table settlements (
  id             text collate "C" primary key,
  order_no       text collate "C" not null references orders (order_no),
  pay_leg_id     text collate "C" not null,
  status         text not null check (status in ('wanted', 'broadcast', 'final', 'failed')),
  gross          numeric(78, 0) not null check (gross > (0)::numeric),
  fee_bps        int not null,
  fee            numeric(78, 0),
  amount_out     numeric(78, 0),
  tx_hash        text,
  failure        text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  handed_over_at timestamptz,
  hand_over_at   timestamptz not null,
  left_at        timestamptz,
  hold           text,
  is_released    boolean not null default false,
  proven         boolean
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table settlements is 'Owner: orders. One row a settlement that was asked of a rail; `final` only when the chain''s rule says so.';
comment on column settlements.handed_over_at is 'The rail took the request; until then the settle job asks again from hand_over_at on.';
comment on column settlements.left_at is 'What was final and left the chain again: since when it is away. Null again once it is back.';
comment on column settlements.proven is 'Whether a second source saw the payout of a third party; null: it was the rail''s own chain.';
create index settlements_left on settlements (order_no) where left_at is not null;
create index settlements_of_order on settlements (order_no, id);
create index settlements_to_hand_over on settlements (hand_over_at) where handed_over_at is null and status = 'wanted';
create index settlements_under_way on settlements (order_no) where status in ('wanted', 'broadcast');
comment on index settlements_under_way is 'Whose money waits while a chain is stuck.';

-- Webhooks

create table deliveries (
  id               text collate "C" primary key,
  no               bigint generated always as identity,
  event_id         text collate "C" not null,
  event_created_at timestamptz not null,
  event            text not null,
  order_no         text collate "C" not null,
  merchant_no      int not null,
  api_key_id       text collate "C",
  livemode         boolean not null,
  url              text not null,
  status           text not null default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'dead')),
  attempt_count    smallint not null default 0 check ((attempt_count >= 0) and (attempt_count <= 5)),
  next_attempt_at  timestamptz,
  created_at       timestamptz not null,
  resent_from      text collate "C",
  xid              xid8 not null default pg_current_xact_id(),
  endpoint_id      text collate "C",
  constraint deliveries_one_signer check (num_nonnulls(api_key_id, endpoint_id) = 1)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
comment on table deliveries is 'Owner: webhooks.';
comment on column deliveries.no is 'The queue''s key: a third of the width of an id in the hot indexes, and in the order of insertion.';
comment on column deliveries.api_key_id is 'No foreign key: the order has it, and this insert is on the path of every status change.';
comment on column deliveries.attempt_count is
  'Automatic attempts that had an outcome. One that was interrupted has none and is made again under its number.';
create index deliveries_in_commit_order on deliveries (merchant_no, xid);
create index deliveries_listed on deliveries (merchant_no, livemode, status, event, id);
create index deliveries_of_endpoint on deliveries (endpoint_id, status, id) where endpoint_id is not null;
create index deliveries_of_order on deliveries (order_no, id);
comment on index deliveries_listed is
  'Every filter of the list is in front of the id, so a page costs one short index walk for each status and event asked for.';

create table delivery_attempts (
  delivery_id      text collate "C" not null,
  started_at       timestamptz not null,
  n                smallint not null,
  http_status      smallint,
  latency_ms       int,
  error            text,
  response_excerpt text,
  detail           text,
  primary key (delivery_id, started_at)
) partition by range (started_at);
comment on table delivery_attempts is
  'Owner: webhooks. The log. One index: the key, which also keeps a flush that is repeated from writing a row twice.';
comment on column delivery_attempts.latency_ms is 'Until the status line, or until it failed.';
comment on column delivery_attempts.error is 'null: a 2xx. Else a code of webhooks/send/outcome.ts.';
comment on column delivery_attempts.response_excerpt is 'Made printable before it is stored: a receiver chooses these bytes.';
comment on column delivery_attempts.detail is 'For the operator only: what the system said.';

create table delivery_queue (
  delivery_no bigint primary key,
  delivery_id text collate "C" not null,
  class       smallint not null,
  tenant      int not null,
  lane        bigint not null,
  state       smallint not null,
  attempt     smallint not null default 0,
  claims      smallint not null default 0,
  run_at      timestamptz not null,
  lease_until timestamptz,
  lease_token bigint
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table delivery_queue is
  'Owner: webhooks. One row an unfinished delivery, deleted when it is finished: at most one piece of work a delivery by its primary '
  'key.';
comment on column delivery_queue.class is '0 first attempt, 1 retry or resend, 2 replay, 3 suspect: was in flight when a worker died, twice';
comment on column delivery_queue.lane is 'Hash of tenant, scheme, host and port. Two targets that collide only share a cap.';
comment on column delivery_queue.state is '1 ready, 2 scheduled, 3 leased';
comment on column delivery_queue.attempt is 'As deliveries.attempt_count.';
comment on column delivery_queue.claims is 'Leases since the last outcome.';
comment on column delivery_queue.lease_token is 'Random for each claim: a result is written only under the token it was claimed with.';
create index delivery_queue_leased on delivery_queue (lease_until) where state = 3;
create index delivery_queue_ready on delivery_queue (class, tenant, lane, run_at, delivery_no) where state = 1;
create index delivery_queue_scheduled on delivery_queue (run_at) where state = 2;
comment on index delivery_queue_ready is 'Fairness is in the prefix: tenants and lanes are found by jumps in this index, whatever the backlog.';

create table delivery_replays (
  id          text collate "C" primary key,
  merchant_no int not null,
  livemode    boolean,
  status      text not null check (status in ('dead', 'succeeded')),
  from_at     timestamptz not null,
  to_at       timestamptz not null,
  last_seen   text collate "C" not null,
  total       int not null,
  resent      int not null default 0,
  skipped     int not null default 0,
  state       text not null default 'running' check (state in ('running', 'done')),
  created_at  timestamptz not null,
  finished_at timestamptz
);
comment on table delivery_replays is 'Owner: webhooks. A merchant''s request to send a range of time again; a job works it off in small steps.';
comment on column delivery_replays.livemode is 'null: both modes';
comment on column delivery_replays.last_seen is 'The newest delivery that was looked at: where the next step goes on.';
comment on column delivery_replays.total is 'Found when it was asked for, 10,000 at most.';
comment on column delivery_replays.skipped is 'Deliveries whose body is past its retention.';
create index delivery_replays_running on delivery_replays (created_at) where state = 'running';

create table delivery_workers (
  id        text collate "C" primary key,
  beat_at   timestamptz not null,
  slots     int not null,
  in_flight int not null
);
comment on table delivery_workers is 'Owner: webhooks.';

create table event_arrivals (
  n                bigint generated always as identity,
  event_id         text collate "C" not null,
  event_created_at timestamptz not null,
  arrived_at       timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table event_arrivals is
  'Owner: webhooks. What has no position yet. `n` is taken while the transaction commits, not when it wrote: of two commits of which '
  'one had returned before the other was asked for, the first has the lower number, however long each had been open.';
create index event_arrivals_in_order on event_arrivals (n, event_id);
comment on index event_arrivals_in_order is
  'Not unique: a logical copy carries rows and no sequence, and an order must not fail over a number that was given before.';

create table event_sequence (
  only_row      boolean default true primary key check (only_row),
  last_position bigint not null
);
comment on table event_sequence is 'Owner: webhooks. How far positions are given: one row, made with the first of them.';

create table event_spans (
  from_at        timestamptz primary key,
  until_at       timestamptz not null,
  first_position bigint not null,
  last_position  bigint not null
);
comment on table event_spans is 'Owner: webhooks. Which positions the events of a span of time have: tells a page in which partitions to look.';

create table order_events (
  id            text collate "C" not null,
  order_no      text collate "C" not null,
  merchant_id   text collate "C" not null,
  api_key_id    text collate "C",
  livemode      boolean not null,
  event         text,
  status        text not null,
  status_detail text not null,
  version       int not null,
  body          bytea,
  created_at    timestamptz not null,
  "position"    bigint,
  primary key (id, created_at)
) partition by range (created_at);
comment on table order_events is
  'Owner: webhooks. The timeline, and the frozen bytes of every event. Partitioned by time: retention drops whole partitions. `xid` '
  'orders events by commit: a reader stops below pg_snapshot_xmin, so no later commit hides behind its cursor.';
comment on column order_events.event is 'null: only the detail changed';
comment on column order_events.body is 'The exact bytes that are signed and sent; null where event is.';
comment on column order_events."position" is 'From here to the end the table is held, for moments: a column without a value touches no row.';
create index order_events_by_position on order_events (merchant_id, livemode, "position", event, created_at) where "position" is not null;
create index order_events_of_order on order_events (order_no, id);
comment on index order_events_by_position is
  'Event and time stand in the index so that what a page leaves out (timelines, what is too old) costs no visit to the row.';
create constraint trigger order_events_arrive after insert on order_events deferrable initially deferred for each row when ((new."position" is null)) execute function queue_for_position();

create table webhook_endpoints (
  id            text collate "C" primary key,
  merchant_id   text collate "C" not null references merchants (id),
  merchant_no   int not null,
  livemode      boolean not null,
  url           text not null,
  lane          bigint not null,
  description   text,
  events        text[] not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  disabled_at   timestamptz,
  disabled_by   text check (disabled_by in ('merchant', 'failures')),
  failing_since timestamptz,
  deleted_at    timestamptz,
  once_key      text,
  once_body     text
);
comment on table webhook_endpoints is
  'Owner: webhooks. Receivers that a merchant registers once for the account and a mode, beside the webhook_url of an order.';
comment on column webhook_endpoints.lane is
  'The queue lane of the URL: the deliveries of an event are written by one statement, which cannot work it out.';
comment on column webhook_endpoints.failing_since is 'Since when deliveries end as dead without one that is taken; null: all is well.';
create index webhook_endpoints_of_merchant on webhook_endpoints (merchant_no, livemode, id) where deleted_at is null;
create index webhook_endpoints_once on webhook_endpoints (once_key) where once_key is not null;
comment on index webhook_endpoints_once is 'A request that makes an endpoint looks for its Idempotency-Key among deleted ones too.';

alter table webhook_secrets add constraint webhook_secrets_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoints(id);

-- Prices

create table fx_answers (
  source      text not null,
  quote       text not null,
  kind        text not null check (kind in ('live', 'fixing', 'fixed')),
  rate        text not null,
  observed_at timestamptz not null,
  fetched_at  timestamptz not null,
  primary key (source, quote)
);
comment on table fx_answers is 'Owner: prices.';

create table fx_checks (
  quote   text primary key,
  verdict text not null check (verdict in ('agreed', 'silent', 'disagree', 'off_peg')),
  why     text,
  since   timestamptz not null
);
comment on table fx_checks is 'Owner: prices. What the last look at the answers said of a currency, whether or not it gave a rate.';

create table fx_rates (
  quote         text primary key,
  rate          text not null,
  observed_at   timestamptz not null,
  agreed_at     timestamptz not null,
  valid_until   timestamptz not null,
  apart_bps     int not null,
  sources       json not null,
  rules_version int not null
);
comment on table fx_rates is
  'Owner: prices. What the answers of the sources agreed on last. Written by the one process that asks them, read by all.';

create table fx_sources (
  id          text primary key,
  next_at     timestamptz not null,
  failures    int not null default 0,
  asked_at    timestamptz,
  answered_at timestamptz,
  fault       text
);
comment on table fx_sources is
  'Owner: prices. What sources of exchange rates said last, and when they are asked again. One process asks, by the lease fx-rates.';

create table price_settings (
  merchant_id      text primary key references merchants (id),
  default_currency text not null default 'USD',
  display_currency text not null default 'USD',
  spread_bps       int not null default 0 check ((spread_bps >= 0) and (spread_bps <= 1000)),
  updated_at       timestamptz not null
);
comment on table price_settings is 'Owner: prices. What a merchant chose. No row: dollars, official rates, nothing added.';

-- Selling

create table invoice_numbers (
  merchant_id text collate "C" not null references merchants (id),
  livemode    boolean not null,
  last        int not null,
  primary key (merchant_id, livemode)
);
comment on table invoice_numbers is
  'Owner: selling. The last number given out. It is raised in the transaction of its invoice, which holds the row until it commits: '
  'there is no gap, and no number twice.';

create table invoices (
  id             text collate "C" primary key,
  merchant_id    text collate "C" not null references merchants (id),
  livemode       boolean not null,
  token          text collate "C" not null unique,
  number         text not null,
  currency       text not null,
  exponent       int not null,
  lines          json not null,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  tax_label      text,
  tax_percent    text,
  tax_minor      bigint not null check (tax_minor >= 0),
  total_minor    bigint not null check (total_minor > 0),
  due_date       date not null,
  seller_details text,
  payer_email    text,
  payer_name     text,
  payer_details  text,
  note           text,
  external_id    text,
  settle_chain   text,
  settle_asset   text,
  sent_count     int not null default 0,
  last_sent_at   timestamptz,
  voided_at      timestamptz,
  created_at     timestamptz not null,
  payer_locale   text,
  state          text not null default 'unpaid' check (state in ('unpaid', 'processing', 'paid', 'void')),
  constraint invoice_number_once unique (merchant_id, livemode, number)
);
comment on table invoices is
  'Owner: selling. Invoices. Nothing of one changes once it is made, but that it is mailed or void; whether it is paid is what its '
  'orders say.';
comment on column invoices.lines is '[{description, quantity, unit, amount}], amounts as digits of the smallest unit';
create index invoices_by_state on invoices (merchant_id, livemode, state, id desc);
create index invoices_of_merchant on invoices (merchant_id, livemode, id desc);
create index invoices_unpaid on invoices (merchant_id, livemode, due_date, id) where state = 'unpaid';

create table page_starts (
  order_no   text collate "C" primary key,
  page       text collate "C" not null,
  client     text not null,
  created_at timestamptz not null
);
comment on table page_starts is 'Owner: selling. Which client started which order: what one client may have open at once is bounded.';
comment on column page_starts.page is 'The payment link or invoice.';
create index page_starts_by_age on page_starts (created_at);
create index page_starts_of_client on page_starts (page, client);

create table payment_links (
  id           text collate "C" primary key,
  merchant_id  text collate "C" not null references merchants (id),
  livemode     boolean not null,
  token        text collate "C" not null unique,
  active       boolean not null default true,
  title        text not null,
  description  text,
  currency     text not null,
  exponent     int not null,
  amount_minor bigint check (amount_minor > 0),
  min_minor    bigint check (min_minor > 0),
  max_minor    bigint,
  quantity_max int not null check (quantity_max > 0),
  stock        int check (stock >= 0),
  ends_at      timestamptz,
  ask_email    text not null,
  ask_name     text not null,
  ask_note     text not null,
  success_text text,
  success_url  text,
  settle_chain text,
  settle_asset text,
  expires_in_s int not null,
  external_id  text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  constraint payment_links_check check (max_minor >= min_minor)
);
comment on table payment_links is
  'Owner: selling. Pages that a payer starts an order from. What is left of a stock is never stored: it is what the orders of the '
  'link have not taken, counted under the lock of its row.';
comment on column payment_links.token is 'In the page''s address; whoever has it may start.';
comment on column payment_links.amount_minor is 'Smallest units of the currency; null: open, within the bounds.';
create index payment_links_of_merchant on payment_links (merchant_id, livemode, id desc);

-- Recovery

create table journal_troubles (
  host       text collate "C" primary key,
  folder     text not null,
  failure    text not null,
  since      timestamptz not null,
  updated_at timestamptz not null
);
comment on table journal_troubles is
  'Owner: operations/recovery. Which processes cannot write their journal now, for every process to say: no pay address is shown '
  'meanwhile.';
comment on column journal_troubles.updated_at is 'A process that is gone says nothing any more.';

create table recovery_seed (
  one         boolean default true primary key check (one),
  seed_id     text not null,
  key_id      text not null,
  box         bytea not null,
  created_at  timestamptz not null,
  exported_at timestamptz
);
comment on table recovery_seed is
  'Owner: operations/recovery. One row. `seed_id` names the seed without giving anything of it away; the journal''s files carry it '
  'too.';
comment on column recovery_seed.box is '32 random bytes, sealed under the master key.';
comment on column recovery_seed.exported_at is 'null: nobody has taken a copy yet';

-- Sums

create table order_sum_changes (
  merchant_no int not null,
  livemode    boolean not null,
  at          timestamptz not null,
  kind        text collate "C" not null,
  currency    text collate "C" not null,
  exponent    smallint not null,
  n           int not null,
  micros      bigint not null,
  minor       bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table order_sum_changes is 'Owner: sums.';
create index order_sum_changes_of_merchant on order_sum_changes (merchant_no, livemode, at);

-- Reports

create table order_sums (
  merchant_no int not null,
  livemode    boolean not null,
  width       text collate "C" not null check (width in ('hour', 'day')),
  at          timestamptz not null,
  kind        text collate "C" not null,
  currency    text collate "C" not null,
  exponent    smallint not null,
  n           bigint not null,
  micros      numeric not null,
  minor       numeric not null,
  primary key (merchant_no, livemode, width, at, kind, currency, exponent)
);
comment on table order_sums is 'Owner: operations/reports.';
comment on column order_sums.kind is
  'A status: orders made then that have it now. ''settled'': orders settled then. ''t…'': of those, how many took so long.';
create index order_sums_of_money on order_sums (merchant_no, livemode, width, at) include (kind, currency, exponent, n, micros, minor) where kind < 't';
create index order_sums_of_times on order_sums (merchant_no, livemode, width, at) include (kind, n) where kind >= 't';
comment on index order_sums_of_money is
  'Of an hour and a day nine tenths are how long it took to pay, as steps: who asks for money does not read past them.';

create table weekly_mails (
  merchant_id text collate "C" not null references merchants (id),
  week        date not null,
  primary key (merchant_id, week)
);
comment on table weekly_mails is 'Owner: operations/reports. Who was written of which week.';

create view current_addresses as
  select merchant_id, chain, address from receiving_addresses;
comment on view current_addresses is 'Owner: addresses. Where merchants receive now.';

create view delivery_summaries as
  select id, merchant_no, livemode, order_no, event, status, created_at, xid from deliveries;
comment on view delivery_summaries is 'Owner: webhooks. Status of deliveries, for figures and the stream of changes.';

create view delivery_totals as
  select 'events'::text as what, (count(*))::text as total from order_events UNION ALL select ('deliveries '::text || deliveries.status) as what, (count(*))::text as total from deliveries group by deliveries.status;
comment on view delivery_totals is 'Owner: webhooks. Events, and deliveries by status.';

create view merchant_accounts as
  select id, no, email, time_zone, suspended_at, closed_at from merchants;
comment on view merchant_accounts is 'Owner: identity. Accounts of merchants, for joins.';

create view order_starters as
  select order_no, client from page_starts;
comment on view order_starters is 'Owner: selling. The client that started an order from a page.';

create view order_summaries as
  select order_no, order_ref, merchant_id, merchant_no, livemode, status, currency, exponent, amount_minor, amount_usd_micros, payment_link_id, invoice_id, quantity, checkout_token, created_at, updated_at, settled_at from orders;
comment on view order_summaries is 'Owner: orders. Status, amounts and references of orders, for figures, pages that sell, addresses and rails.';

create view order_totals as
  select 'orders'::text as what, (count(*))::text as total from orders UNION ALL select ('orders '::text || orders.status) as what, (count(*))::text as total from orders group by orders.status UNION ALL select concat_ws(' '::text, 'paid', payments.chain, payments.asset, payments.contract, payments.status, payments.use) as what, (sum(payments.amount))::text as total from payments group by payments.chain, payments.asset, payments.contract, payments.status, payments.use UNION ALL select concat_ws(' '::text, 'settled', o.settle_chain, o.settle_asset, s.status) as what, (sum(s.gross))::text as total from (settlements s join orders o USING (order_no)) group by o.settle_chain, o.settle_asset, s.status UNION ALL select concat_ws(' '::text, 'refunded', refunds.chain, refunds.asset, refunds.contract, refunds.status) as what, (sum(refunds.amount))::text as total from refunds group by refunds.chain, refunds.asset, refunds.contract, refunds.status;
comment on view order_totals is 'Owner: orders. Orders by status, and money by asset and state.';

create view refund_summaries as
  select id, order_no, status from refunds;
comment on view refund_summaries is 'Owner: orders. Status of refunds, for items that ask about them.';
