-- Merchants, the codes they sign in with, and their sessions.

create table merchants (
  id                   text collate "C" primary key,
  -- The tenant of webhook fairness: a small integer sorts and compares fast in the queue's indexes.
  no                   integer generated always as identity unique,
  email                text not null constraint merchant_email_is_unique unique,
  name                 text,
  default_settle_chain text,
  created_at           timestamptz not null
);

-- One row a code that was asked for, whether or not its email is known. Rows stay for an hour: the limits of contract.md 1
-- count them, so the limits hold on every replica and over restarts.
create table login_codes (
  id          text collate "C" primary key,
  email       text not null,
  -- The address that asked; the /64 of an IPv6 one.
  client      text not null,
  -- Keyed with the master key: a plain hash of six digits is undone in a moment.
  code_hash   bytea not null,
  wrong_tries int not null default 0,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  -- Used, voided by wrong tries or pushed out by newer codes.
  closed_at   timestamptz
);
create index login_codes_of_email on login_codes (email, created_at desc);
create index login_codes_of_client on login_codes (client, created_at desc);
create index login_codes_by_age on login_codes (created_at);

-- Wrong tries of one email in the day that began with the first of them.
create table login_wrong_tries (
  email        text primary key,
  tries        int not null,
  since        timestamptz not null,
  paused_until timestamptz
);
create index login_wrong_tries_by_age on login_wrong_tries (since);

create table sessions (
  id           text collate "C" primary key,
  merchant_id  text collate "C" not null references merchants,
  user_agent   text,
  ip           text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null,
  revoked_at   timestamptz
);
create index sessions_of_merchant on sessions (merchant_id, id desc);
create index sessions_by_end on sessions (expires_at);
