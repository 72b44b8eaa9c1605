// Promises of drills: a backup counts once all of it was restored; what is missing for that is said in a sentence; killed anywhere,
// nothing half counts, and the next run works and clears up.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readInstallation } from '@florin/platform/db/installation'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { quickTest, slowTest } from '../../../../scripts/sizes.ts'
import { testCluster } from '../../test/cluster.ts'
import { ownDatabase } from '../../test/harness.ts'
import { backUp } from './backup.ts'
import { drill } from './drill.ts'
import { findBackups, newestBackup } from './newest.ts'
import { restore } from './restore.ts'
import { openScratch } from './scratch.ts'

async function aFolder(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'florin-drill-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const backups = join(dir, 'backups')
  await mkdir(backups)
  return { backups, path: join(backups, 'florin.backup'), dataDir: join(dir, 'data'), dir }
}

/** A process that does `work` and kills itself once so many tables are done. */
async function killedAt(what: string, tables: number, work: string): Promise<void> {
  const code = `const tell = (step) => step.what === '${what}' && step.tables === ${tables} && process.kill(process.pid, 'SIGKILL')
    const { backUp } = await import('${join(import.meta.dirname, 'backup.ts')}')
    const { drill } = await import('${join(import.meta.dirname, 'drill.ts')}')
    const { restore } = await import('${join(import.meta.dirname, 'restore.ts')}')
    await ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

const textOf = (value: unknown): string => JSON.stringify(value)

slowTest('backup: killed while it saves, drills or restores → nothing half counts, and it runs again', async (t) => {
  const { backups, path, dataDir } = await aFolder(t)
  const config = { dataDir, backupDrillUrl: null }
  const source = await ownDatabase(t)
  const installation = await installationOf(source)

  await killedAt('saving', 60, `backUp(${textOf(source)}, ${textOf(path)}, tell)`)
  assert.deepEqual(await readdir(backups), ['florin.backup.part'])
  assert.deepEqual(await findBackups(backups, installation), { newest: null, drilled: null })
  const { bytes } = await backUp(source, path)

  await killedAt('restoring', 60, `drill(${textOf(config)}, ${textOf({ path, bytes })}, tell)`)
  assert.deepEqual(await readdir(backups), ['florin.backup'])
  assert.notEqual((await findBackups(backups, installation)).newest, null)
  assert.equal(await newestBackup(backups, installation), null)
  assert.equal((await readdir(join(dataDir, 'drill'))).length, 1, 'what the killed one left')
  await drill(config, { path, bytes })
  assert.deepEqual(await readdir(join(dataDir, 'drill')), [])
  assert.notEqual(await newestBackup(backups, installation), null)

  const target = await ownDatabase(t)
  await killedAt('restoring', 60, `restore(${textOf(target)}, ${textOf(path)}, { replaces: false }, tell)`)
  assert.deepEqual(await withSql(target, (sql) => sql`select 1 from installation`), [])
  await restore(target, path, { replaces: false })

  // The record holds for a copy, and for no other contents under the same name.
  const copy = join(dataDir, 'copy')
  await mkdir(copy)
  for (const name of await readdir(backups)) await copyFile(join(backups, name), join(copy, name))
  assert.notEqual(await newestBackup(copy, installation), null)
  await backUp(target, join(copy, 'other'))
  await copyFile(join(copy, 'other'), join(copy, 'florin.backup'))
  assert.equal(await newestBackup(copy, installation), null)
})

quickTest(
  'drill: too little room, or a role that may not create databases → a sentence with what is missing',
  async (t) => {
    const { dataDir } = await aFolder(t)
    await assert.rejects(
      openScratch({ dataDir, backupDrillUrl: null }, 1e18),
      /A drill needs 3\d+\.\d GB in .*drill, and .* GB are free there: make room, or set BACKUP_DRILL_URL/,
    )
    const admin = await testCluster()
    const role = `drills_${process.pid}`
    await withSql(admin, (sql) => sql.unsafe(`create role ${role} login password 'of-the-test'`))
    t.after(() => withSql(admin, (sql) => sql.unsafe(`drop role ${role}`)))
    const url = new URL(admin)
    ;[url.username, url.password] = [role, 'of-the-test']
    await assert.rejects(
      openScratch({ dataDir, backupDrillUrl: url.href }, 0),
      new RegExp(`may not create databases: alter role "${role}" createdb`),
    )
    assert.equal(existsSync(dataDir) && (await readdir(dataDir)).length > 1, false)
  },
)

quickTest('drill: on BACKUP_DRILL_URL → a database for its time, and those of killed drills are dropped', async (t) => {
  const { path, dataDir, backups } = await aFolder(t)
  const role = `drill_${process.pid}`
  const admin = await testCluster()
  await withSql(admin, (sql) => sql.unsafe(`create role ${role} login createdb password 'of-the-test'`))
  const url = new URL(admin)
  ;[url.username, url.password] = [role, 'of-the-test']
  const left = (): Promise<readonly object[]> =>
    withSql(admin, (sql) => sql`select datname from pg_database where datdba = ${role}::text::regrole`)
  t.after(async () => {
    assert.deepEqual(await left(), [])
    await withSql(admin, (sql) => sql.unsafe(`drop role ${role}`))
  })
  const config = { dataDir, backupDrillUrl: url.href }
  const source = await ownDatabase(t)
  const installation = await installationOf(source)
  const { bytes } = await backUp(source, path)
  await killedAt('restoring', 60, `drill(${textOf(config)}, ${textOf({ path, bytes })}, tell)`)
  assert.equal((await left()).length, 1)
  // One that is in use stays.
  const other = await openScratch(config, 0)
  assert.equal((await left()).length, 1)
  await drill(config, { path, bytes })
  assert.equal((await left()).length, 1)
  await other.remove()
  assert.notEqual(await newestBackup(backups, installation), null)
})

const installationOf = async (url: string): Promise<string> =>
  (await withSql(url, (sql) => readInstallation(sql, new Date()))).id

async function withSql<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool({ url, max: 2, applicationName: 'test', limits: withoutLimits })
  return run(sql).finally(() => sql.end({ timeout: 1 }))
}
