-- A stolen session moves no money before its owner knows (docs/decisions/0021-fresh-sign-in.md).

-- When a code from the mailbox last confirmed the session, and how many wrong ones were tried in it.
alter table sessions
  add column confirmed_at  timestamptz,
  add column wrong_confirmations int not null default 0;

create table confirmation_codes (
  id          text collate "C" primary key,
  session_id  text collate "C" not null references sessions on delete cascade,
  code_hash   bytea not null,
  wrong_tries int not null default 0,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  closed_at   timestamptz
);
create index confirmation_codes_of_session on confirmation_codes (session_id, created_at desc);
create index confirmation_codes_by_age on confirmation_codes (created_at);

-- A browser that signed in, by the hash of a cookie that only the server reads.
create table known_browsers (
  merchant_id   text collate "C" not null references merchants,
  hash          bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  constraint known_browser_once primary key (merchant_id, hash)
);
create index known_browsers_by_age on known_browsers (last_seen_at);

-- Who set what is in effect: an undo puts back what was before this session's changes.
alter table receiving_addresses add column session_id text;

-- A change that live orders follow from effective_at on; test orders follow it at once.
create table waiting_addresses (
  merchant_id  text collate "C" not null references merchants,
  chain        text not null,
  -- null: the address is taken away
  address      text,
  label        text,
  session_id   text,
  asked_by     text not null,
  asked_at     timestamptz not null,
  effective_at timestamptz not null,
  constraint one_waiting_address_per_chain primary key (merchant_id, chain)
);
create index waiting_addresses_due on waiting_addresses (effective_at);

-- One-click links in mails: the token is known to the mailbox alone.
create table mail_links (
  id          text collate "C" primary key,
  token_hash  bytea not null constraint mail_link_token_is_unique unique,
  merchant_id text collate "C" not null references merchants,
  kind        text not null,
  subject     text not null,
  -- what was, and what the act made of it
  detail      json not null,
  session_id  text,
  browser     bytea,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index mail_links_by_end on mail_links (expires_at);
create index mail_links_of_session on mail_links (session_id, id desc);

-- What merchants are told: counted by weight, and gathered into digests beyond the caps. The text is sealed, since it
-- holds links; it is empty once it was mailed.
create table mail_notices (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null references merchants,
  weight      text not null check (weight in ('matters', 'routine')),
  email       text not null,
  key_id      text,
  box         bytea,
  created_at  timestamptz not null,
  mailed_at   timestamptz
);
create index mail_notices_of_merchant on mail_notices (merchant_id, weight, created_at desc);
create index mail_notices_unmailed on mail_notices (weight, created_at) where mailed_at is null;
create index mail_notices_by_age on mail_notices (created_at);

-- An operator suspends and closes: keys, sessions and sign-in are refused; orders in flight settle.
alter table merchants
  add column suspended_at timestamptz,
  add column closed_at    timestamptz;
