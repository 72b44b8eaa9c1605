-- Whose word each thing seen on a chain is. Until a second provider has said the same of the same block, a payment is
-- only shown and a factory log is not final.

-- said_by: the voice that first told; empty where several did. disputed: why it cannot be decided now; ask_at: when the
-- others are asked again.
alter table forwarder_observations
  add column said_by text not null default '',
  add column agreed boolean not null default true,
  add column disputed text,
  add column ask_at timestamptz;
alter table forwarder_factory_logs
  add column said_by text not null default '',
  add column agreed boolean not null default true,
  add column disputed text,
  add column ask_at timestamptz;
create index forwarder_observations_of_order_to_agree on forwarder_observations (order_ref) where state = 'seen' and not agreed;
create index forwarder_observations_disputed on forwarder_observations (chain) where disputed is not null;
create index forwarder_factory_logs_disputed on forwarder_factory_logs (chain) where disputed is not null;

-- What the process that watches a chain thinks of each provider, for every process to show.
create table chain_providers (
  chain      text collate "C" not null,
  name       text collate "C" not null,
  verdict    text not null check (verdict in ('ok', 'laggard', 'frozen', 'liar', 'wrong_chain', 'silent')),
  reason     text,
  -- Not asked until then.
  until      timestamptz,
  since      timestamptz not null,
  updated_at timestamptz not null,
  primary key (chain, name)
);
