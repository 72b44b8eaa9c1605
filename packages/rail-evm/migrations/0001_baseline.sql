-- Tables of EVM chains: vaults, what their providers reported, and transactions that are sent.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create table chain_blocks (
  chain   text collate "C" not null,
  height  bigint not null,
  hash    text not null,
  parent  text not null,
  time    timestamptz not null,
  read_by text,
  primary key (chain, height)
);
comment on table chain_blocks is 'Owner: rail-evm. The newest blocks that were read, so that a reorg can be followed back.';

create table chain_cursors (
  chain        text collate "C" not null,
  pass         text not null check (pass in ('seen', 'credit')),
  chain_id     bigint not null,
  livemode     boolean not null,
  start_height bigint not null,
  height       bigint not null,
  hash         text not null,
  head         bigint not null,
  note         text,
  updated_at   timestamptz not null,
  primary key (chain, pass)
);
comment on table chain_cursors is
  'Owner: rail-evm. How far a chain has been read. `seen` is the first look, `credit` the second one at the depth that counts.';
comment on column chain_cursors.head is 'The node''s newest block at the last look.';
comment on column chain_cursors.note is 'null: all is well; else why the chain stands still';

create table chain_providers (
  chain      text collate "C" not null,
  name       text collate "C" not null,
  verdict    text not null check (verdict in ('ok', 'laggard', 'frozen', 'liar', 'wrong_chain', 'silent')),
  reason     text,
  until      timestamptz,
  since      timestamptz not null,
  updated_at timestamptz not null,
  primary key (chain, name)
);
comment on table chain_providers is 'Owner: rail-evm. What the process that watches a chain thinks of each provider, for every process to show.';
comment on column chain_providers.until is 'Not asked until then.';

create table forwarder_factory_logs (
  key        text collate "C" primary key,
  chain      text collate "C" not null,
  event      text not null check (event in ('Settled', 'SettleFailed', 'Refunded', 'RefundProposed', 'RefundVetoed', 'PushFailed')),
  vault      text collate "C",
  tx_hash    text collate "C" not null,
  log_index  int not null,
  height     bigint not null,
  block_hash text collate "C" not null,
  args       json not null,
  state      text not null check (state in ('seen', 'final', 'orphaned')),
  created_at timestamptz not null,
  relayed    text,
  said_by    text not null default '',
  agreed     boolean not null default true,
  disputed   text,
  ask_at     timestamptz,
  block_time timestamptz
);
comment on table forwarder_factory_logs is
  'Owner: rail-evm. What the factory said. Truth about settlements and refunds, whoever sent them; the relayer reads these rows.';
comment on column forwarder_factory_logs.vault is 'null for RefundVetoed, which names the proposal only';
comment on column forwarder_factory_logs.args is
  'The event''s arguments as text. Settled has `amountOut` as well: what the merchant''s address got.';
comment on column forwarder_factory_logs.relayed is 'What of a factory log was told to its order: null, or the state that it then had.';
create index forwarder_factory_logs_disputed on forwarder_factory_logs (chain) where disputed is not null;
create index forwarder_factory_logs_not_final on forwarder_factory_logs (chain, height) where state = 'seen';
create index forwarder_factory_logs_of_block on forwarder_factory_logs (chain, block_hash);
create index forwarder_factory_logs_of_vault on forwarder_factory_logs (chain, vault);
create index forwarder_factory_logs_refuted on forwarder_factory_logs (chain, ask_at) where state = 'orphaned' and ask_at is not null;
create index forwarder_factory_logs_to_relay on forwarder_factory_logs (chain, height) where relayed is distinct from state;

create table forwarder_vaults (
  leg_ref     text collate "C" primary key,
  order_ref   text collate "C" not null,
  chain       text collate "C" not null,
  livemode    boolean not null,
  vault       text collate "C" not null,
  factory     text not null,
  impl        text not null,
  route       json not null,
  asset       text not null,
  contract    text,
  decimals    int not null,
  amount_due  numeric(78, 0) not null,
  opened      json not null,
  state       text not null default 'open' check (state in ('open', 'closed')),
  deadline    timestamptz not null,
  hot_until   timestamptz not null,
  watch_until timestamptz not null,
  created_at  timestamptz not null,
  xid         xid8 not null default pg_current_xact_id(),
  is_large    boolean not null default false,
  merchant_id text
);
comment on table forwarder_vaults is 'Owner: rail-evm. One row an opened leg, written before the payer is shown the address.';
comment on column forwarder_vaults.route is 'Every field of the contract''s Route, as text: all that is needed to move the money.';
comment on column forwarder_vaults.opened is 'The answer that was given; opening the leg again gives it again.';
comment on column forwarder_vaults.deadline is 'A payment after this is late. What a balance check has to know about time.';
comment on column forwarder_vaults.hot_until is 'Until then the native balance is read at every block; afterwards only logs are looked at.';
comment on column forwarder_vaults.xid is
  'Readers take what was committed since their last look: rows at or above the oldest transaction then running.';
