// Schema migrations: numbered SQL files, forward only, each in one transaction with the row that records it. Concurrent
// starters never run the same file: each takes a lock in that transaction and checks again.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import type { Sql } from './pool.ts'
import { type Tx, withTx } from './tx.ts'

const migrationsDir = join(import.meta.dirname, '../../../migrations')
// An arbitrary constant that is the same in every process.
const MIGRATION_LOCK = 7_046_029_254n

export interface Migration {
  number: number
  name: string
  text: string
}

export async function listMigrations(): Promise<Migration[]> {
  const files = (await readdir(migrationsDir)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      text: await readFile(join(migrationsDir, file), 'utf8'),
    })),
  )
}

const OLDEST_VERSION = 15

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
 * @returns the names of what was run.
 * @throws OperatorError when the database needs newer code, is too old, or of another encoding than UTF8.
 */
export async function migrate(sql: Sql): Promise<string[]> {
  await checkServer(sql)
  const migrations = await listMigrations()
  const newest = migrations.at(-1)?.number ?? 0
  const done = await withTx(sql, async (tx) => {
    await takeTurn(tx)
    await tx`
      create table if not exists migrations (
        number int primary key,
        name text not null,
        min_code int not null,
        run_at timestamptz not null default now()
      )`
    return tx<{ number: number; minCode: number }[]>`
      select number, min_code as "minCode" from migrations order by number limit 10000`
  })
  const minCode = Math.max(0, ...done.map((row) => row.minCode))
  if (minCode > newest) {
    throw new OperatorError(
      `This database was migrated by a newer release and needs code that knows migration ${minCode}; ` +
        `this code knows up to ${newest}. Start the newer release.`,
    )
  }
  const ran: string[] = []
  for (const migration of migrations) {
    if (done.some((row) => row.number === migration.number)) continue
    const isRun = await withTx(sql, (tx) => runOne(tx, migration)).catch((error: unknown) => {
      throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error })
    })
    if (isRun) ran.push(`${String(migration.number).padStart(4, '0')}_${migration.name}`)
  }
  return ran
}

async function takeTurn(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
}

/** @returns false when another process ran it first. */
async function runOne(tx: Tx, migration: Migration): Promise<boolean> {
  await takeTurn(tx)
  const raises = migration.text.startsWith('-- contracts')
  const rows = await tx`
    insert into migrations (number, name, min_code)
    values (${migration.number}, ${migration.name}, ${raises ? migration.number : 0})
    on conflict (number) do nothing returning number`
  if (rows.length === 0) return false
  await tx.unsafe(migration.text)
  return true
}
