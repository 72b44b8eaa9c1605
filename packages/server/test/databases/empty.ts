// The emptying of a database that a test is done with, so that the next finds it as it was made.
import type { Sql } from '@florin/platform/db/pool'

/** Deleting from more than this is dearer than new files. */
const TRUNCATED_BYTES = 1_000_000
/** The least that an index has which was ever written to. */
const INDEX_BYTES = 16_384

/**
 * Deleted and vacuumed, which takes a fifth of what it takes to truncate: that writes new files for all that refers to one
 * of them, some hundreds with the indexes. No page is left either way, and no statistics: plans and page counts begin as in a
 * new database. Only what holds rows is touched, as most of the tables are partitions without any.
 */
export async function emptyTables(sql: Sql): Promise<void> {
  const found = await sql.unsafe<{ name: string; isLarge: boolean }[]>(
    `select oid::regclass::text as name, bytes > ${TRUNCATED_BYTES} as "isLarge"
     from (select oid, pg_relation_size(oid) as bytes from pg_class
           where relkind = 'r' and relnamespace = to_regnamespace('florin') and relname <> 'migrations') as tables
     where bytes > 0`,
  )
  const tables = found.map(({ name }) => name)
  if (tables.length > 0 && !found.some(({ isLarge }) => isLarge)) {
    // Without triggers, those of foreign keys among them: all that refers to a row goes with it.
    const deletes = tables.map((table) => `delete from only ${table}`).join(';')
    await sql.unsafe(`begin; set local session_replication_role = replica; ${deletes}; commit`)
    await sql.unsafe(`vacuum (truncate, index_cleanup on) ${tables.join(', ')}`)
  }
  await sql.unsafe(asNew(tables))
}

/** Truncates what still has pages: all of it where it was large, or what somebody still looked at. */
const asNew = (tables: readonly string[]): string => `
  do $$
  declare
    emptied regclass[] := '{${tables.join(',')}}';
    names text;
  begin
    select string_agg(t::text, ', ') into names from unnest(emptied) t where pg_relation_size(t) > 0;
    if names is not null then execute 'truncate ' || names || ' cascade'; end if;
    for names in select indexrelid::regclass::text from pg_index
      where indrelid = any(emptied) and pg_relation_size(indexrelid) > ${INDEX_BYTES}
    loop
      execute 'reindex index ' || names;
    end loop;
    update pg_class set relpages = 0, reltuples = -1, relallvisible = 0 where oid = any(emptied);
    perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null;
    delete from pg_statistic where starelid >= 16384;
  end $$`

/**
 * Differs when a test made, dropped or changed a table, an index, a function, a constraint or a trigger. Rows of catalogs are
 * known by the transaction that wrote them, which a clone has of its template, but for those of tables and indexes: emptying
 * writes these.
 */
export async function fingerprint(sql: Sql): Promise<string> {
  const [found] = await sql<{ is: boolean }[]>`select to_regclass('migrations') is not null as is`
  if (found?.is !== true) return ''
  const [row] = await sql<{ text: string }[]>`
    select concat_ws(' ',
      (select concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', relname, relkind, relnatts, relchecks,
                                           relispartition, reloptions), 0)))
       from pg_class where relnamespace = 'florin'::regnamespace),
      (select concat_ws(' ', count(*), sum(xmin::text::bigint)) from pg_proc where pronamespace = 'florin'::regnamespace),
      (select concat_ws(' ', count(*), sum(xmin::text::bigint)) from pg_trigger),
      (select concat_ws(' ', count(*), sum(xmin::text::bigint)) from pg_constraint),
      (select concat_ws(' ', count(*), sum(xmin::text::bigint)) from pg_attribute where attrelid >= 16384),
      (select concat_ws(' ', count(*), sum(xmin::text::bigint)) from migrations)) as text`
  return row?.text ?? ''
}