comment on column forwarder_vaults.is_large is
  'Of an amount from which on the chain''s stricter rules hold: a payment counts deeper, a settlement is final later.';
comment on column forwarder_vaults.merchant_id is
  'Bounds the gas that one merchant''s receivers burn, however many there are. merchant_id: the account of the order; null: the '
  'address is older than this column, or was restored from the journal, and its receiving address stands for the merchant. burnt: '
  'how often a transaction of the item failed on the chain by its own doing; a later success takes nothing back. is_account: whether '
  'its receiver had no code and so cannot burn gas; null: not looked at.';
create index forwarder_vaults_by_commit on forwarder_vaults (livemode, xid) where state = 'open';
create index forwarder_vaults_by_vault on forwarder_vaults (vault);
create index forwarder_vaults_of_order on forwarder_vaults (order_ref);
create index forwarder_vaults_to_close on forwarder_vaults (watch_until) where state = 'open';
create index forwarder_vaults_to_walk on forwarder_vaults (livemode, leg_ref) where state = 'open';

create table forwarder_observations (
  key          text collate "C" primary key,
  leg_ref      text collate "C" not null references forwarder_vaults (leg_ref),
  order_ref    text collate "C" not null,
  chain        text collate "C" not null,
  vault        text collate "C" not null,
  token        text,
  amount       numeric(78, 0) not null check (amount > (0)::numeric),
  tx_hash      text not null,
  log_index    int not null,
  from_address text,
  height       bigint not null,
  block_hash   text collate "C" not null,
  seen_at      timestamptz not null,
  state        text not null check (state in ('seen', 'confirmed', 'orphaned')),
  found_by     text not null check (found_by in ('first', 'second', 'balance')),
  created_at   timestamptz not null,
  said_by      text not null default '',
  agreed       boolean not null default true,
  disputed     text,
  ask_at       timestamptz
);
comment on table forwarder_observations is
  'Owner: rail-evm. One row a transfer to a vault in one block: the same transfer in another block is another row. key: '
  'chain:blockHash:logIndex; from balances: chain:blockHash:vault, with :token behind it for a token.';
comment on column forwarder_observations.token is 'null: the native coin';
comment on column forwarder_observations.seen_at is 'The block''s time.';
comment on column forwarder_observations.found_by is
  'Which look found it: what only the second look or a balance finds is a sign of a provider that leaves things out.';
create index forwarder_observations_disputed on forwarder_observations (chain) where disputed is not null;
create index forwarder_observations_of_block on forwarder_observations (chain, block_hash);
create index forwarder_observations_of_order_to_agree on forwarder_observations (order_ref) where state = 'seen' and (not agreed);
create index forwarder_observations_of_vault on forwarder_observations (chain, vault);
create index forwarder_observations_refuted on forwarder_observations (chain, ask_at) where state = 'orphaned' and ask_at is not null;
create index forwarder_observations_to_confirm on forwarder_observations (chain, height) where state = 'seen';
comment on index forwarder_observations_refuted is
  'What two providers denied is asked about again for a day: both may have been behind a balancer that forgot, and money that was '
  'there must be found. ask_at of a row that is orphaned says when.';

create table native_walks (
  chain text collate "C" primary key,
  after text collate "C" not null
);
comment on table native_walks is
  'Owner: rail-evm. Native coins on a wrong chain. They leave no entry that could be looked for, so the addresses of other chains'' '
  'legs are read in parts, round and round. One row a chain: where the next part begins.';
comment on column native_walks.after is 'The last leg that was looked at; empty at the beginning of a round.';

