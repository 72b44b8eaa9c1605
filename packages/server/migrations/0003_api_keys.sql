-- API keys: what a merchant's server calls with. A key is found by the hash of its secret; a rotation adds a hash and
-- gives the old one an end, so both work during the grace.

create table api_keys (
  id           text collate "C" primary key,
  merchant_id  text collate "C" not null references merchants,
  livemode     boolean not null,
  name         text not null,
  prefix       text not null,
  last4        text not null,
  scopes       text[] not null,
  fee_bps      int not null check (fee_bps between 0 and 10000),
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_keys_of_merchant on api_keys (merchant_id, id desc);

create table api_key_hashes (
  hash       bytea primary key,
  api_key_id text collate "C" not null references api_keys,
  created_at timestamptz not null,
  -- null: the current one
  expires_at timestamptz
);
create index api_key_hashes_of_key on api_key_hashes (api_key_id);
create unique index api_key_hash_one_current on api_key_hashes (api_key_id) where expires_at is null;

-- Sealed under the master key. Newest first in the signature header; at most two are live: the current one, whose end
-- is null, and during an overlap the one before it.
create table webhook_secrets (
  id         text collate "C" primary key,
  api_key_id text collate "C" not null references api_keys,
  key_id     text not null,
  box        bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index webhook_secrets_of_key on webhook_secrets (api_key_id, expires_at desc nulls first, id desc);
create unique index webhook_secret_one_current on webhook_secrets (api_key_id) where expires_at is null;
