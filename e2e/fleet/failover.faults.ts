// Promises: over a pair of PostgreSQL kept by Patroni, a fleet loses and doubles nothing while the primary is killed three times
// under load, and goes on by itself with the one that was the standby.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool, withoutLimits } from '../../packages/server/src/platform/db/pool.ts'
import { until } from '../florin.ts'
import { checkBooks } from './books.ts'
import { startFleet, thisRelease } from './fleet.ts'
import { startPair } from './patroni.ts'

test('a primary that is killed three times costs seconds and nothing else', async (t) => {
  const pair = await startPair(t)
  const root = openPool({ url: pair.url('postgres'), max: 1, applicationName: 'fleet', limits: withoutLimits })
  await root.unsafe('create database florin')
  await root.end({ timeout: 1 })
  const databaseUrl = pair.url('florin')
  const sql = openPool({ url: databaseUrl, max: 2, applicationName: 'fleet', limits: withoutLimits })
  const fleet = await startFleet({ databaseUrl, place: thisRelease })
  const { shoppers } = fleet
  t.after(async () => {
    await fleet.close()
    await sql.end({ timeout: 1 })
  })
  shoppers.pace = 5
  await fleet.start('api', thisRelease)
  await fleet.start('worker', thisRelease)
  const more = async (orders: number): Promise<void> => {
    const goal = shoppers.counts.finished + orders
    await until(() => shoppers.faults.length > 0 || shoppers.counts.finished >= goal, 'orders', t.signal)
    assert.deepEqual(shoppers.faults.slice(0, 3), [])
  }
  await more(30)
  for (let n = 1; n <= 3; n++) {
    await pair.untilSafe()
    const began = performance.now()
    const killed = await pair.killPrimary()
    await pair.untilPrimaryIsAnother(killed)
    const promoted = performance.now()
    await more(1)
    const [failover, healed] = [promoted - began, performance.now() - promoted].map((ms) => (ms / 1000).toFixed(1))
    t.diagnostic(`kill ${n}: ${killed} is replaced after ${failover} s, the next order is done ${healed} s later`)
    await pair.revive(killed)
    await more(30)
  }
  await shoppers.stop()
  assert.deepEqual(shoppers.faults.slice(0, 3), [])
  const books = await checkBooks({ ...fleet, sql })
  t.diagnostic(JSON.stringify({ ...books, ...shoppers.counts, slowestMs: shoppers.slowestMs }))
})
