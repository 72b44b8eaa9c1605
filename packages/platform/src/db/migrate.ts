// Schema migrations: numbered SQL files of each package, forward only, each in one transaction with the row that records it. Of
// concurrent starters one has its turn at a time, and each checks again whether a file was run.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { SCHEMA } from './connection/session.ts'
import { isConflict, isDuplicate } from './failures.ts'
import { inTurn, type Say, sayNothing } from './locks/turn.ts'
import { takeLocks, untilLocked } from './migration-locks.ts'
import { asOwner } from './owner.ts'
import type { Sql } from './pool.ts'
import type { Tx } from './tx.ts'

/** A package that has tables. */
export interface MigrationFolder {
  package: string
  folder: string
}

export interface Migration {
  package: string
  /** Counts in its package. */
  number: number
  name: string
  text: string
}

/** By the order of the packages, and in a package by number. */
export async function listMigrations(folders: readonly MigrationFolder[]): Promise<Migration[]> {
  const lists = await Promise.all(folders.map(listOf))
  return lists.flat()
}

async function listOf({ package: owner, folder }: MigrationFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      package: owner,
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      text: await readFile(join(folder, file), 'utf8'),
    })),
  )
}

export const migrationKey = (migration: { package: string; number: number }): string =>
  `${migration.package}/${migration.number}`

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const OLDEST_VERSION = 15

/** @throws OperatorError before anything is written, saying what would be right. */
async function checkServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ major: number; encoding: string }[]>`
    select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding`
  if (row === undefined || row.major < OLDEST_VERSION) {
    throw new OperatorError(
      `This is PostgreSQL ${row?.major}; Florin needs ${OLDEST_VERSION} or newer. Upgrade it, or leave DATABASE_URL out.`,
    )
  }
  if (row.encoding !== 'UTF8') {
    throw new OperatorError(
      `The database's encoding is ${row.encoding}; Florin keeps names and texts of all languages and needs UTF8. ` +
        `Make one with: create database florin encoding 'UTF8' template template0`,
    )
  }
}

/**
 * Brings the database to this code's schema.
 * A file that begins with `-- contracts` takes something away from older code: it raises `min_code` to its own number,
 * and code whose newest migration is below `min_code` refuses to start. Everything else only expands, so replicas
 * of two releases may run side by side.
 * A file that begins with `-- concurrently` makes and drops indexes while orders are written, outside a transaction; it may
 * be killed at any point and is run again.
 * @param sql needs two connections, directly to PostgreSQL where there is something to run.
 * @param folders in the order that they are run: a package refers to tables of those before it.
 * @param isWanted leaves files out, for a schema as an older release had it.
 * @param say is given a line where another process is waited for.
 * @returns the names of what was run.
 * @throws OperatorError when the database needs newer code, is too old, ran another text of a file, is of another encoding than UTF8,
 * of another owner, or behind a pooler.
 */
export function migrate(
  sql: Sql,
  folders: readonly MigrationFolder[],
  { isWanted = () => true, say = sayNothing }: { isWanted?: (migration: Migration) => boolean; say?: Say } = {},
): Promise<string[]> {
  return asOwner(() => migrateAll(sql, { folders, isWanted, say }))
}

async function migrateAll(
  sql: Sql,
  options: { folders: readonly MigrationFolder[]; isWanted: (migration: Migration) => boolean; say: Say },
): Promise<string[]> {
  const { folders, isWanted, say } = options
  await checkServer(sql)
  const known = await listMigrations(folders)
  const missing = listMissing(known, await listDone(sql)).filter(isWanted)
  if (missing.length === 0) return []
  await refusePooler(sql)
  await inTurn(sql, 'migration', makeLog, say)
  const ran: string[] = []
  for (const migration of missing) {
    const name = `${migration.package}/${String(migration.number).padStart(4, '0')}_${migration.name}`
    const isRun = await runEither(sql, migration, say).catch((error: unknown) => {
      if (error instanceof OperatorError) throw error
      throw new Error(`migration ${name} failed`, { cause: error })
    })
    if (isRun) ran.push(name)
  }
  return ran
}

