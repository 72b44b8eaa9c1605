-- A swap that ended may turn out to have ended otherwise: since when it has, and whether a second source saw its payout.
alter table intents_legs
  add column ended_at timestamptz,
  add column is_proven boolean not null default false;
