// The text of schema.sql: what the migrations amount to, written from the catalogs. It is for reading, and psql loads it; Florin's own
// databases are made by the migrations alone. Partitions are left out, since they follow the calendar.
import { SCHEMA } from '@florin/platform/db/connection/session'
import type { Sql } from '@florin/platform/db/pool'

const head = `-- What the migrations amount to. Written by \`npm run db:dump\`; a test fails when it drifts.

create schema ${SCHEMA};
set search_path = ${SCHEMA};
-- Functions are before the tables that they read.
set check_function_bodies = off;`

export async function dumpSchema(sql: Sql): Promise<string> {
  const functions = await sql<{ text: string }[]>`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = ${SCHEMA}::regnamespace order by p.proname`
  const tables = await sql<
    { oid: number; name: string; options: string | null; partitioned: string | null; comment: string | null }[]
  >`
    select c.oid::int as oid, quote_literal(obj_description(c.oid, 'pg_class')) as comment, c.relname as name, array_to_string(c.reloptions, ', ') as options,
      pg_get_partkeydef(c.oid) as partitioned
    from pg_class c
    where c.relnamespace = ${SCHEMA}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`
  const references = await sql<{ text: string }[]>`
    select format('alter table %I add constraint %I %s;', r.relname, c.conname, pg_get_constraintdef(c.oid)) as text
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = ${SCHEMA}::regnamespace order by r.relname, c.conname`
  const parts: string[] = functions.map((row) => `${row.text.trim()};`)
  for (const table of tables) parts.push(await dumpTable(sql, table))
  const views = await sql<{ name: string; text: string; comment: string | null }[]>`
    select c.relname as name, pg_get_viewdef(c.oid) as text, quote_literal(obj_description(c.oid, 'pg_class')) as comment
    from pg_class c where c.relnamespace = ${SCHEMA}::regnamespace and c.relkind = 'v' order by c.relname`
  for (const { name, text, comment } of views)
    parts.push(`create view ${name} as\n${text}\ncomment on view ${name} is ${comment};`)
  const text = [head, ...parts, references.map((row) => row.text).join('\n')].join('\n\n')
  return `${text.replaceAll(`${SCHEMA}.`, '')}\n`
}

async function dumpTable(
  sql: Sql,
  table: { oid: number; name: string; options: string | null; partitioned: string | null; comment: string | null },
): Promise<string> {
  const columns = await sql<{ text: string }[]>`
    select format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) else '' end,
      case when a.attidentity <> '' then ' generated always as identity'
           when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
      case when a.attnotnull then ' not null' else '' end) as text
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table.oid} and a.attnum > 0 and not a.attisdropped
    order by a.attnum`
  // Not-null constraints are named rows since PostgreSQL 18; the columns have them already.
  const constraints = await sql<{ text: string }[]>`
    select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as text
    from pg_constraint where conrelid = ${table.oid} and contype not in ('f', 'n', 't') order by contype desc, conname`
  const indexes = await sql<{ text: string }[]>`
    select pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table.oid} and not exists (select 1 from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
    order by c.relname`
  const triggers = await sql<{ text: string }[]>`
    select pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = ${table.oid} and not tgisinternal order by tgname`
  const body = [...columns, ...constraints].map((row) => `  ${row.text}`).join(',\n')
  const start = `create table ${table.name} (\n${body}\n)`
  const partition = table.partitioned === null ? '' : ` partition by ${table.partitioned.toLowerCase()}`
  const options = table.options === null ? '' : ` with (${table.options})`
  return [
    `${start}${partition}${options};`,
    ...[...indexes, ...triggers].map((row) => `${row.text.replace('ON ONLY ', 'ON ')};`),
    ...(table.comment === null ? [] : [`comment on table ${table.name} is ${table.comment};`]),
  ].join('\n')
}
