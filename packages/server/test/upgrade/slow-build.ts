// What must hold while a migration builds an index that takes long: workers start, a start that waits says for whom, and one that
// is killed while it waits holds up nobody.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listMigrations, parseIndexChanges, runEither } from '@florin/platform/db/migrate'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { withoutHurry } from '@florin/platform/db/pools'
import { pino } from 'pino'
import { openDeps } from '../../src/deps.ts'
import { packageMigrations } from '../../src/migrations.ts'
import { MASTER_KEY } from '../deploy/master-keys.ts'
import { testConfig } from '../harness.ts'

/** @param url a database of this release's schema, which nothing else uses. */
export async function startsDuringABuild(t: TestContext, url: string): Promise<void> {
  const sql = openPool({ url, max: 4, applicationName: 'upgrade test', limits: withoutLimits })
  t.after(() => sql.end({ timeout: 1 }))
  await sql.unsafe('create table one (n int)')
  const { writerPid, letEnd } = await writeOne(sql)
  const said: string[] = []
  const text = '-- concurrently\ncreate index concurrently one_n on one (n)'
  const building = withoutHurry(
    url,
    (slow) => runEither(slow, { package: 'server', number: 9006, name: 'one_index', text }),
    (line) => said.push(line),
  )
  await seen(async () => (await waiting(sql, 'virtualxid')) > 0)

  await dropLastPartition(sql)
  const worker = await openDeps({
    config: testConfig({ mode: 'worker' }),
    log: pino({ level: 'silent' }),
    databaseUrl: url,
  })
  await worker.close()

  await forgetIndexes(sql)
  const starter = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', MASTER_KEY, DATABASE_URL: url, FX_SOURCES: 'fixed' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void starter.kill('SIGKILL'))
  let output = ''
  starter.stdout.on('data', (chunk: Buffer) => (output += chunk.toString().replaceAll('\\"', '"')))
  const holder = new RegExp(
    `waiting for pid \\d+ \\(florin migrations ${process.pid}\\), which holds the lock "index change"`,
  )
  await seen(async () => holder.test(output))
  const gone = once(starter, 'exit')
  starter.kill('SIGKILL')
  await gone
  await seen(async () => said.some((line) => line.includes(`waiting for pid ${writerPid} (upgrade test)`)))
  assert.match(said.join('\n'), /to go on with: create index concurrently one_n/)

  await letEnd()
  assert.equal(await building, true)
}

/** A build waits first for those who write the table, and at last for every snapshot that is older than its own by then. */
async function writeOne(sql: Sql): Promise<{ writerPid: number; letEnd(): Promise<void> }> {
  const isWritten = Promise.withResolvers<number>()
  const isEnough = Promise.withResolvers<void>()
  const writer = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`insert into one values (1) returning pg_backend_pid() as pid`
    isWritten.resolve(row?.pid ?? 0)
    await isEnough.promise
  })
  return {
    writerPid: await isWritten.promise,
    async letEnd() {
      isEnough.resolve()
      await writer
    },
  }
}

async function seen(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function waiting(sql: Sql, event: string): Promise<number> {
  return (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = ${event}`).length
}

/** So that a worker has one to make. */
async function dropLastPartition(sql: Sql): Promise<void> {
  const [last] = await sql<{ name: string }[]>`
    select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = 'delivery_attempts'::regclass`
  assert.ok(last)
  await sql`drop table ${sql(last.name)}`
}

/** A file of indexes that are all there is not recorded any more: whoever migrates comes to it. */
async function forgetIndexes(sql: Sql): Promise<void> {
  const files = (await listMigrations(packageMigrations)).filter(({ text }) => text.startsWith('-- concurrently'))
  for (const file of files) {
    const changes = parseIndexChanges(file.text)
    const names = changes.map(({ index }) => index)
    if (changes.some(({ isDrop }) => isDrop)) continue
    const there = await sql`select 1 from unnest(${names}::text[]) as name where to_regclass(name) is not null`
    if (there.length !== names.length) continue
    await sql`delete from migrations where package = ${file.package} and number = ${file.number}`
    return
  }
  throw new Error('every migration of indexes was overtaken by a later one')
}
