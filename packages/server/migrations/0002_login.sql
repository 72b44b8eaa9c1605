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
create index sessions_of_merchant on sessions (merchant_id, created_at desc);
