// Promises of `npm run backup` for thousands of orders with webhooks, on the embedded PostgreSQL and on one's own of version 15 with the
// roles of deploy/postgres/roles.sql: what it writes is restored, before an upgrade and after it. Its durations are printed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { readInstallation } from '@florin/platform/db/installation'
import { migrate } from '@florin/platform/db/migrate'
import { makePartitions } from '@florin/platform/db/partitions'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { sized } from '../../../../scripts/sizes.ts'
import { manyOrders } from '../../test/backups.ts'
import { needsDebian } from '../../test/debian.ts'
import { MASTER_KEY } from '../../test/deploy/master-keys.ts'
import { debianCluster } from '../../test/events/debian-cluster.ts'
import { testApp } from '../../test/harness.ts'
import { openEmbedded } from '../embedded.ts'
import { packageMigrations } from '../migrations.ts'
import { partitionedTables } from '../partitions.ts'
import { newestBackup } from './newest.ts'

const ORDERS = sized({ short: 5_000, full: 50_000 })
const execute = promisify(execFile)
const log = { info: () => undefined, warn: () => undefined }

async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-drill-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** The command as an operator runs it. @returns what it printed; how long it took is printed. */
async function backup(t: TestContext, settings: Record<string, string>, ...args: string[]): Promise<string> {
  const began = performance.now()
  const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), FX_SOURCES: 'fixed', MASTER_KEY, ...settings }
  const { stdout } = await execute(process.execPath, [join(import.meta.dirname, 'command.ts'), ...args], { env })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  t.diagnostic(`${ORDERS} orders: backup ${args[0] ?? ''} took ${seconds} s; ${stdout.slice(0, 200)}`)
  return stdout
}

const installationOf = async (url: string): Promise<string> =>
  (await withSql(url, (sql) => readInstallation(sql, new Date()))).id

async function withSql<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool({ url, max: 2, applicationName: 'test', limits: withoutLimits })
  return run(sql).finally(() => sql.end({ timeout: 1 }))
}

async function fill(t: TestContext, url: string): Promise<void> {
  await withSql(url, async (sql) => {
    await migrate(sql, packageMigrations)
    await makePartitions(sql, partitionedTables, new Date())
  })
  const at = await testApp(t, {}, url)
  await manyOrders(at, ORDERS)
  await at.app.close()
  await at.deps.sql.end({ timeout: 5 })
}

const countOf = (url: string): Promise<unknown> =>
  withSql(url, async (sql) => (await sql`select count(*)::int as orders from orders`)[0]?.orders)

/** The file that the way back names. */
const wayBack = (said: string): string => /-- restore (\S+) --replace/.exec(said)?.[1] ?? ''

test('backup: many orders on the embedded PostgreSQL → restored, also on the way back of an upgrade', async (t) => {
  const dir = await aFolder(t)
  const [one, other] = [join(dir, 'one'), join(dir, 'other')]
  const florin = await openEmbedded({ dataDir: one, log })
  t.after(() => florin.stop())
  await fill(t, florin.url)
  const installation = await installationOf(florin.url)
  const settings = { DATA_DIR: one, BACKUP_DIR: join(dir, 'backups') }
  await backup(t, settings, '--no-drill')
  const [undrilled = ''] = await readdir(settings.BACKUP_DIR)
  assert.equal(await newestBackup(settings.BACKUP_DIR, installation), null)
  assert.match(
    await backup(t, settings, 'drill', join(settings.BACKUP_DIR, undrilled)),
    new RegExp(`${ORDERS} orders.*every table read back`),
  )
  assert.match(await backup(t, settings), new RegExp(`${ORDERS} orders.*A restore of it was tried`))
  assert.notEqual(await newestBackup(settings.BACKUP_DIR, installation), null)
  assert.deepEqual(await readdir(join(one, 'drill')), [])
  await florin.stop()

  const path = wayBack(await backup(t, settings, 'upgrade'))
  await mkdir(other)
  const restored = await backup(t, { ...settings, DATA_DIR: other }, 'restore', path, '--replace')
  assert.match(restored, /Every table reads back as it was saved/)
  const again = await openEmbedded({ dataDir: other, log })
  t.after(() => again.stop())
  assert.equal(await countOf(again.url), ORDERS)
})

test('backup: many orders on PostgreSQL 15 with the documented roles → restored without a superuser', async (t) => {
  await needsDebian('postgresql-15')
  const cluster = await debianCluster(t)
  const dir = await aFolder(t)
  const roles = await readFile(join(import.meta.dirname, '../../../../deploy/postgres/roles.sql'), 'utf8')
  const urlOf = (database: string, user = 'postgres'): string =>
    `postgres://${user}@127.0.0.1:${cluster.port}/${database}`
  const aDatabase = async (name: string): Promise<void> => {
    await withSql(cluster.url, (sql) => sql.unsafe(`create database ${name}`))
    await withSql(urlOf(name), (sql) => sql.unsafe(roles))
  }
  await aDatabase('florin')
  await fill(t, urlOf('florin', 'florin_owner'))
  await withSql(urlOf('florin'), (sql) => sql.unsafe(roles))
  const settings = { DATABASE_URL: urlOf('florin', 'florin_owner'), DATA_DIR: join(dir, 'data'), BACKUP_DIR: dir }
  assert.match(await backup(t, settings), /A restore of it was tried/)

  // On a server of the same version, by a role that may make databases.
  const path = wayBack(await backup(t, settings, 'upgrade', '--no-drill'))
  await withSql(cluster.url, (sql) => sql.unsafe('create role drill login createdb'))
  const drilled = { ...settings, BACKUP_DRILL_URL: urlOf('postgres', 'drill') }
  assert.match(await backup(t, drilled, 'drill', path), /every table read back/)
  const databases = await withSql(cluster.url, (sql) => sql`select datname from pg_database where datname ~ 'drill'`)
  assert.deepEqual(databases, [])

  await aDatabase('back')
  const back = { ...settings, DATABASE_URL: urlOf('back', 'florin_owner') }
  assert.match(await backup(t, back, 'restore', path, '--replace'), /Every table reads back as it was saved/)
  assert.equal(await countOf(urlOf('back', 'florin_owner')), ORDERS)

  // Another tool's backup counts once a copy of it was read.
  const dumps = join(dir, 'dumps')
  await mkdir(dumps)
  const dump = join(dumps, 'florin.dump')
  const place = ['-h', '127.0.0.1', '-p', `${cluster.port}`, '-U', 'postgres']
  const own = join(cluster.folder, 'florin.dump')
  const installation = await installationOf(urlOf('florin'))
  await cluster.tool('pg_dump', ...place, '-Fc', '-f', own, 'florin')
  await execute('cp', [own, dump])
  await withSql(cluster.url, (sql) => sql.unsafe('create database copy'))
  await cluster.tool('pg_restore', ...place, '-d', 'copy', own)
  assert.equal(await newestBackup(dumps, installation), null)
  const copy = { ...settings, DATABASE_URL: urlOf('copy', 'florin_owner') }
  await assert.rejects(backup(t, copy, 'practise', join(dumps, 'other.dump')), /no whole backup of another program/)
  assert.match(await backup(t, copy, 'practise', dump), new RegExp(`with ${ORDERS} orders.*counts as tried`))
  assert.notEqual(await newestBackup(dumps, installation), null)
})
