import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { testCluster } from '../../../server/test/cluster.ts'
import { openPool, type PoolOptions, type Sql } from './pool.ts'
import { type Parameter, Statement } from './sql.ts'
import { withTx } from './tx.ts'

// One connection, so that temporary tables serve.
async function aPool(t: TestContext, options: Partial<PoolOptions> = {}): Promise<Sql> {
  const sql = openPool({ url: await testCluster(), max: 1, applicationName: 'sql test', ...options })
  t.after(() => sql.end({ timeout: 1 }))
  return sql
}

/** A table that several connections see. */
async function aTable(t: TestContext): Promise<string> {
  const name = `seen_${randomBytes(6).toString('hex')}`
  const sql = await aPool(t)
  await sql`create schema if not exists florin`
  await sql`create table ${sql(name)} (id int primary key)`
  t.after(async () => {
    const after = openPool({ url: await testCluster(), max: 1, applicationName: 'sql test' })
    await after`drop table ${after(name)}`
    await after.end()
  })
  return name
}

test('every value comes back as it was given', async (t) => {
  const sql = await aPool(t)
  const at = new Date('2026-11-22T07:24:25.123Z')
  const bytes = Buffer.from([0, 1, 254, 255])
  const values: [type: string, value: Parameter][] = [
    ['bigint', 9_007_199_254_740_993n],
    ['bigint[]', [1n, null, -9_223_372_036_854_775_808n]],
    ['bigint[]', []],
    ['numeric', '123456789012345678901234567890.000000000000000001'],
    ['numeric[]', ['1.10', null]],
    ['int', -5],
    ['float8', 0.1],
    ['boolean', true],
    ['boolean[]', [true, false, null]],
    ['timestamptz', at],
    ['timestamptz[]', [at, null]],
    ['bytea', bytes],
    ['bytea[]', [bytes]],
    ['text', `it's "quoted", \\ and 🪙\n$1 ?`],
    ['text[]', ['a,b', '{"c"}', 'NULL', '', null, '\\']],
    ['text[]', [['a', 'b'].join('\t'), ' a', '\\"\\"', "it's"]],
    ['float8[]', [0.1, -5, Number.POSITIVE_INFINITY, null]],
    ['text', null],
  ]
  for (const [type, value] of values) {
    const [row] = await sql.unsafe<{ value: unknown }[]>(`select $1::${type} as value`, [value])
    assert.deepEqual(row?.value, value, type)
    const [tagged] = await sql<{ value: unknown }[]>`select ${value}::${sql.unsafe(type)} as value`
    assert.deepEqual(tagged?.value, value, type)
  }
  const day = { a: [1, 'two', { three: null }], b: 'ü' }
  const [json] = await sql`select ${sql.json(day)}::json as one, ${sql.json([1, 2])}::jsonb as two`
  assert.deepEqual(json, { one: day, two: [1, 2] })
})

test('a value whose type JavaScript knows needs no cast', async (t) => {
  const sql = await aPool(t)
  const at = new Date('2026-11-22T07:00:00Z')
  const [row] = await sql`
    select ${at} - interval '1 hour' as before, ${5n} + 1 as sum, ${true} and false as both, ${Buffer.from('ab')} || '\\x63'::bytea as bytes`
  assert.deepEqual(row, { before: new Date('2026-11-22T06:00:00Z'), sum: 6n, both: false, bytes: Buffer.from('abc') })
})

test('parts nest, names are quoted, rows bring their columns', async (t) => {
  const sql = await aPool(t)
  const table = 'odd "name"'
  await sql`create temporary table ${sql(table)} (id int, at timestamptz, "what ever" text)`
  const at = new Date('2026-11-22T07:00:00Z')
  await sql`insert into ${sql(table)} ${sql([
    { id: 1, at, 'what ever': "o'ne" },
    { id: 2, at: null, 'what ever': 'two' },
  ])}`
  const only = (id: number | null) => (id === null ? sql`` : sql`and id = ${id}`)
  const find = (id: number | null) =>
    sql`select "what ever" as what from ${sql(table)} where id < ${10} ${only(id)} order by id limit ${5}`
  assert.deepEqual(await find(null), [{ what: "o'ne" }, { what: 'two' }])
  assert.deepEqual(await find(2), [{ what: 'two' }])
  assert.deepEqual(await sql`select ${sql.unsafe('id, at')} from ${sql(table)} order by id`, [
    { id: 1, at },
    { id: 2, at: null },
  ])
})

test('a statement runs when it is asked for, and once', async (t) => {
  const sql = await aPool(t)
  await sql`create temporary table seen (what text)`
  void sql`insert into seen values ('never')`
  const once = sql`insert into seen values ('once') returning what`
  assert.deepEqual(await Promise.all([once, once.execute(), once]), [
    [{ what: 'once' }],
    [{ what: 'once' }],
    [{ what: 'once' }],
  ])
  assert.deepEqual(await sql`select what from seen`, [{ what: 'once' }])
})

test('undefined is refused before anything is sent', async (t) => {
  const sql = await aPool(t)
  const missing = undefined as unknown as string
  await assert.rejects(sql`select ${missing}::text`, /undefined is no parameter/)
  assert.deepEqual(await sql`select 1 as n`, [{ n: 1 }])
})

