-- Tables of the platform: mail, leases, tasks, limits and what else knows nothing of the product.
-- Chain amounts are numeric(78, 0) in smallest units, dollars are bigint micro-dollars. Each table names its owner: the package or feature whose SQL alone names the table.

create function make_partitions(parent text, from_day date, until_day date, width int) returns int language plpgsql as $$
declare
  made int := 0;
  day date := from_day - ((from_day - date '2001-01-01') % width);
  partition text;
begin
  while day <= until_day loop
    partition := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
    if to_regclass(partition) is null then
      execute format('create table %I (like %I including all)', partition, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                     parent, partition, day::timestamp at time zone 'UTC', (day + width)::timestamp at time zone 'UTC');
      made := made + 1;
    end if;
    day := day + width;
  end loop;
  return made;
end $$;
comment on function make_partitions is
  'Partitions are made ahead and dropped after their time by a job. No default partition: rows that landed there would block the '
  'making of the right one. Each covers `width` days counted from a Monday and is named for its first day (UTC): '
  'order_events_20261116. Made beside the table and then attached: made as a part of it from the start, it would wait for every '
  'reader, a backup for instance, and all writers would wait behind it.';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.detail::jsonb ? 'reason' and new.detail::jsonb = old.detail::jsonb - 'reason'
    and (new.id, new.merchant_id, new.actor, new.action, new.subject, new.created_at)
      = (old.id, old.merchant_id, old.actor, old.action, old.subject, old.created_at) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
comment on function refuse_audit_change is
  'The audit log is appended to and never changed, but for one thing: what a person typed as a reason may be forgotten, since a '
  'payer who is named there can ask for it. Nothing else of the entry may differ.';

create table audit_log (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null,
  actor       text not null,
  action      text not null,
  subject     text not null,
  detail      json not null,
  created_at  timestamptz not null
);
comment on table audit_log is 'Owner: platform. Ids are compared byte by byte: their order is their time, whatever the database''s locale.';
create index audit_log_of_merchant on audit_log (merchant_id, id desc);
create trigger audit_log_is_append_only before delete or update on audit_log for each row execute function refuse_audit_change();

create table installation (
  one          boolean default true primary key check (one),
  id           text not null,
  former_id    text,
  asleep_since timestamptz,
  created_at   timestamptz not null
);
comment on table installation is
  'Owner: platform. Which Florin this database is of. A copy that was restored for practice has a name of its own and sleeps: no '
  'process of it that sends or settles starts. A restore makes the table itself where its backup is older.';
comment on column installation.former_id is 'Of a copy: what it is a copy of.';

create table leases (
  name   text collate "C" primary key,
  holder text not null,
  token  bigint not null,
  until  timestamptz not null
);
comment on table leases is
  'Owner: platform. Who may do what only one process does at a time. The token grows with every change of hands, so a holder that '
  'slept through its lease is refused by the rows it would write.';

create table limits (
  scope   text collate "C" not null,
  part    timestamptz not null,
  n       int not null,
  ends_at timestamptz not null,
  primary key (scope, part)
);
comment on table limits is 'Owner: platform.';
comment on column limits.scope is 'What is counted, and of whom.';
comment on column limits.part is 'When this window began, or this twelfth of a sliding one.';
comment on column limits.ends_at is 'When no limit counts it any more.';
create index limits_by_end on limits (ends_at);

create table mail_links (
  id          text collate "C" primary key,
  token_hash  bytea not null,
  merchant_id text collate "C" not null,
  kind        text not null,
  subject     text not null,
  detail      json not null,
  session_id  text,
  browser     bytea,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz,
  constraint mail_link_token_is_unique unique (token_hash)
);
comment on table mail_links is 'Owner: platform. One-click links in mails: the token is known to the mailbox alone.';
comment on column mail_links.detail is 'what was, and what the act made of it';
create index mail_links_by_end on mail_links (expires_at);
create index mail_links_of_session on mail_links (session_id, id desc);

create table mail_notices (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null,
  weight      text not null check (weight in ('addresses', 'matters', 'refunds', 'routine')),
  email       text not null,
  key_id      text,
  box         bytea,
  created_at  timestamptz not null,
  mailed_at   timestamptz
);
comment on table mail_notices is
  'Owner: platform. What merchants are told: counted by weight, and gathered into digests beyond the caps. The text is sealed, since '
  'it holds links; it is empty once it was mailed.';
