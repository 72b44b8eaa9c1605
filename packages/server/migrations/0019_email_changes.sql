-- A merchant's email changes when the mailboxes have said yes and a delay has passed.

create table email_changes (
  id              text collate "C" primary key,
  merchant_id     text collate "C" not null references merchants,
  old_email       text not null,
  new_email       text not null,
  -- the merchant's email, or operator:<email> where the old mailbox is lost
  asked_by        text not null,
  by_operator     boolean not null,
  old_approved_at timestamptz,
  new_approved_at timestamptz,
  -- null until the mailboxes have said yes
  effective_at    timestamptz,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  -- done, canceled, taken (the new email belongs to somebody else by then) or lapsed
  outcome         text,
  ended_at        timestamptz
);
create unique index email_change_one_open on email_changes (merchant_id) where ended_at is null;
create index email_changes_of_merchant on email_changes (merchant_id, id desc);
create index email_changes_due on email_changes (coalesce(effective_at, expires_at)) where ended_at is null;
