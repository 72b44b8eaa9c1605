-- Mails to payers within the last day, to bound them for each mailbox over all shops. The mailbox is a keyed hash of its
-- address: the rows tell nobody who was mailed.
create table payer_mails (
  id bigint generated always as identity primary key,
  mailbox bytea not null,
  merchant_id text collate "C" not null references merchants (id),
  -- An invoice comes before any money: it has a smaller share.
  is_invoice boolean not null,
  at timestamptz not null
);
create index payer_mails_of_mailbox on payer_mails (mailbox, at);
create index payer_mails_in_order on payer_mails (at);

-- Mailboxes that want no more: of one shop, or of any where merchant_id is empty.
create table payer_mail_stops (
  mailbox bytea not null,
  merchant_id text collate "C" not null,
  stopped_at timestamptz not null,
  primary key (mailbox, merchant_id)
);
