-- Roles for a PostgreSQL of your own, so that each process may do what it has to and no more. Run it in Florin's database as a superuser or as
-- its owner, once before the first MODE=migrate and again after each upgrade; then give each a password (\password florin_app).
--
--   florin_owner  MODE=migrate, worker, all and `npm run backup -- restore`: owns the tables; workers make and drop partitions
--   florin_app    MODE=api: reads and writes rows, changes no schema, empties no table
--   florin_read   people and reports: reads, but nothing that opens anything
do $$
declare
  role text;
begin
  foreach role in array array['florin_owner', 'florin_app', 'florin_read'] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I login', role);
      -- For people with psql: a process sets it for each session.
      execute format('alter role %I set search_path = florin', role);
    end if;
  end loop;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to florin_owner, florin_app, florin_read', current_database());
  execute format('grant create on database %I to florin_owner', current_database());
end $$;

create schema if not exists florin;

-- Another role owns the tables where it ran Florin or a restore before. Only a superuser, or a member of both roles, may change that.
do $$
declare
  one record;
begin
  for one in
    select case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind, c.relname as name
    from pg_class c
    where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p', 'S', 'v') and c.relowner <> 'florin_owner'::regrole
      -- These belong to an extension, or follow the table that they count for.
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e') and
        (d.deptype = 'e' or c.relkind = 'S'))
  loop
    execute format('alter %s %I owner to florin_owner', one.kind, one.name);
  end loop;
  for one in
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'florin'::regnamespace and p.proowner <> 'florin_owner'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter routine %s owner to florin_owner', one.name);
  end loop;
end $$;

alter schema florin owner to florin_owner;
grant usage on schema florin to florin_app, florin_read;

grant select, insert, update, delete on all tables in schema florin to florin_app;
grant usage, select, update on all sequences in schema florin to florin_app;
grant execute on all functions in schema florin to florin_app;
-- What migrations and workers make later, new partitions among it.
alter default privileges for role florin_owner in schema florin grant select, insert, update, delete on tables to florin_app;
alter default privileges for role florin_owner in schema florin grant usage, select, update on sequences to florin_app;

-- Reading: all but what signs in, signs, opens a page or is sealed. Tables of later releases are added when this is run again.
do $$
declare
  one record;
begin
  for one in
    select c.relname as name,
      (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attname not in ('checkout_token', 'body', 'box', 'holder', 'payer_email', 'payer_name', 'payer_note', 'answer', 'token', 'token_hash')) as columns
    from pg_class c
    where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('sessions', 'login_codes', 'login_wrong_tries', 'confirmation_codes', 'known_browsers', 'api_key_hashes', 'webhook_secrets',
        'mail_outbox', 'mail_links', 'mail_notices', 'recovery_seed', 'master_key_check', 'idempotency_keys', 'payer_mails', 'email_changes', 'order_lookup')
  loop
    execute format('revoke all on %I from florin_read', one.name);
    execute format('grant select (%s) on %I to florin_read', one.columns, one.name);
  end loop;
end $$;
