// Promises: over a pair of PostgreSQL kept by Patroni behind one address, a fleet loses and doubles nothing while the primary is
// killed three times under load, and continues automatically with the former standby. Each worker logs each outage in two lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { until } from '../florin.ts'
import { checkBooks } from './books.ts'
import { startFleet, thisRelease } from './fleet.ts'
import { startPair } from './patroni.ts'

test('a primary that is killed three times costs seconds and nothing else', async (t) => {
  const pair = await startPair(t)
  const root = openPool({ url: pair.url('postgres'), max: 1, applicationName: 'fleet', limits: withoutLimits })
  const create = () => root.unsafe('create database florin')
  await until(() => create().then(Boolean, () => false), 'an address that leads to the primary')
  await root.end({ timeout: 1 })
  const databaseUrl = pair.url('florin')
  const sql = openPool({ url: databaseUrl, max: 2, applicationName: 'fleet', limits: withoutLimits })
  const fleet = await startFleet({ databaseUrl, place: thisRelease, settings: { LOG_LEVEL: 'info' } })
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
  for (const { role, florin } of fleet.members) {
    const count = (words: string): number => florin.output().split(words).length - 1
    const [away, back] = [count('the database is away'), count('the database is back')]
    t.diagnostic(`${role}: ${away} lines of the database away, ${back} of the database back`)
    // HAProxy may take a primary that answers its checks late for lost, too.
    assert.ok(away === back && away <= 6 && (role === 'api' || away > 0), florin.output().slice(-4_000))
  }
})
