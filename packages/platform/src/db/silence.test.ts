import assert from 'node:assert/strict'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { ownDatabase } from '../../../server/test/harness.ts'
import { aWire } from '../../../server/test/outages/wire.ts'
import { openPool } from './pool.ts'
import { openPools } from './pools.ts'
import { withTx } from './tx.ts'

const limits = { statementMs: 200, lockMs: 200, idleInTransactionMs: 200 }

test('connections that lead nowhere are given up and replaced, all of them by the first that is noticed', async (t) => {
  const wire = await aWire(t, await ownDatabase(t))
  const sql = openPool({ url: wire.url, max: 3, applicationName: 'silence', limits })
  t.after(() => sql.end({ timeout: 1 }))
  await Promise.all([1, 2, 3].map(() => withTx(sql, (tx) => tx`select 1`)))
  wire.silence()
  wire.mend()
  await assert.rejects(sql`select 1`, { code: 'QUERY_TIMEOUT' })
  // Two of the three have not been used since.
  assert.deepEqual(await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as n`)), [
    [{ n: 1 }],
    [{ n: 2 }],
    [{ n: 3 }],
  ])
})

slowTest('a transaction whose connection falls silent ends, and what it wrote does not stand', async (t) => {
  const wire = await aWire(t, await ownDatabase(t))
  const sql = openPool({ url: wire.url, max: 1, applicationName: 'silence', limits })
  t.after(() => sql.end({ timeout: 1 }))
  const name = `silence_${process.pid}`
  await sql`create table ${sql(name)} (id int)`
  const cut = withTx(sql, async (tx) => {
    await tx`insert into ${tx(name)} values (1)`
    wire.silence()
    wire.mend()
    await tx`insert into ${tx(name)} values (2)`
  })
  await assert.rejects(cut, { code: 'QUERY_TIMEOUT' })
  assert.deepEqual(await sql`select * from ${sql(name)}`, [])
  await sql`drop table ${sql(name)}`
})

test('readiness says no in time while nothing answers, and yes again by itself', async (t) => {
  const wire = await aWire(t, await ownDatabase(t))
  const pools = openPools(wire.url, 'api')
  t.after(() => pools.end({ timeout: 1 }))
  assert.equal(await pools.trouble(), null)
  wire.silence()
  assert.deepEqual(await Promise.all([pools.trouble(), pools.trouble()]), ['not reachable', 'not reachable'])
  wire.mend()
  while ((await pools.trouble()) !== null);
})

slowTest('notifications are heard again after their connection fell silent', async (t) => {
  const url = await ownDatabase(t)
  const wire = await aWire(t, url)
  const [listening, speaking] = [wire.url, url].map((each) =>
    openPool({ url: each, max: 1, applicationName: 'silence', limits }),
  )
  assert.ok(listening !== undefined && speaking !== undefined)
  t.after(() => Promise.all([listening.end({ timeout: 1 }), speaking.end({ timeout: 1 })]))
  const channel = `silence_${process.pid}`
  let heard = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<Error>()
  listening.listen(channel, () => heard.resolve(), lost.resolve)
  await heard.promise
  wire.cut()
  wire.mend()
  await lost.promise
  heard = Promise.withResolvers<void>()
  await heard.promise
  heard = Promise.withResolvers<void>()
  await speaking`select pg_notify(${channel}, '')`
  await heard.promise
})
