import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ownDatabase } from '../../../server/test/harness.ts'
import { aWire } from '../../../server/test/outages/wire.ts'
import { openPool, type Sql } from './pool.ts'
import { withTx } from './tx.ts'

interface World {
  sql: Sql
  /** Terminates the session with this number, as an administrator or a failover does. */
  terminate(pid: number): Promise<void>
}

async function world(t: TestContext, max: number): Promise<World> {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max, applicationName: 'driver test' })
  const admin = openPool({ url, max: 1, applicationName: 'driver test admin' })
  t.after(() => Promise.all([sql.end({ timeout: 1 }), admin.end({ timeout: 1 })]))
  await admin`create table seen (what text not null)`
  return {
    sql,
    async terminate(pid) {
      await admin`select pg_terminate_backend(${pid}, 5000)`
    },
  }
}

const pidOf = async (sql: Sql): Promise<number> =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0

test('a session that is ended in the middle of a transaction is an error of that transaction and of nothing else', async (t) => {
  const { sql, terminate } = await world(t, 1)
  for (let i = 0; i < 5; i++) {
    const started = Promise.withResolvers<number>()
    const cut = withTx(sql, async (tx) => {
      await tx`insert into seen values ('cut off')`
      started.resolve(await pidOf(tx as unknown as Sql))
      await tx`select pg_sleep(30)`
    })
    const failed = assert.rejects(cut)
    await terminate(await started.promise)
    await failed
    // The connection was replaced: nothing is left of the old one.
    assert.deepEqual([...(await sql`select ${i}::int as i`)], [{ i }])
    await withTx(sql, (tx) => tx`insert into seen values ('whole')`)
  }
  assert.deepEqual([...(await sql`select what, count(*)::int as n from seen group by what`)], [{ what: 'whole', n: 5 }])
})

test('what a cut-off transaction still does never reaches the database, nor anybody else’s transaction', async (t) => {
  const { sql, terminate } = await world(t, 1)
  const other = Promise.withResolvers<void>()
  const inOther = Promise.withResolvers<void>()
  const cut = withTx(sql, async (tx) => {
    const pid = await pidOf(tx as unknown as Sql)
    // Waits for the one connection, which will be a new one.
    const second = withTx(sql, async (own) => {
      await own`insert into seen values ('other')`
      inOther.resolve()
      await other.promise
      throw new Error('rolled back on purpose')
    })
    await terminate(pid)
    await inOther.promise
    await assert.rejects(async () => tx`insert into seen values ('after the end')`, { code: 'CONNECTION_CLOSED' })
    other.resolve()
    await assert.rejects(second, /on purpose/)
  })
  await assert.rejects(cut, { code: 'CONNECTION_CLOSED' })
  await sql`select 1`
  // The work of the interrupted one continued after its promise had failed.
  await other.promise
  assert.deepEqual([...(await sql`select what from seen`)], [])
})

test('a transaction has its connection to itself, also when it was queued behind a hundred statements', async (t) => {
  const { sql } = await world(t, 1)
  for (const ahead of [99, 100, 101]) {
    const before = Array.from({ length: ahead }, () => sql`select 1`.execute())
    const inside = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const tx = withTx(sql, async (own) => {
      await own`insert into seen values ('inside')`
      inside.resolve()
      await release.promise
      throw new Error('rolled back on purpose')
    })
    const failed = assert.rejects(tx, /on purpose/)
    await Promise.race([inside.promise, failed])
    const outside = sql`insert into seen values ('outside')`.execute()
    release.resolve()
    await Promise.all([failed, outside, ...before])
  }
  assert.deepEqual(
    [...(await sql`select what, count(*)::int as n from seen group by what`)],
    [{ what: 'outside', n: 3 }],
  )
})

test('a server that takes no writes any more: its connections are replaced after one refusal', async (t) => {
  const { sql } = await world(t, 3)
  const together = (run: (own: Pick<Sql, 'unsafe'>) => Promise<unknown>) => {
    const begun = [0, 0, 0].map(() => Promise.withResolvers<void>())
    return Promise.all(
      begun.map(({ resolve }) =>
        withTx(sql, async (own) => {
          resolve()
          await Promise.all(begun.map(({ promise }) => promise))
          await run(own)
        }),
      ),
    )
  }
  const demote = () => together((own) => own.unsafe('set default_transaction_read_only = on'))
  await demote()
  await assert.rejects(sql`insert into seen values (${'one'})`, { code: '25006' })
  await together((own) => own.unsafe("insert into seen values ('whole')"))
  await demote()
  await assert.rejects(
    withTx(sql, (own) => own`insert into seen values (${'two'})`),
    { code: '25006' },
  )
  await together((own) => own.unsafe("insert into seen values ('whole')"))
  assert.deepEqual(await sql`select what, count(*)::int as n from seen group by what`, [{ what: 'whole', n: 6 }])
})

test('after all connections were reset at once, again and again, every one of them works', async (t) => {
  const direct = await ownDatabase(t)
  const wire = await aWire(t, direct)
  const sql = openPool({ url: wire.url, max: 4, applicationName: 'reset' })
  t.after(() => sql.end({ timeout: 1 }))
  const admin = openPool({ url: direct, max: 1, applicationName: 'reset admin' })
  t.after(() => admin.end({ timeout: 1 }))
  await admin`create table pairs (id bigint generated always as identity, half text not null)`

  let stopped = false
  let committed = 0
  const halves = async (): Promise<void> => {
    while (!stopped) {
      try {
        await withTx(sql, async (tx) => {
          await tx`insert into pairs (half) values ('one')`
          await tx`insert into pairs (half) values ('other')`
        })
        committed += 1
      } catch (error) {
        assert.match(String((error as { code?: string }).code), /^(CONNECTION_|ECONN|EPIPE|57P)/)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
  const workers = Array.from({ length: 8 }, halves)
  for (let i = 0; i < 30; i++) {
    const enough = committed + 20
    while (committed < enough) await new Promise((resolve) => setTimeout(resolve, 1))
    wire.cut()
    wire.mend()
  }
  const enough = committed + 20
  while (committed < enough) await new Promise((resolve) => setTimeout(resolve, 1))
  stopped = true
  await Promise.all(workers)
  await Promise.all(Array.from({ length: 4 }, () => withTx(sql, (tx) => tx`select pg_sleep(0.05)`)))
  const [count] = await admin<{ one: number; other: number }[]>`
    select count(*) filter (where half = 'one')::int as one, count(*) filter (where half = 'other')::int as other from pairs`
  assert.equal(count?.one, count?.other)
  // A commit whose answer was lost counts as failed here.
  assert.ok((count?.one ?? 0) >= committed)
})
