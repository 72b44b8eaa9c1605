-- The audit log is appended to and never changed, but for one thing: what a person typed as a reason may be forgotten, since a
-- payer who is named there can ask for it. Nothing else of the entry may differ.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.detail::jsonb ? 'reason' and new.detail::jsonb = old.detail::jsonb - 'reason'
    and (new.id, new.merchant_id, new.actor, new.action, new.subject, new.created_at)
      = (old.id, old.merchant_id, old.actor, old.action, old.subject, old.created_at) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create or replace trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
