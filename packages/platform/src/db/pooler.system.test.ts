import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { openDeps } from '../../../server/src/deps.ts'
import { packageMigrations } from '../../../server/src/migrations.ts'
import type { Config } from '../../../server/src/settings.ts'
import { testCluster } from '../../../server/test/cluster.ts'
import { debianCluster } from '../../../server/test/events/debian-cluster.ts'
import { testConfig } from '../../../server/test/harness.ts'
import { type Pooler, startPooler } from '../../../server/test/outages/pooler.ts'
import { OperatorError } from '../errors.ts'
import { isDatabaseDown } from './failures.ts'
import { listMigrations } from './migrate.ts'
import { defaultLimits, openPool, type PoolOptions, type Sql, withoutLimits } from './pool.ts'
import { settleRole } from './role-settings.ts'
import { withTx } from './tx.ts'

let pooler: Pooler
let oldest: string
const stops: (() => Promise<void>)[] = []
before(async () => {
  pooler = await startPooler(await testCluster())
  oldest = (await debianCluster({ after: (stop) => void stops.push(stop) })).url
})
after(async () => {
  await pooler.stop()
  for (const stop of stops) await stop()
})

async function aPool(t: TestContext, url: string, options: Partial<PoolOptions> = {}): Promise<Sql> {
  const sql = openPool({ url, max: 4, applicationName: 'pooler test', ...options })
  t.after(() => sql.end({ timeout: 1 }))
  return sql
}