/** Where the schema exists already, the role may lack the right to create one. */
async function makeLog(tx: Tx): Promise<void> {
  const [schema] = await tx`select from pg_namespace where nspname = ${SCHEMA}`
  if (schema === undefined) await tx.unsafe(`create schema ${SCHEMA}`)
  await tx`
    create table if not exists migrations (
      package text not null,
      number int not null,
      name text not null,
      min_code int not null,
      checksum text not null,
      run_at timestamptz not null default now(),
      primary key (package, number)
    )`
}

/** For tests a migration of their own. */
export function runEither(sql: Sql, migration: Migration, say: Say = sayNothing): Promise<boolean> {
  return migration.text.startsWith('-- concurrently')
    ? inTurn(sql, 'index change', (tx) => changeIndexes(sql, tx, migration), say)
    : untilLocked(() => inTurn(sql, 'migration', (tx) => runOne(tx, migration), say))
}

/** `create index concurrently` runs outside a transaction only, and a pooler may give every statement another session. */
async function refusePooler(sql: Sql): Promise<void> {
  if (!(await sql.isPooled())) return
  throw new OperatorError(
    'Migrations have to run, and this connection goes through a pooler, where an index is built only by locking out those who write. ' +
      'Set MIGRATE_DATABASE_URL to the address of PostgreSQL itself, such as postgres://florin_owner:PASSWORD@db.internal:5432/florin, ' +
      'and start this again. For a command other than MODE=migrate and MODE=all, set DATABASE_URL to that address.',
    { docs: 'docs/operations.md#poolers' },
  )
}

interface Done {
  package: string
  number: number
  minCode: number
  checksum: string
}

/**
 * Of an empty database none.
 * @throws OperatorError for a database from before the first baseline, whose tables are in the schema public.
 */
async function listDone(sql: Sql): Promise<Done[]> {
  const [found] = await sql<{ isThere: boolean; isOld: boolean }[]>`
    select to_regclass('migrations') is not null as "isThere",
      exists (select from information_schema.columns
        where table_schema = 'public' and table_name = 'migrations' and column_name = 'min_code') as "isOld"`
  if (found?.isThere === true)
    return sql<Done[]>`
      select package, number, min_code as "minCode", checksum from migrations order by package, number limit 10000`
  if (found?.isOld === true) throw tooOld()
  return []
}

const tooOld = (): OperatorError =>
  new OperatorError(
    "This database is older than the baseline of Florin's schema and cannot be upgraded; to start afresh, set DATABASE_URL to an " +
      'empty database, or DATA_DIR to an empty folder where PostgreSQL is embedded.',
  )

/**
 * For processes that never change a schema, whose database role may not.
 * @throws OperatorError when this code cannot work on the schema as it is.
 */
export async function requireSchema(sql: Sql, folders: readonly MigrationFolder[]): Promise<void> {
  const missing = listMissing(await listMigrations(folders), await listDone(sql))
  const [first] = missing
  if (first === undefined) return
  throw new OperatorError(
    `This database lacks ${missing.length} of this release's migrations, first ${migrationKey(first)} (${first.name}), and MODE=api and MODE=worker change no schema. ` +
      'Run MODE=migrate of this release first. MIGRATE_DATABASE_URL, where it is set, has to lead to the same database.',
    { docs: 'docs/operations.md#processes' },
  )
}

/** @throws OperatorError where the database needs newer code, or ran another text of a file. */
function listMissing(known: readonly Migration[], done: readonly Done[]): Migration[] {
  for (const row of done) {
    const newest = Math.max(0, ...known.filter((one) => one.package === row.package).map(({ number }) => number))
    if (row.minCode > newest)
      throw new OperatorError(
        `This database was migrated by a newer release and needs code that knows migration ${row.package}/${row.minCode}; ` +
          `this code knows up to ${newest}. Start the newer release.`,
      )
  }
  const byKey = new Map(done.map((row) => [migrationKey(row), row]))
  for (const migration of known) {
    const row = byKey.get(migrationKey(migration))
    if (row === undefined || row.checksum === checksumOf(migration.text)) continue
    // A package's first file is its baseline.
    if (migration.number === 1) throw tooOld()
    throw new OperatorError(
      `The migration ${migrationKey(migration)} (${migration.name}) was changed after this database ran it. Put the file back as the release has it; a change of the schema is a new file.`,
    )
  }
  return known.filter((migration) => !byKey.has(migrationKey(migration)))
}

