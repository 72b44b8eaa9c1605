import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { testCluster } from '../../../test/cluster.ts'
import { testConfig } from '../../../test/harness.ts'
import { type Pooler, startPooler } from '../../../test/outages/pooler.ts'
import { openDeps } from '../../deps.ts'
import type { Config } from '../../settings.ts'
import { OperatorError } from '../errors.ts'
import { listMigrations } from './migrate.ts'
import { openPool, type PoolOptions, type Sql, withoutLimits } from './pool.ts'
import { withTx } from './tx.ts'

let pooler: Pooler
before(async () => {
  pooler = await startPooler(await testCluster())
})
after(() => pooler.stop())

async function aPool(t: TestContext, url: string, options: Partial<PoolOptions> = {}): Promise<Sql> {
  const sql = openPool({ url, max: 4, applicationName: 'pooler test', ...options })
  t.after(() => sql.end({ timeout: 1 }))
  return sql
}

test('statements and transactions work, also those that take turns on other sessions', async (t) => {
  const sql = await aPool(t, pooler.through(await testCluster()), { max: 20 })
  const ask = (n: number) => sql<{ n: number; pid: number }[]>`select ${n}::int as n, pg_backend_pid() as pid`
  const seen = new Set<number>()
  async function turn(n: number): Promise<void> {
    await withTx(sql, async (tx) => {
      const [first] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.001)`
      const [second] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid where ${n}::int = ${n}`
      assert.equal(first?.pid, second?.pid, 'a transaction stays on its session')
    })
    const [row] = await ask(n)
    assert.equal(row?.n, n)
    seen.add(row?.pid ?? 0)
  }
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 20 }, (_, n) => turn(n)))
  assert.ok(seen.size > 1, 'the pooler passed statements to several sessions')
})

test('limits hold in every transaction and stay behind in no session', async (t) => {
  const url = pooler.through(await testCluster())
  const limits = { statementMs: 1_500, lockMs: 1_400, idleInTransactionMs: 1_300 }
  const sql = await aPool(t, url, { limits })
  const settings = (db: Pick<Sql, 'unsafe'>) =>
    db.unsafe(`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone`)
  const wanted = [{ statement: '1500ms', lock: '1400ms', idle: '1300ms', zone: 'UTC' }]
  for (let n = 0; n < 10; n++) {
    assert.deepEqual(await settings(sql), wanted)
    assert.deepEqual(await withTx(sql, settings), wanted)
  }
  await assert.rejects(sql`select pg_sleep(30)`, { code: '57014' })
  const free = await aPool(t, url, { limits: withoutLimits })
  for (let n = 0; n < 10; n++) assert.equal((await settings(free))[0]?.statement, '0')
})

test('a statement that fails says why, and its connection goes on', async (t) => {
  const sql = await aPool(t, pooler.through(await testCluster()), { max: 1 })
  for (let n = 0; n < 3; n++) {
    await assert.rejects(sql`select 1 / ${0}::int`, { code: '22012' })
    assert.deepEqual(await sql`select 1 as n`, [{ n: 1 }])
  }
})

test('who listens is told that there is nothing to hear', async (t) => {
  const sql = await aPool(t, pooler.through(await testCluster()))
  const told = Promise.withResolvers<Error>()
  const listener = sql.listen('somewhere', () => told.reject(new Error('heard')), told.resolve)
  assert.match((await told.promise).message, /pooler/)
  await listener.unlisten()
})

test('migrations are refused through a pooler, run beside it, and are no hindrance once they have run', async (t) => {
  const admin = await aPool(t, await testCluster(), { limits: withoutLimits })
  const name = `pooled_${randomBytes(4).toString('hex')}`
  await admin.unsafe(`create database ${name}`)
  const at = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
  const databaseUrl = at(pooler.through(await testCluster()))
  const open = (own: Partial<Config>) =>
    openDeps({ config: testConfig({ mode: 'migrate', ...own }), log: pino({ level: 'silent' }), databaseUrl })
  await assert.rejects(
    open({}),
    (error) => error instanceof OperatorError && /pooler.*MIGRATE_DATABASE_URL.*postgres:/.test(error.message),
  )
  const direct = await aPool(t, at(await testCluster()))
  assert.deepEqual([...(await direct`select 1 from pg_tables where schemaname = 'public'`)], [], 'nothing is written')
  const elsewhere = open({ migrateDatabaseUrl: await testCluster() })
  await assert.rejects(elsewhere, /lacks \d+ of this release's migrations.*MIGRATE_DATABASE_URL.*same database/)
  const migrated = await open({ migrateDatabaseUrl: at(await testCluster()) })
  assert.equal(migrated.migrationsRun.length, (await listMigrations()).length)
  await migrated.close()
  const again = await open({})
  assert.deepEqual(again.migrationsRun, [])
  await again.close()
  await direct.end()
  await admin.unsafe(`drop database ${name} with (force)`)
})

test('a pooler that is killed and comes back costs what was under way', async (t) => {
  const sql = await aPool(t, pooler.through(await testCluster()))
  const under = assert.rejects(
    withTx(sql, (tx) => tx`select pg_sleep(60)`),
    { code: 'CONNECTION_CLOSED' },
  )
  await withTx(sql, (tx) => tx`select 1`)
  await pooler.restart()
  await under
  assert.deepEqual(await sql`select 1 as n`, [{ n: 1 }])
})
