// SQL of backups: what there is to copy, and copying it. Texts are written the same way whatever the server's settings
// are. Rows are read in the order that they have on disk, which a copy does not keep.
import type { Readable, Writable } from 'node:stream'
import { hasMasterKey } from '@florin/platform/db/copies'
import { isBrokenReference } from '@florin/platform/db/failures'
import { migrationKey } from '@florin/platform/db/migrate'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export { findInstallation, isAsleep, nameInstallation, putToSleep, wakeUp } from '@florin/platform/db/copies'

export interface TableToCopy {
  name: string
  columns: string[]
}

/** One view of the whole database, however long the copy takes and whatever is written meanwhile. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await fixForms(client)
}

export async function fixForms(client: pg.Client): Promise<void> {
  await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
    set local bytea_output = 'hex'; set local extra_float_digits = 1; set local synchronize_seqscans = off;
    set local search_path = florin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local max_parallel_workers_per_gather = 0`)
}

/** Florin's schema, and no limits: the role may have those of a service's sessions. A session of a pooler, which others use after this, keeps them. */
export async function settleSession(client: pg.Client): Promise<void> {
  await client.query(
    `select set_config(name, value, false)
     from (values ('search_path', 'florin'), ('statement_timeout', '0'), ('lock_timeout', '0'),
       ('idle_in_transaction_session_timeout', '0')) as wanted (name, value)
     where pg_backend_pid() = $1`,
    ['processID' in client ? client.processID : null],
  )
}

/** All of them, partitioned ones as a whole, by name; columns that are computed are left out. */
export async function listTables(client: pg.Client): Promise<TableToCopy[]> {
  const { rows } = await client.query<TableToCopy>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname collate "C"`)
  return rows
}

/** First and last day that a partitioned table has a partition for. */
export async function listPartitionDays(client: pg.Client): Promise<{ name: string; from: string; until: string }[]> {
  const { rows } = await client.query(`
    select p.relname as name, min(right(c.relname, 8)) as from, max(right(c.relname, 8)) as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relnamespace = 'florin'::regnamespace and p.relkind = 'p' and c.relname ~ '_[0-9]{8}$'
    group by p.relname order by p.relname`)
  return rows
}

export async function listSequences(client: pg.Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'florin' and last_value is not null order by sequencename`)
  return rows
}

/** Columns that count on by a sequence which is not behind their highest value: the next row would be refused, or a number given twice. */
export async function listSequencesBehind(client: pg.Client): Promise<{ table: string; says: string }[]> {
  const { rows } = await client.query<{ value: string | null; table: string; column: string }>(`
    select pg_sequence_last_value(s.oid)::text as value, t.oid::regclass::text as table,
      a.attname as column
    from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      and s.relnamespace = any (current_schemas(false)::regnamespace[])
    order by s.oid::regclass::text`)
  const behind: { table: string; says: string }[] = []
  for (const { value, table, column } of rows) {
    const found = await client.query<{ most: string | null }>(
      `select max(${quoted(column)})::text as most from ${table}`,
    )
    const most = found.rows[0]?.most ?? null
    if (most !== null && BigInt(most) > BigInt(value ?? 0))
      behind.push({ table, says: `${column} counts on from ${value ?? 'its start'}, and has ${most} already` })
  }
  return behind
}

/** As `migrationKey` writes them. */
export async function listMigrationKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ package: string; number: number }>(
    'select package, number from migrations order by package, number',
  )
  return rows.map(migrationKey)
}

export async function databaseTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now()')
  return rows[0]?.now ?? new Date(0)
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const columnsOf = ({ columns }: TableToCopy): string => columns.map(quoted).join(', ')

export const readTable = (client: pg.Client, table: TableToCopy): Readable =>
  client.query(copyTo(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`))

export const fillTable = (client: pg.Client, table: TableToCopy): Writable =>
  client.query(copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`))

/** Whether merchants ever used it. */
export async function isUsed(client: pg.Client): Promise<boolean> {
  if (await hasMasterKey(client)) return true
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('merchant_accounts') is not null as is`)
  return rows[0]?.is === true && (await client.query('select 1 from merchant_accounts limit 1')).rows.length > 0
}

export interface Reference {
  table: string
  name: string
  definition: string
}

/** Foreign keys, but those that partitions have from their table. */
export async function listReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'florin'::regnamespace
    order by r.relname, c.conname`)
  return rows
}

/**
 * The file has the tables by name, so a row may come before the one that it refers to: references are made again at the end. What
 * triggers would do was done when the rows were written. Only a superuser could switch both off for the session.
 */
export async function beginFilling(
  client: pg.Client,
  tables: readonly TableToCopy[],
  references: readonly Reference[],
): Promise<void> {
  await client.query('begin')
  await fixForms(client)
  for (const { table, name } of references)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
}

/** Checks all rows. @returns what is wrong with them; the reference then holds for new rows alone. */
export async function addReference(client: pg.Client, { table, name, definition }: Reference): Promise<string | null> {
  const add = `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`
  await client.query('savepoint reference')
  try {
    await client.query(add)
    return null
  } catch (error) {
    if (!isBrokenReference(error)) throw error
    await client.query('rollback to savepoint reference')
    await client.query(`${add} not valid`)
    return error instanceof Error ? error.message : name
  } finally {
    await client.query('release savepoint reference')
  }
}

export async function endFilling(client: pg.Client, tables: readonly TableToCopy[]): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
  await client.query('commit')
}

/** What is counted, and how many: equal in a copy. `form` is another one once other things are counted. */
export type Totals = Record<string, string>

/** Orders, events, deliveries and money, as text of decimal numbers. */
export async function readTotals(client: pg.Client): Promise<Totals> {
  const { rows } = await client.query<{ what: string; total: string }>(`
    select what, total from order_totals union all select what, total from delivery_totals`)
  return { form: '1', ...Object.fromEntries(rows.map(({ what, total }) => [what, total])) }
}

export async function makeOldPartitions(
  client: pg.Client,
  a: { name: string; from: string; until: string; widthDays: number },
): Promise<void> {
  await client.query(`select make_partitions($1, to_date($2, 'YYYYMMDD'), to_date($3, 'YYYYMMDD'), $4)`, [
    a.name,
    a.from,
    a.until,
    a.widthDays,
  ])
}

/** Whether other sessions than those of backups are named Florin's. Every role sees names. */
export async function isWorkedOn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name ~ '^florin (all|api|worker|migrate)' limit 1`,
  )
  return rows.length > 0
}

export async function setSequence(client: pg.Client, a: { name: string; value: string }): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [quoted(a.name), a.value])
}
