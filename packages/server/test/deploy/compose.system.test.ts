// Promises of the compose file: docker-compose itself accepts it, for one process and for several, and its backup script keeps one file
// a day by age, whatever restarts it. The database and its tools are Debian's PostgreSQL 15.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import { parse } from 'yaml'
import { until } from '../../../../e2e/florin.ts'
import { newestBackup } from '../../src/backup/newest.ts'
import { needsDebian } from '../debian.ts'
import { debianCluster } from '../events/debian-cluster.ts'

const execute = promisify(execFile)
const file = join(import.meta.dirname, '../../../../compose.yaml')

interface Composed {
  services: Record<string, { entrypoint: string[]; ports?: unknown[]; environment: Record<string, string> }>
}

/** The file as docker-compose reads it with these lines in `.env`. */
async function composed(t: TestContext, more: Record<string, string> = {}): Promise<Composed> {
  await needsDebian('docker-compose')
  const dir = await mkdtemp(join(tmpdir(), 'florin-compose-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await cp(file, join(dir, 'compose.yaml'))
  const settings = {
    ...{ POSTGRES_PASSWORD: 'abc', MASTER_KEY: 'def', BASE_URL: 'https://pay.shop.example', SIGNUP: 'closed' },
    ...{ SMTP_URL: 'smtps://user:secret@mail.shop.example', ...more },
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(dir, '.env'), lines.join(''))
  const { stdout } = await execute('docker-compose', ['--file', join(dir, 'compose.yaml'), 'config'], { cwd: dir })
  return parse(stdout) as Composed
}

test('docker-compose accepts the file, with one port for one process and a range for several', async (t) => {
  const one = await composed(t)
  assert.match(JSON.stringify(one.services.api?.ports), /127\.0\.0\.1:3000:3000/)
  assert.match(JSON.stringify((await composed(t, { PORT: '8080' })).services.api?.ports), /127\.0\.0\.1:8080:3000/)
  const several = await composed(t, { PORT: '3000-3001' })
  assert.match(JSON.stringify(several.services.api?.ports), /127\.0\.0\.1:3000-3001:3000/)
})

test('backup: restarts and failures → one file a day, old ones leave by age and after a new one', async (t) => {
  const cluster = await debianCluster(t)
  const { services } = await composed(t, { BACKUP_KEEP_DAYS: '10' })
  const [program, ...args] = services.backup?.entrypoint ?? []
  assert.equal(program, '/bin/bash')
  // docker-compose prints a dollar as two, as it is written in the file.
  const script = args.map((arg) => arg.replaceAll('$$', '$'))
  const dir = await mkdtemp(join(tmpdir(), 'florin-backups-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const files = async (): Promise<string[]> =>
    (await readdir(dir)).filter((name) => !name.endsWith('.drilled')).toSorted()
  const records = async (): Promise<string[]> => (await readdir(dir)).filter((name) => name.endsWith('.drilled'))

  const server = ['-h', '127.0.0.1', '-p', `${cluster.port}`, '-U', 'postgres', 'postgres']
  /** Starts the container's script, waits for what is asked, and ends it. @returns what it printed. */
  async function started(isDone: (said: string) => Promise<boolean>, port = cluster.port): Promise<string> {
    const env = {
      ...{ PATH: `/usr/lib/postgresql/15/bin:${process.env.PATH}`, BACKUP_DIR: dir, BACKUP_KEEP_DAYS: '10' },
      ...{ PGHOST: '127.0.0.1', PGPORT: `${port}`, PGUSER: 'postgres', PGDATABASE: 'postgres' },
    }
    const child = spawn(program ?? '', script, { env, detached: true })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
    }
    const rests = async (): Promise<boolean> =>
      (await execute('ps', ['-o', 'comm=', '--ppid', `${child.pid}`]).catch(() => ({ stdout: '' }))).stdout.trim() ===
      'sleep'
    try {
      await until(async () => (await rests()) && (await isDone(said)), 'the script to rest')
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await once(child, 'exit')
    }
    return said
  }
  const always = async (): Promise<boolean> => true

  await started(async () => (await files()).length === 1)
  const [first = ''] = await files()
  const { mode, uid } = await stat(join(dir, first))
  assert.deepEqual([mode & 0o777, uid], [0o600, 1000], 'only the user of api and worker reads it')
  // It was restored: it counts.
  assert.deepEqual(await records(), [`${first}.drilled`])
  assert.notEqual(await newestBackup(dir, 'ins_any'), null)
  assert.equal(await cluster.run('psql', ...server, '-Atc', `select count(*) from pg_database`), '3\n')

  // Twenty restarts in an incident, and files of the last days: all of them stay.
  const days = Array.from({ length: 13 }, (_, n) => n + 1)
  for (const age of days) await aFile(`florin-day-${age}.dump`, age)
  for (let n = 0; n < 20; n += 1) await started(always)
  assert.equal((await files()).length, 1 + days.length)

  // A day later the database is away: no file goes, and none that is cut off counts.
  await aFile(first, 1.1)
  await aFile('florin-cut-off.dump.part', 2)
  const said = await started(async (text) => text.includes('the backup failed'), 1)
  assert.match(said, /it is tried again in ten minutes/)
  assert.equal((await files()).filter((name) => name.endsWith('.dump')).length, 1 + days.length)

  // It is back: a file is added, and those older than ten days go. A clock that was ahead does not stop backups.
  await aFile('florin-day-1.dump', -30)
  // A database that holds the place of the one for the restore makes that fail.
  await cluster.run('psql', ...server, '-c', 'create database florin_drill is_template true')
  const unrestored = await started(async (text) => text.includes('cannot be restored'))
  assert.match(unrestored, /no backup counts until one can/)
  assert.deepEqual(await records(), [])
  assert.equal(await newestBackup(dir, 'ins_any'), null)
  assert.equal((await files()).length, 11)
  const kept = await files()
  assert.deepEqual(
    days.filter((age) => kept.includes(`florin-day-${age}.dump`)),
    days.filter((age) => age < 10),
  )

  async function aFile(name: string, ageDays: number): Promise<void> {
    const path = join(dir, name)
    await writeFile(path, 'dump', { flag: 'a' })
    const at = new Date(Date.now() - ageDays * DAY_MS - (ageDays > 0 ? HOUR_MS : 0))
    await utimes(path, at, at)
  }
})
