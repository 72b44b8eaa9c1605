// The program itself, in each of its modes, over one database; and with a key that is not the database's.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Check } from '@florin/platform/check'
import { checkMasterKey } from '@florin/platform/db/master-key'
import { migrate } from '@florin/platform/db/migrate'
import { MINUTE_MS } from '@florin/protocol'
import { eventually } from '../test/deliveries.ts'
import { MASTER_KEY, masterKeyOf } from '../test/deploy/master-keys.ts'
import { testDeps } from '../test/harness.ts'
import { aCaller, anOrder } from '../test/orders.ts'
import { packageMigrations } from './migrations.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

interface Started {
  url: string
  child: ChildProcess
  output(): string
  /** The exit code. */
  ended: Promise<number | null>
}

async function start(t: TestContext, environment: Record<string, string>): Promise<Started> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: String(port),
      MASTER_KEY,
      LOG_LEVEL: 'info',
      FX_SOURCES: 'fixed',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { url: `http://127.0.0.1:${port}`, child, output: () => text, ended }
}

const jobsOf = async (process: Started) => (await readiness(process)).checks.find(({ id }) => id === 'job')?.status

/** The answer of a process that is ready. */
async function readiness({ url, child, output }: Started): Promise<{ checks: Check[] }> {
  const answer = await eventually(
    async () => {
      assert.equal(child.exitCode, null, output())
      return fetch(`${url}/readyz`).catch(() => null)
    },
    (reply) => reply?.status === 200,
    60_000,
  )
  return (await answer?.json()) as { checks: Check[] }
}

test('migrate brings the schema up to date and ends; api answers, worker works, each over the same database', async (t) => {
  const { deps, clock, databaseUrl: DATABASE_URL } = await testDeps(t)
  await deps.sql.unsafe('drop schema public cascade; create schema public')
  const migrating = await start(t, { DATABASE_URL, MODE: 'migrate' })
  assert.equal(await migrating.ended, 0, migrating.output())
  assert.deepEqual(await migrate(deps.sql, packageMigrations), [], 'nothing is left to do')
  assert.equal(await fetch(migrating.url).catch(() => null), null)

  // An order whose time has come while nobody was there.
  clock.advance(-31 * MINUTE_MS)
  const { orderNo } = await anOrder(deps, await aCaller(deps))
  const statusOf = async (): Promise<string | undefined> =>
    (await deps.sql<{ status: string }[]>`select status from orders where order_no = ${orderNo}`)[0]?.status
  assert.equal(await statusOf(), 'pending')
  const api = await start(t, { DATABASE_URL, MODE: 'api' })
  assert.equal(await jobsOf(api), undefined, 'an API process has no jobs to be ready with')
  assert.equal((await fetch(`${api.url}/v1/orders`)).status, 401)
  assert.equal(await statusOf(), 'pending')
  const worker = await start(t, { DATABASE_URL, MODE: 'worker' })
  assert.equal(await jobsOf(worker), 'ok')
  await eventually(statusOf, (status) => status === 'expired', 60_000)
})

test('with another master key the program ends with one sentence, and has written nothing', async (t) => {
  const { deps, databaseUrl: DATABASE_URL } = await testDeps(t)
  await checkMasterKey(deps.sql, deps.secrets, { rows: [], now: deps.clock.now() })
  const before = [...(await deps.sql`select key_id, box from master_key_check`)]
  const other = masterKeyOf('another install')
  const wrong = await start(t, { DATABASE_URL, MODE: 'all', MASTER_KEY: other })
  assert.equal(await wrong.ended, 1)
  assert.match(wrong.output(), /set up with another master key .* MASTER_KEY_OLD/s)
  assert.doesNotMatch(wrong.output(), new RegExp(`\\n {4}at |${other}|${MASTER_KEY}`))
  assert.deepEqual([...(await deps.sql`select key_id, box from master_key_check`)], before)
})

test('main: the database cannot be reached → the program ends with sentences and no stack', async (t) => {
  const port = await freePort()
  const away = await start(t, {
    DATABASE_URL: `postgres://florin:of-the-test@127.0.0.1:${port}/florin`,
    MODE: 'worker',
  })
  assert.equal(await away.ended, 1)
  assert.match(
    away.output(),
    /Florin cannot start without its database: .*ECONNREFUSED.*\nStart it again once the database answers\./,
  )
  assert.doesNotMatch(away.output(), /\n {4}at |of-the-test/)
})