/** @returns false when another process ran it first. */
async function runOne(tx: Tx, migration: Migration): Promise<boolean> {
  if (!(await record(tx, migration))) return false
  await takeLocks(tx, migration.text)
  await tx.unsafe(migration.text)
  return true
}

/** @returns false when it is recorded already. */
async function record(tx: Tx, migration: Migration): Promise<boolean> {
  const raises = migration.text.startsWith('-- contracts')
  const rows = await tx`
    insert into migrations (package, number, name, min_code, checksum)
    values (${migration.package}, ${migration.number}, ${migration.name}, ${raises ? migration.number : 0}, ${checksumOf(migration.text)})
    on conflict (package, number) do nothing returning number`
  return rows.length > 0
}

// Indexes that are made and dropped while their table is written. PostgreSQL does that outside a transaction only, and leaves
// an invalid index behind when it is killed, so each change is repeated until what it was for is there.

export interface IndexChange {
  index: string
  /** Of an index that is made. */
  table: string | null
  isDrop: boolean
  statement: string
}

/** @throws Error for anything that is no such change. */
export function parseIndexChanges(text: string): IndexChange[] {
  const statements = text
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
  return statements
    .filter((statement) => statement !== '')
    .map((statement) => {
      const [, made, table, dropped] =
        /^(?:create (?:unique )?index concurrently ([a-z_]+) on ([a-z_]+)\b|drop index concurrently if exists ([a-z_]+)$)/.exec(
          statement,
        ) ?? []
      const index = made ?? dropped
      if (index === undefined) throw new Error(`not a change of an index: ${statement.slice(0, 60)}`)
      return { index, table: table ?? null, isDrop: dropped !== undefined, statement }
    })
}

const LOOK_AGAIN_MS = 500

/** So often a turn is heard of while an index is built, so that nothing on the way takes its connection for forgotten. */
const STILL_HERE_MS = 5_000

/**
 * While `tx` holds the turn, the changes are made on another connection. A starter that came late finds them recorded: made once
 * more, an index that a later migration has renamed would be there twice.
 * PostgreSQL builds an index only when every older snapshot is gone: a statement with parameters would leave one in `tx`.
 * @returns whether this process made them.
 */
async function changeIndexes(sql: Sql, tx: Tx, migration: Migration): Promise<boolean> {
  const recorded = await tx.unsafe(
    `select 1 from migrations where package = '${migration.package}' and number = ${migration.number}`,
  )
  if (recorded.length > 0) return false
  const stillHere = setInterval(() => void tx.unsafe('select 1').catch(() => undefined), STILL_HERE_MS)
  try {
    for (const change of parseIndexChanges(migration.text)) await changeIndex(sql, change)
  } finally {
    clearInterval(stillHere)
  }
  return record(tx, migration)
}

/** One builds; whoever comes meanwhile waits until its index is whole. */
export async function changeIndex(sql: Sql, change: IndexChange): Promise<void> {
  for (;;) {
    const state = await stateOf(sql, change)
    if (change.isDrop ? state === 'none' : state === 'valid') return
    if (state === 'building') {
      await sleep(LOOK_AGAIN_MS)
      continue
    }
    try {
      if (state === 'broken' && !change.isDrop) await sql.unsafe(`drop index concurrently if exists ${change.index}`)
      await sql.unsafe(change.statement)
    } catch (error) {
      // Another starter was a moment faster, or both began at once and PostgreSQL ended one.
      if (!isDuplicate(error) && !isConflict(error)) throw error
      await sleep(LOOK_AGAIN_MS)
    }
  }
}

type IndexState = 'none' | 'valid' | 'building' | 'broken'

async function stateOf(sql: Sql, { index, table }: IndexChange): Promise<IndexState> {
  // Of one table, indexes are built one after the other: two builders would wait for each other.
  const [row] = await sql<{ valid: boolean | null; building: boolean }[]>`
    select (select indisvalid from pg_index where indexrelid = to_regclass(${index})) as valid, exists (
      select 1 from pg_stat_progress_create_index
      where datname = current_database() and relid = to_regclass(${table}::text)) as building`
  if (row?.valid === true) return 'valid'
  if (row?.building === true) return 'building'
  return row?.valid === false ? 'broken' : 'none'
}
