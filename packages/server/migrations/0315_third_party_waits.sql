-- A switch of a third party for real money counts from `effective_at` on, as a receiving address does. Until then
-- `until_on` and `until_unproven` count. null: nothing waits. `session_id` is the session that set it, for the link in the mail.
alter table third_party_chains
  add column effective_at timestamptz,
  add column until_on boolean,
  add column until_unproven boolean,
  add column session_id text collate "C",
  add constraint third_party_waits_whole
    check ((effective_at is null) = (until_on is null) and (effective_at is null) = (until_unproven is null));
