-- NEAR Intents: a third party carries the money for some minutes. What the provider lists, the legs it opened with its whole
-- signed reply, and what each swap was last seen to be. Amounts are in smallest units.

-- The provider's list of tokens, as last read: one row, shared by all processes, and there while the provider is away.
create table intents_catalogue (
  one boolean primary key default true check (one),
  tokens json not null,
  fetched_at timestamptz not null
);

-- Ways that the provider refused lately; a row ends by itself.
create table intents_sick (
  chain text collate "C" not null,
  asset text collate "C" not null,
  side text collate "C" not null check (side in ('pay', 'settle')),
  since timestamptz not null,
  until timestamptz not null,
  note text not null,
  primary key (chain, asset, side)
);

create table intents_legs (
  ref text collate "C" primary key,
  order_ref text collate "C" not null,
  livemode boolean not null,
  pay json not null,
  settle json not null,
  merchant_address text collate "C" not null,
  refund_address text collate "C" not null,
  address text collate "C" not null,
  memo text collate "C",
  opened json not null,
  -- The signed reply, whole, for disputes.
  reply json not null,
  created_at timestamptz not null,
  -- Ours and theirs: until when payers are told to pay, from when the provider returns what is short, and until when it looks.
  pay_until timestamptz not null,
  returns_from timestamptz not null,
  watch_until timestamptz not null,
  amount_due numeric not null,
  amount_least numeric not null,
  amount_out numeric not null,
  refund_fee numeric not null,
  -- All fees of the swap, in the amount that it takes.
  fee_bps int not null,
  -- The settlement that its order asked for last.
  settlement_id text collate "C",
  -- What the swap was last seen to be: the provider's own word, and what was made of it.
  status text collate "C" not null default 'PENDING_DEPOSIT',
  stage text collate "C" not null default 'waiting'
    check (stage in ('waiting', 'paid', 'claimed', 'done', 'returned', 'failed')),
  announced numeric,
  deposits int not null default 0,
  deposited numeric not null default 0,
  gross numeric not null default 0,
  returned numeric not null default 0,
  failure text,
  claimed_at timestamptz,
  -- Names the transfer that proved the payout: one transfer pays one order.
  proof_key text collate "C" unique,
  alarms text[] not null default '{}',
  -- When the provider told of it last, and when it is asked next; null: never again.
  looked_at timestamptz,
  due_at timestamptz,
  -- 0: something is known to have happened; 1: a payer is at it, or money is under way; 2: the others.
  rank smallint not null default 2,
  -- How often it failed to answer in a row.
  misses int not null default 0,
  hot_until timestamptz,
  -- A transaction that the provider was not told of yet.
  hint text collate "C"
);
create index intents_legs_by_order on intents_legs (order_ref);
create index intents_legs_by_rank on intents_legs (rank, due_at) where due_at is not null;
create index intents_legs_due on intents_legs (due_at) where due_at is not null;
create unique index intents_legs_by_place on intents_legs (address, coalesce(memo, ''));

-- When the partner's list of swaps was read last.
create table intents_feed (
  one boolean primary key default true check (one),
  read_at timestamptz not null
);

-- Which legs of an order a merchant takes through a third party, by the chain that it settles on; by default only test orders.
create table third_party_chains (
  merchant_id text collate "C" not null references merchants (id),
  chain text collate "C" not null,
  livemode boolean not null,
  is_on boolean not null,
  -- A payout that nobody but the provider tells of counts as made.
  takes_unproven boolean not null,
  updated_at timestamptz not null,
  primary key (merchant_id, chain, livemode)
);

-- What must arrive at least where a rail judges it, and the seconds it expects to take.
alter table pay_legs add column least numeric;
alter table pay_legs add column expected_s int;
-- Whether a second source saw the payout of a third party; null: it was the rail's own chain.
alter table settlements add column proven boolean;
-- Whether rails of a third party may carry this order: the merchant's setting when it was made.
alter table orders add column third_party boolean not null default false;
