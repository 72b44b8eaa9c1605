-- The relay of the forwarder rail: what it was asked to move, and the transactions it sent for that.
-- A transaction stands here, signed, before any node sees it; its number (nonce) is its identity for ever.

-- One row a settlement or refund that an order asked for. The id is the order's own row id.
create table relay_items (
  id          text collate "C" primary key,
  kind        text not null check (kind in ('settle', 'refund_bound', 'refund_announced')),
  chain       text not null,
  order_ref   text collate "C" not null,
  leg_ref     text collate "C" not null,
  -- null: the native coin
  token       text,
  amount      numeric(78, 0) not null check (amount > 0),
  fee_bps     int not null,
  -- Where a refund goes, lower case; null for a settlement.
  to_address  text,
  -- waiting: for its turn; sent: in a transaction; done and failed: told to the order.
  state       text not null check (state in ('waiting', 'sent', 'done', 'failed')),
  -- Of an announced refund: what the chain knows it by; it may be executed from `not_before` on.
  proposal_id text,
  failures    int not null default 0,
  failure     text,
  not_before  timestamptz not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index relay_items_waiting on relay_items (chain, not_before) where state = 'waiting';
create index relay_items_open_by_leg on relay_items (leg_ref) where state in ('waiting', 'sent');

-- open: not mined yet; mined: in a block that may still go; done: final; lost: another transaction took its number.
create table relay_outbox (
  chain         text not null,
  signer        text not null,
  nonce         bigint not null,
  state         text not null check (state in ('open', 'mined', 'done', 'lost')),
  purpose       text not null check (purpose in ('settle', 'refund_bound', 'propose', 'execute')),
  item_ids      text[] not null,
  to_address    text not null,
  data          text not null,
  gas           bigint not null,
  -- The head when the newest attempt was sent: how long it waits is counted in blocks.
  sent_height   bigint not null,
  sent_at       timestamptz not null,
  mined_hash    text,
  mined_height  bigint,
  -- How many looks found the number used and none of our transactions mined under it.
  lost_looks    int not null default 0,
  created_at    timestamptz not null,
  primary key (chain, signer, nonce)
);
create index relay_outbox_live on relay_outbox (chain, signer, nonce) where state in ('open', 'mined');

-- Every signed form of a transaction: any of them may be the one that is mined.
create table relay_attempts (
  hash       text collate "C" primary key,
  chain      text not null,
  signer     text not null,
  nonce      bigint not null,
  raw        text not null,
  max_fee    numeric(78, 0) not null,
  tip        numeric(78, 0) not null,
  created_at timestamptz not null,
  foreign key (chain, signer, nonce) references relay_outbox
);
create index relay_attempts_of_row on relay_attempts (chain, signer, nonce, created_at);

-- How each key fares, for people: any process can tell it, also one that sends nothing.
create table relay_signers (
  chain      text not null,
  signer     text not null,
  -- What a person has to know, or null when all is well.
  trouble    text,
  balance    numeric(78, 0),
  looked_at  timestamptz not null,
  primary key (chain, signer)
);

-- What of a factory log was told to its order: null, or the state that it then had.
alter table forwarder_factory_logs add column relayed text;
create index forwarder_factory_logs_to_relay on forwarder_factory_logs (chain, height) where relayed is distinct from state;
