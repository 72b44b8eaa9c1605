-- Tables of NEAR Intents.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create table intents_catalogue (
  one        boolean default true primary key check (one),
  tokens     json not null,
  fetched_at timestamptz not null
);
comment on table intents_catalogue is
  'Owner: rail-intents. The provider''s list of tokens, as last read: one row, shared by all processes, and there while the provider '
  'is away.';

create table intents_feed (
  one     boolean default true primary key check (one),
  read_at timestamptz not null
);
comment on table intents_feed is 'Owner: rail-intents. When the partner''s list of swaps was read last.';

create table intents_legs (
  ref              text collate "C" primary key,
  order_ref        text collate "C" not null,
  livemode         boolean not null,
  pay              json not null,
  settle           json not null,
  merchant_address text collate "C" not null,
  refund_address   text collate "C" not null,
  address          text collate "C" not null,
  memo             text collate "C",
  opened           json not null,
  reply            json not null,
  created_at       timestamptz not null,
  pay_until        timestamptz not null,
  returns_from     timestamptz not null,
  watch_until      timestamptz not null,
  amount_due       numeric not null,
  amount_least     numeric not null,
  amount_out       numeric not null,
  refund_fee       numeric not null,
  fee_bps          int not null,
  settlement_id    text collate "C",
  status           text collate "C" not null default 'PENDING_DEPOSIT',
  stage            text collate "C" not null default 'waiting' check (stage in ('waiting', 'paid', 'claimed', 'done', 'returned', 'failed')),
  announced        numeric,
  deposits         int not null default 0,
  deposited        numeric not null default 0,
  gross            numeric not null default 0,
  returned         numeric not null default 0,
  failure          text,
  claimed_at       timestamptz,
  proof_key        text collate "C" unique,
  alarms           text[] not null default '{}'::text[],
  looked_at        timestamptz,
  due_at           timestamptz,
  rank             smallint not null default 2,
  misses           int not null default 0,
  hot_until        timestamptz,
  hint             text collate "C",
  hinted           text[] not null default '{}'::text[],
  takes_unproven   boolean not null default false,
  is_vouched       boolean not null default false,
  place            text collate "C",
  refund_id        text collate "C",
  ended_at         timestamptz,
  is_proven        boolean not null default false
);
comment on table intents_legs is 'Owner: rail-intents.';
comment on column intents_legs.reply is 'The signed reply, whole, for disputes.';
comment on column intents_legs.pay_until is
  'Ours and theirs: until when payers are told to pay, from when the provider returns what is short, and until when it looks.';
comment on column intents_legs.fee_bps is 'All fees of the swap, in the amount that it takes.';
comment on column intents_legs.settlement_id is 'The settlement that its order asked for last.';
comment on column intents_legs.status is 'What the swap was last seen to be: the provider''s own word, and what was made of it.';
comment on column intents_legs.proof_key is 'Names the transfer that proved the payout: one transfer pays one order.';
comment on column intents_legs.looked_at is 'When the provider told of it last, and when it is asked next; null: never again.';
comment on column intents_legs.rank is '0: something is known to have happened; 1: a payer is at it, or money is under way; 2: the others.';
comment on column intents_legs.misses is 'How often it failed to answer in a row.';
comment on column intents_legs.hint is 'A transaction that the provider was not told of yet.';
comment on column intents_legs.hinted is 'Transactions that payers named on a leg: each is told to the provider once, and there are only so many.';
comment on column intents_legs.place is 'A swap''s address as its chain''s rules spell it, whatever the provider writes: refunds never go to one.';
comment on column intents_legs.refund_id is
  'The refund of a swap''s money that was asked for last: it fails with the swap, whenever the provider says so.';
create index intents_legs_by_order on intents_legs (order_ref);
create unique index intents_legs_by_place on intents_legs (address, coalesce(memo, ''));
create index intents_legs_by_rank on intents_legs (rank, due_at) where due_at is not null;
create index intents_legs_by_spelling on intents_legs (place);
create index intents_legs_paid_back_at on intents_legs (lower(refund_address));
create index intents_legs_to_bring on intents_legs (lower(merchant_address)) where due_at is not null and (stage in ('waiting', 'paid', 'claimed', 'failed'));

create table intents_payout_costs (
  chain   text collate "C" not null,
  asset   text collate "C" not null,
  cost    numeric not null,
  told_at timestamptz not null,
  primary key (chain, asset)
);
comment on table intents_payout_costs is
  'Owner: rail-intents. What the provider takes for paying out an asset, as it said last: learned from quotes, and shared by all '
  'processes, so that estimates are of the whole price. In smallest units.';

create table intents_sick (
  chain text collate "C" not null,
  asset text collate "C" not null,
  side  text collate "C" not null check (side in ('pay', 'settle')),
  since timestamptz not null,
  until timestamptz not null,
  note  text not null,
  primary key (chain, asset, side)
);
comment on table intents_sick is 'Owner: rail-intents. Ways that the provider refused lately; a row ends by itself.';