create index mail_notices_by_age on mail_notices (created_at);
create index mail_notices_of_merchant on mail_notices (merchant_id, weight, created_at desc);
create index mail_notices_unmailed on mail_notices (weight, created_at) where mailed_at is null;

create table mail_outbox (
  id         text collate "C" primary key,
  key_id     text not null,
  box        bytea not null,
  attempts   int not null default 0,
  due_at     timestamptz not null,
  drop_after timestamptz not null,
  created_at timestamptz not null,
  turn       smallint not null default 0
);
comment on table mail_outbox is 'Owner: platform. Bodies are sealed: they can hold sign-in codes. A row is deleted once the SMTP server took it.';
comment on column mail_outbox.drop_after is 'A code that is no longer valid is not worth sending.';
comment on column mail_outbox.turn is 'What is due goes out by turn first: the first notice of each kind before the second of any. 0: no notice.';
create index mail_outbox_by_turn on mail_outbox (turn, due_at);

create table mail_switches (
  merchant_id text collate "C" not null,
  kind        text collate "C" not null,
  off_at      timestamptz not null,
  primary key (merchant_id, kind)
);
comment on table mail_switches is 'Owner: platform. What a merchant does not want to be mailed. No row: it is wanted.';

create table master_key_check (
  one    boolean primary key check (one),
  key_id text not null,
  box    bytea not null
);
comment on table master_key_check is 'Owner: platform.';

create table payer_mail_stops (
  mailbox     bytea not null,
  merchant_id text collate "C" not null,
  stopped_at  timestamptz not null,
  primary key (mailbox, merchant_id)
);
comment on table payer_mail_stops is 'Owner: platform. Mailboxes that want no more: of one shop, or of any where merchant_id is empty.';

create table payer_mails (
  id          bigint generated always as identity primary key,
  mailbox     bytea not null,
  merchant_id text collate "C" not null,
  is_invoice  boolean not null,
  at          timestamptz not null,
  is_test     boolean not null default false
);
comment on table payer_mails is
  'Owner: platform. Mails to payers within the last day, to bound them for each mailbox over all shops. The mailbox is a keyed hash '
  'of its address: the rows tell nobody who was mailed.';
comment on column payer_mails.is_invoice is 'An invoice comes before any money: it has a smaller share.';
comment on column payer_mails.is_test is
  'A payment on a test network costs its payer nothing, so mails to payers of test orders are bounded for each merchant too.';
create index payer_mails_in_order on payer_mails (at);
create index payer_mails_of_mailbox on payer_mails (mailbox, at);
create index payer_mails_of_tests on payer_mails (merchant_id, at) where is_test;

create table tasks (
  kind       text collate "C" not null,
  owner      text collate "C" not null default '',
  subject    text collate "C" not null,
  run_at     timestamptz,
  created_at timestamptz not null,
  attempts   int not null default 0,
  fence      int not null default 0,
  payload    jsonb not null default '{}'::jsonb,
  primary key (kind, owner, subject)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
comment on table tasks is
  'Owner: platform. Owner: platform. Work that is due at a time, once: "do `kind` for `subject` at `run_at`". A claim moves `run_at` '
  'to the end of its lease, so that a task of a worker that died becomes due again.';
comment on column tasks.owner is 'The merchant, where all tasks of one merchant are read together; else empty.';
comment on column tasks.run_at is 'Null: it is done and kept, so that the same is never asked for again.';
comment on column tasks.attempts is 'Claims since it was last asked for.';
comment on column tasks.fence is 'Grows with each claim and each time that it is asked for anew: only the newest claim can end or postpone it.';
create index tasks_due on tasks (kind, run_at) where run_at is not null;

create table traces (
  subject     text collate "C" primary key,
  traceparent text not null,
  created_at  timestamptz not null
);
comment on table traces is
  'Owner: platform. Which trace what is done about an order belongs to, where traces are wanted: it outlives the request that began '
  'it.';
create index traces_by_age on traces (created_at);

comment on table migrations is 'Owner: platform. The files that ran, with the SHA-256 of their text. The runner creates it.';
