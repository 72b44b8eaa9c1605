-- What the platform itself keeps: the master key's check value, the audit log, mail that waits to go out.

create table master_key_check (
  one    boolean primary key check (one),
  key_id text  not null,
  box    bytea not null
);

-- Ids are compared byte by byte: their order is their time, whatever the database's locale.
create table audit_log (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null,
  actor       text not null,
  action      text not null,
  subject     text not null,
  detail      json not null,
  created_at  timestamptz not null
);
create index audit_log_of_merchant on audit_log (merchant_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_change();

-- Bodies are sealed: they can hold sign-in codes. A row is deleted once the SMTP server took it.
create table mail_outbox (
  id         text collate "C" primary key,
  key_id     text not null,
  box        bytea not null,
  attempts   int not null default 0,
  due_at     timestamptz not null,
  -- A code that is no longer valid is not worth sending.
  drop_after timestamptz not null,
  created_at timestamptz not null
);
create index mail_outbox_due on mail_outbox (due_at);