/** An empty one, in which no role has settings. @returns its address for a role without rights of its own, or for the superuser. */
async function aDatabase(t: TestContext, cluster: string, isPlain = false): Promise<string> {
  const admin = openPool({ url: cluster, max: 1, applicationName: 'pooler test', limits: withoutLimits })
  const name = `pooled_${randomBytes(4).toString('hex')}`
  await admin.unsafe(`create database ${name}`)
  await admin.unsafe(`create role ${name} login password 'of-the-test'`)
  t.after(async () => {
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.unsafe(`drop role ${name}`)
    await admin.end({ timeout: 1 })
  })
  const login = isPlain ? { username: name, password: 'of-the-test' } : {}
  return Object.assign(new URL(cluster), { pathname: `/${name}`, ...login }).href
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

const names = ['TimeZone', 'search_path', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Where the settings of this statement's session come from, and whether it has a transaction of several statements around it. */
const sources = (db: Pick<Sql, 'unsafe'>) =>
  db.unsafe<{ from: string[]; values: string[]; started: string[]; isAlone: boolean }[]>(
    `select array_agg(distinct source) as from, array_agg(setting order by setting collate "C") as values,
      array_agg(reset_val order by reset_val collate "C") as started,
      now() = statement_timestamp() as "isAlone"
    from pg_settings where name in (${names.map((name) => `'${name}'`).join(', ')})`,
  )

const clusters = { embedded: testCluster, 'PostgreSQL 15': async () => oldest }

for (const [version, cluster] of Object.entries(clusters)) {
  test(`a role that has its settings: no transaction sets any, whichever session it gets (${version})`, async (t) => {
    const direct = await aDatabase(t, await cluster(), true)
    const between = await startPooler(direct)
    t.after(() => between.stop())
    const url = between.through(direct)
    // Sessions from before the settings.
    const before = await aPool(t, url, { max: 20 })
    await Promise.all(Array.from({ length: 20 }, () => withTx(before, (tx) => tx`select pg_sleep(0.05)`)))
    await Promise.all([1, 2, 3].map(() => settleRole(url)))
    const settled = await aPool(t, url, { max: 20 })
    for (const [source] of await Promise.all(Array.from({ length: 60 }, () => sources(settled))))
      assert.deepEqual(source?.started, ['10000', '3000', '8000', 'UTC', 'florin'])
    // pgbouncer asks for the time zone that it knew at its start, as RECONNECT would make it forget.
    await between.restart()
    const sql = await aPool(t, url, { max: 20 })
    for (const run of [sources, (db: Sql) => withTx(db, sources)]) {
      const rows = (await Promise.all(Array.from({ length: 60 }, () => run(sql)))).flat()
      for (const { from, values, isAlone } of rows) {
        assert.deepEqual(values, ['10000', '3000', '8000', 'UTC', 'florin'])
        assert.ok(from.includes('database user') && !from.includes('session'), from.join())
        assert.equal(isAlone, run === sources)
      }
    }
    // The limits of another pool are set locally, and stay in no session.
    const short = await aPool(t, url, { limits: { ...defaultLimits, statementMs: 1_500 } })
    for (const [source] of await Promise.all([1, 2, 3].map(() => sources(short))))
      assert.deepEqual([source?.from.includes('session'), source?.values.includes('1500')], [true, true])
    assert.deepEqual((await sources(sql))[0]?.from.includes('session'), false)
  })

  test(`a pooler whose sessions start with other settings: refused, with the SQL and the way out (${version})`, async (t) => {
    const direct = await aDatabase(t, await cluster(), true)
    const between = await startPooler(direct, 6, 'timezone=Europe/Berlin')
    t.after(() => between.stop())
    const { username: role, pathname } = new URL(direct)
    const command = `alter role ${role} in database ${pathname.slice(1)} set TimeZone = 'UTC'; alter role`
    await assert.rejects(
      settleRole(between.through(direct)),
      (error) =>
        error instanceof OperatorError &&
        error.message.includes(`start with TimeZone Europe/Berlin, not UTC. Run: ${command} `) &&
        /let the pooler connect anew \(RECONNECT of pgbouncer\)/.test(error.message),
    )
  })
}

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
  const direct = await aDatabase(t, await testCluster())
  const databaseUrl = pooler.through(direct)
  const open = (own: Partial<Config>) =>
    openDeps({ config: testConfig({ mode: 'migrate', ...own }), log: pino({ level: 'silent' }), databaseUrl })
  await assert.rejects(
    open({}),
    (error) => error instanceof OperatorError && /pooler.*MIGRATE_DATABASE_URL.*postgres:/.test(error.message),
  )
  const sql = await aPool(t, direct)
  assert.deepEqual([...(await sql`select 1 from pg_tables where schemaname = 'florin'`)], [], 'nothing is written')
  const elsewhere = open({ migrateDatabaseUrl: await testCluster() })
  await assert.rejects(elsewhere, /lacks \d+ of this release's migrations.*MIGRATE_DATABASE_URL.*same database/)
  const migrated = await open({ migrateDatabaseUrl: direct })
  assert.equal(migrated.migrationsRun.length, (await listMigrations(packageMigrations)).length)
  await migrated.close()
  const again = await open({})
  assert.deepEqual(again.migrationsRun, [])
  await again.close()
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

test('pooler: PostgreSQL behind it is killed → every failure is an outage, and none is a fault of the statement', async (t) => {
  const cluster = await debianCluster(t)
  const admin = openPool({ url: cluster.url, max: 1, applicationName: 'pooler test', limits: withoutLimits })
  await admin.unsafe("alter role postgres password 'of-the-test'")
  await admin.end({ timeout: 1 })
  const direct = Object.assign(new URL(cluster.url), { password: 'of-the-test' }).href
  const killed = await startPooler(direct)
  t.after(() => killed.stop())
  const sql = await aPool(t, killed.through(direct))
  const failures: unknown[] = []
  let [done, isOver] = [0, false]
  const ask = async (): Promise<void> => {
    while (!isOver) {
      const asked = withTx(sql, (tx) => tx`select pg_sleep(0.01)`)
      await asked.then(
        () => done++,
        (error: unknown) => failures.push(error),
      )
    }
  }
  const asking = Array.from({ length: 4 }, ask)
  const more = async (): Promise<void> => {
    const goal = done + 20
    while (done < goal) await wait(10)
  }
  await more()
  await cluster.kill()
  while (failures.length < 8) await wait(10)
  await cluster.start()
  await more()
  isOver = true
  await Promise.all(asking)
  assert.deepEqual(failures.filter((error) => !isDatabaseDown(error)).map(String), [])
  // What PostgreSQL itself refuses under the same code is a fault of ours.
  assert.equal(isDatabaseDown(Object.assign(new Error('bind'), { code: '08P01', routine: 'exec_bind_message' })), false)
})
