// Florin's own embedded PostgreSQL: whose data it is, and refusals as an operator reads them.
import { type App, type Embedded, EmbeddedRefused, findRunning, startEmbedded } from '@florin/embedded-postgres'
import { migrate } from '@florin/platform/db/migrate'
import { type Limits, openPool, type Sql } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { makeLog } from '@florin/platform/log'
import { packageMigrations } from './migrations.ts'
import type { Config } from './settings.ts'

/** The embedded PostgreSQL speaks to its operator in Florin's terms. */
const florin: App = {
  id: 'florin',
  title: 'Florin',
  otherFolder: 'with DATA_DIR',
  instead: 'Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.',
  upgrade: (dataDir) =>
    `Take a backup with the release that made it (npm run backup), move ${dataDir} away and restore into it with this ` +
    'release (npm run backup -- restore FILE --replace).',
}

/** @throws OperatorError when this data folder cannot be used. */
export async function openEmbedded(a: Omit<Parameters<typeof startEmbedded>[0], 'app'>): Promise<Embedded> {
  try {
    return await startEmbedded({ ...a, app: florin })
  } catch (error) {
    throw error instanceof EmbeddedRefused ? new OperatorError(error.message, { cause: error }) : error
  }
}

/** The URL of the embedded PostgreSQL of a Florin that runs; null: none does. */
export const findRunningEmbedded = (dataDir: string): Promise<string | null> => findRunning({ dataDir, app: florin })

/**
 * For a command: the database that the settings name, or the embedded one, which runs for its time. Migrated.
 * @param a.besideRunning whether a Florin that runs on the embedded one goes on meanwhile; else the command is refused.
 */
export async function withOwnDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  a: { applicationName: string; limits?: Limits; besideRunning: boolean; say(line: string): void },
  run: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { say, besideRunning, ...options } = a
  const { dataDir } = config
  const databaseUrl = config.databaseUrl ?? (besideRunning ? await findRunningEmbedded(dataDir) : null)
  const embedded =
    databaseUrl === null ? await openEmbedded({ dataDir, log: makeLog('warn'), onExit: (reason) => say(reason) }) : null
  const sql = openPool({ ...options, url: databaseUrl ?? embedded?.url ?? '', max: 2 })
  try {
    await migrate(sql, packageMigrations)
    await run(sql)
  } finally {
    await sql.end({ timeout: 5 })
    await embedded?.stop()
  }
}