create table relay_items (
  id          text collate "C" primary key,
  kind        text not null check (kind in ('settle', 'refund_bound', 'refund_announced')),
  chain       text not null,
  order_ref   text collate "C" not null,
  leg_ref     text collate "C" not null,
  token       text,
  amount      numeric(78, 0) not null check (amount > (0)::numeric),
  fee_bps     int not null,
  to_address  text,
  state       text not null check (state in ('waiting', 'sent', 'done', 'failed')),
  proposal_id text,
  failures    int not null default 0,
  failure     text,
  not_before  timestamptz not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  in_turn     boolean not null default false,
  apart       int not null default 0,
  burnt       int not null default 0,
  is_account  boolean
);
comment on table relay_items is 'Owner: rail-evm. One row a settlement or refund that an order asked for. The id is the order''s own row id.';
comment on column relay_items.token is 'null: the native coin';
comment on column relay_items.to_address is 'Where a refund goes, lower case; null for a settlement.';
comment on column relay_items.state is 'waiting: for its turn; sent: in a transaction; done and failed: told to the order.';
comment on column relay_items.proposal_id is 'Of an announced refund: what the chain knows it by; it may be executed from `not_before` on.';
comment on column relay_items.apart is
  'Settlements that the relay sends apart from those of others, since a transaction that carried them failed. 0: with others; 1: '
  'only with those of the same receiver; 2: alone; each failure alone adds one.';
create index relay_items_apart on relay_items (chain, updated_at) where apart > 1;
create index relay_items_burnt on relay_items (chain, updated_at) where burnt > 0;
create unique index relay_items_one_refund on relay_items (leg_ref, chain, coalesce(token, ''), to_address) where in_turn and kind <> 'settle' and (state in ('waiting', 'sent'));
create index relay_items_open_by_leg on relay_items (leg_ref) where state in ('waiting', 'sent');
create index relay_items_waiting on relay_items (chain, not_before) where state = 'waiting';

create table relay_outbox (
  chain        text not null,
  signer       text not null,
  nonce        bigint not null,
  state        text not null check (state in ('open', 'mined', 'done', 'lost')),
  purpose      text not null check (purpose in ('settle', 'refund_bound', 'propose', 'execute')),
  item_ids     text[] not null,
  to_address   text not null,
  data         text not null,
  gas          bigint not null,
  sent_height  bigint not null,
  sent_at      timestamptz not null,
  mined_hash   text,
  mined_height bigint,
  lost_looks   int not null default 0,
  created_at   timestamptz not null,
  first_height bigint,
  is_overdue   boolean not null default false,
  cost         numeric(78, 0),
  primary key (chain, signer, nonce)
);
comment on table relay_outbox is
  'Owner: rail-evm. open: not mined yet; mined: in a block that may still go; done: final; lost: another transaction took its '
  'number.';
comment on column relay_outbox.sent_height is 'The head when the newest attempt was sent: how long it waits is counted in blocks.';
comment on column relay_outbox.lost_looks is 'How many looks found the number used and none of our transactions mined under it.';
comment on column relay_outbox.is_overdue is 'Whether its orders were told that it waits for too long.';
comment on column relay_outbox.cost is 'What a mined transaction cost, in wei, with what a rollup charges for its data.';
create index relay_outbox_costs on relay_outbox (chain, signer, sent_at) include (cost) where cost is not null;
create index relay_outbox_live on relay_outbox (chain, signer, nonce) where state in ('open', 'mined');

create table relay_attempts (
  hash       text collate "C" primary key,
  chain      text not null,
  signer     text not null,
  nonce      bigint not null,
  raw        text not null,
  max_fee    numeric(78, 0) not null,
  tip        numeric(78, 0) not null,
  created_at timestamptz not null,
  foreign key (chain, signer, nonce) references relay_outbox(chain, signer, nonce)
);
comment on table relay_attempts is 'Owner: rail-evm. Every signed form of a transaction: any of them may be the one that is mined.';
create index relay_attempts_of_row on relay_attempts (chain, signer, nonce, created_at);

create table relay_signers (
  chain         text not null,
  signer        text not null,
  trouble       text,
  balance       numeric(78, 0),
  looked_at     timestamptz not null,
  role          text not null check (role in ('relayer', 'refunder')),
  trouble_kind  text,
  trouble_since timestamptz,
  primary key (chain, signer)
);
comment on table relay_signers is 'Owner: rail-evm. How each key fares, for people: any process can tell it, also one that sends nothing.';
comment on column relay_signers.trouble is 'What a person has to know, or null when all is well.';

create table unreadable_tokens (
  chain    text collate "C" not null,
  contract text collate "C" not null,
  why      text not null,
  since    timestamptz not null,
  asked_at timestamptz,
  primary key (chain, contract)
);
comment on table unreadable_tokens is
  'Owner: rail-evm. Tokens of the rails file (otherTokens) that do not answer as tokens do: left out of what is read, and said. '
  'asked_at: when one was asked last; null where only its decimals are others than the file says, and it is read all the same.';
