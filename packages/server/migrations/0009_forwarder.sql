-- The forwarder rail: deposit addresses, what a chain's blocks brought to them, and who watches which chain.
-- Addresses and hashes are lower case. `chain` is the catalogue's id; one process at a time writes the rows of a chain.

-- Who may do what only one process does at a time. The token grows with every change of hands, so a holder that slept
-- through its lease is refused by the rows it would write.
create table leases (
  name   text collate "C" primary key,
  holder text not null,
  token  bigint not null,
  until  timestamptz not null
);

-- One row an opened leg, written before the payer is shown the address.
create table forwarder_vaults (
  leg_ref     text collate "C" primary key,
  order_ref   text collate "C" not null,
  chain       text collate "C" not null,
  livemode    boolean not null,
  vault       text collate "C" not null,
  factory     text not null,
  impl        text not null,
  -- Every field of the contract's Route, as text: all that is needed to move the money.
  route       json not null,
  asset       text not null,
  contract    text,
  decimals    int not null,
  amount_due  numeric(78, 0) not null,
  -- The answer that was given; opening the leg again gives it again.
  opened      json not null,
  state       text not null default 'open' check (state in ('open', 'closed')),
  -- A payment after this is late. What a balance check has to know about time.
  deadline    timestamptz not null,
  -- Until then the native balance is read at every block; afterwards only logs are looked at.
  hot_until   timestamptz not null,
  watch_until timestamptz not null,
  created_at  timestamptz not null,
  -- Readers take what was committed since their last look: rows at or above the oldest transaction then running.
  xid         xid8 not null default pg_current_xact_id()
);
create index forwarder_vaults_by_address on forwarder_vaults (chain, vault);
create index forwarder_vaults_of_order on forwarder_vaults (order_ref);
create index forwarder_vaults_by_commit on forwarder_vaults (livemode, xid) where state = 'open';
create index forwarder_vaults_to_close on forwarder_vaults (watch_until) where state = 'open';

-- One row a transfer to a vault in one block: the same transfer in another block is another row.
-- key: chain:blockHash:logIndex; from balances: chain:blockHash:vault, with :token behind it for a token.
create table forwarder_observations (
  key        text collate "C" primary key,
  leg_ref    text collate "C" not null references forwarder_vaults,
  order_ref  text collate "C" not null,
  chain      text collate "C" not null,
  vault      text collate "C" not null,
  -- null: the native coin
  token      text,
  amount     numeric(78, 0) not null check (amount > 0),
  tx_hash    text not null,
  log_index  int not null,
  from_address text,
  height     bigint not null,
  block_hash text collate "C" not null,
  -- The block's time.
  seen_at    timestamptz not null,
  state      text not null check (state in ('seen', 'confirmed', 'orphaned')),
  -- Which look found it: what only the second look or a balance finds is a sign of a provider that leaves things out.
  found_by   text not null check (found_by in ('first', 'second', 'balance')),
  created_at timestamptz not null
);
create index forwarder_observations_of_block on forwarder_observations (chain, block_hash);
create index forwarder_observations_to_confirm on forwarder_observations (chain, height) where state = 'seen';
create index forwarder_observations_of_vault on forwarder_observations (chain, vault);

-- What the factory said. Truth about settlements and refunds, whoever sent them; the relayer reads these rows.
create table forwarder_factory_logs (
  key        text collate "C" primary key,
  chain      text collate "C" not null,
  event      text not null check (event in ('Settled', 'SettleFailed', 'Refunded', 'RefundProposed', 'RefundVetoed')),
  -- null for RefundVetoed, which names the proposal only
  vault      text collate "C",
  tx_hash    text collate "C" not null,
  log_index  int not null,
  height     bigint not null,
  block_hash text collate "C" not null,
  -- The event's arguments as text. Settled has `amountOut` as well: what the merchant's address got.
  args       json not null,
  state      text not null check (state in ('seen', 'final', 'orphaned')),
  created_at timestamptz not null
);
create index forwarder_factory_logs_of_block on forwarder_factory_logs (chain, block_hash);
create index forwarder_factory_logs_of_vault on forwarder_factory_logs (chain, vault);
create index forwarder_factory_logs_not_final on forwarder_factory_logs (chain, height) where state = 'seen';

-- How far a chain has been read. `seen` is the first look, `credit` the second one at the depth that counts.
create table chain_cursors (
  chain        text collate "C" not null,
  pass         text not null check (pass in ('seen', 'credit')),
  chain_id     bigint not null,
  livemode     boolean not null,
  start_height bigint not null,
  height       bigint not null,
  hash         text not null,
  -- The node's newest block at the last look.
  head         bigint not null,
  -- null: all is well; else why the chain stands still
  note         text,
  updated_at   timestamptz not null,
  primary key (chain, pass)
);

-- The newest blocks that were read, so that a reorg can be followed back.
create table chain_blocks (
  chain   text collate "C" not null,
  height  bigint not null,
  hash    text not null,
  parent  text not null,
  time    timestamptz not null,
  primary key (chain, height)
);