test('a transaction in which a statement failed is undone, also when nobody looked at that statement', async (t) => {
  const sql = await aPool(t)
  await sql`create temporary table seen (what text primary key)`
  await assert.rejects(
    withTx(sql, async (tx) => {
      await tx`insert into seen values ('one')`
      await tx`insert into seen values ('one')`.catch(() => undefined)
    }),
    { code: '23505' },
  )
  await assert.rejects(
    withTx(sql, async (tx) => {
      tx`select 1 / 0`.execute()
      tx`insert into seen values ('two')`.execute()
    }),
  )
  assert.deepEqual(await sql`select what from seen`, [])
})

test('statements of a transaction that is over are refused', async (t) => {
  const sql = await aPool(t)
  const kept = await withTx(sql, async (tx) => ({ tx }))
  await assert.rejects(async () => kept.tx`select 1`, /is over/)
})

test('statements started together travel together, and each gets its own answer', async (t) => {
  const sql = await aPool(t)
  const rows = await withTx(sql, (tx) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => tx<{ n: number }[]>`select ${n}::int as n`)),
  )
  assert.deepEqual(
    rows.map(([row]) => row?.n),
    Array.from({ length: 50 }, (_, n) => n),
  )
  const answers = await withTx(sql, (tx) =>
    Promise.allSettled([tx`select 1 as n`, tx`select 1 / ${0}::int`, tx`select 2 as n`]),
  ).catch((error: { code?: string }) => error.code)
  assert.equal(answers, '22012')
  assert.deepEqual(await sql`select 3 as n`, [{ n: 3 }])
})

test('a migration may change the columns of a prepared statement', async (t) => {
  const sql = await aPool(t, { max: 2 })
  const table = await aTable(t)
  await sql`insert into ${sql(table)} values (1)`
  const all = () => sql`select * from ${sql(table)} where id = ${1}`
  const inTx = () => withTx(sql, (tx) => tx`select * from ${tx(table)} where id < ${2}`)
  await Promise.all([all(), all(), inTx(), inTx()])
  await sql`alter table ${sql(table)} add column more text default 'more'`
  for (const ask of [all, inTx, all, inTx]) assert.deepEqual(await ask(), [{ id: 1, more: 'more' }])
})

test('a prepared statement reads the same the second time, whatever it answers with', async (t) => {
  const sql = await aPool(t)
  await sql`create temporary table seen (id int, what text)`
  const asks: [ask: (id: number) => PromiseLike<unknown>, expected: (id: number) => unknown[]][] = [
    [(id) => sql`insert into seen values (${id}, null)`, () => []],
    [
      (id) => sql`update seen set what = ${`of ${id}`} where id = ${id} returning *`,
      (id) => [{ id, what: `of ${id}` }],
    ],
    [(id) => sql`select what, id from seen where id = ${id}`, (id) => [{ what: `of ${id}`, id }]],
    [(id) => sql`select id from seen where id > ${id}`, () => []],
    [(id) => sql`select ${id}::int as a, null::text as b, ${id}::int as a`, (id) => [{ a: id, b: null }]],
  ]
  for (const id of [1, 2, 3]) for (const [ask, expected] of asks) assert.deepEqual(await ask(id), expected(id))
  // What fails the first time is learned when it succeeds.
  const divide = (by: number) => sql`select 6 / ${by}::int as n`
  await assert.rejects(divide(0), { code: '22012' })
  for (const by of [2, 2, 3]) assert.deepEqual(await divide(by), [{ n: 6 / by }])
})

test('more texts than are remembered are statements like any other', async (t) => {
  const sql = await aPool(t)
  const many = () => Array.from({ length: 12_000 }, (_, n) => sql.unsafe(`(${n})`))
  const first = sql`select ${1}::int as n`
  for (const _ of [1, 2]) for (const part of many()) part.writeTo(new Statement())
  assert.deepEqual(await first, [{ n: 1 }])
  assert.deepEqual(await sql`select ${2}::int as n`, [{ n: 2 }])
})

test('a statement that takes too long, or waits too long for a lock, is cut off and its connection goes on', async (t) => {
  const table = await aTable(t)
  const sql = await aPool(t, { limits: { statementMs: 2_000, lockMs: 50, idleInTransactionMs: 0 } })
  const holder = await aPool(t)
  const [before] = await sql`select pg_backend_pid() as pid`
  await assert.rejects(sql`select pg_sleep(30)`, { code: '57014' })
  await withTx(holder, async (own) => {
    await own`lock table ${own(table)}`
    await assert.rejects(sql`select * from ${sql(table)}`, { code: '55P03' })
  })
  assert.deepEqual(await sql`select pg_backend_pid() as pid`, [before])
})

test('a transaction that does nothing for too long ends, and its connection is replaced', async (t) => {
  const table = await aTable(t)
  const sql = await aPool(t, { limits: { statementMs: 0, lockMs: 0, idleInTransactionMs: 50 } })
  const idle = withTx(sql, async (tx) => {
    await tx`insert into ${tx(table)} values (1)`
    await new Promise(() => undefined)
  })
  await assert.rejects(idle, { code: 'CONNECTION_CLOSED' })
  assert.deepEqual(await sql`select * from ${sql(table)}`, [])
})

test('who gets no connection in time is told so, and the one in use is left alone', async (t) => {
  const sql = await aPool(t, { acquireMs: 1_000 })
  await sql`select 1`
  const over = Promise.withResolvers<void>()
  const long = withTx(sql, async (tx) => {
    await over.promise
    return tx`select 1 as n`
  })
  await assert.rejects(sql`select 1`, { code: 'ACQUIRE_TIMEOUT' })
  over.resolve()
  assert.deepEqual(await long, [{ n: 1 }])
})
