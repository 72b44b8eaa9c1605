// What must hold while a migration builds an index that takes long: workers start, and a start that waits reports which process it
// waits for.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { runEither } from '@florin/platform/db/migrate'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { withoutHurry } from '@florin/platform/db/pools'
import { pino } from 'pino'
import { openDeps } from '../../src/deps.ts'
import { testConfig } from '../harness.ts'

/** @param url a database of this release's schema, which nothing else uses. */
export async function startsDuringABuild(t: TestContext, url: string): Promise<void> {
  const sql = openPool({ url, max: 4, applicationName: 'upgrade test', limits: withoutLimits })
  t.after(() => sql.end({ timeout: 1 }))
  await sql.unsafe('create table one (n int)')
  const { writerPid, letEnd } = await writeOne(sql)
  const said: string[] = []
  const text = '-- concurrently\ncreate index concurrently one_n on one (n)'
  const change = { package: 'server', number: 9006, name: 'one_index', text }
  const building = withoutHurry(
    url,
    (slow) => runEither(slow, change),
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

  const heard: string[] = []
  const waitingStart = withoutHurry(url, (slow) => runEither(slow, change, (line) => heard.push(line)))
  const holder = new RegExp(
    `waiting for pid \\d+ \\(florin migrations ${process.pid}\\), which holds the lock "index change"`,
  )
  await seen(async () => holder.test(heard.join('\n')))
  await seen(async () => said.some((line) => line.includes(`waiting for pid ${writerPid} (upgrade test)`)))
  assert.match(said.join('\n'), /to go on with: create index concurrently one_n/)

  await letEnd()
  assert.equal(await building, true)
  assert.equal(await waitingStart, false)
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
