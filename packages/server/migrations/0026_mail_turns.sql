-- Kinds of notices that are counted apart, so that none can displace another: addresses, which an old session can ask
-- for; what takes a fresh sign-in; refunds, which anybody with a link can ask for; and the rest.
alter table mail_notices drop constraint mail_notices_weight_check,
  add constraint mail_notices_weight_check check (weight in ('addresses', 'matters', 'refunds', 'routine'));

-- What is due goes out by turn first: the first notice of each kind before the second of any. 0: no notice.
alter table mail_outbox add column turn smallint not null default 0;
create index mail_outbox_by_turn on mail_outbox (turn, due_at);
drop index mail_outbox_due;

-- The session that was shown the key: it made or last rotated it. Null: made before this was kept.
alter table api_keys add column shown_to_session text;
