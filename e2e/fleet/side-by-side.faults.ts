// Promises: the release before this one and this one work side by side on one database, while every migration between them runs,
// and are exchanged one process after the other, without a request refused for another reason than 503 with Retry-After, and without an
// order, event, delivery or settlement lost or doubled.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openPool, withoutLimits } from '../../packages/server/src/platform/db/pool.ts'
import { testCluster } from '../../packages/server/test/cluster.ts'
import { until } from '../florin.ts'
import { checkBooks } from './books.ts'
import { startFleet, thisRelease } from './fleet.ts'
import { previousRelease } from './previous.ts'

test('the previous release and this one serve together through every migration between them', async (t) => {
  const previous = await previousRelease()
  if ('missing' in previous) return t.skip(previous.missing)
  const cluster = await testCluster()
  const name = `fleet_${randomBytes(4).toString('hex')}`
  const root = openPool({ url: cluster, max: 1, applicationName: 'fleet', limits: withoutLimits })
  await root.unsafe(`create database ${name}`)
  const databaseUrl = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  const sql = openPool({ url: databaseUrl, max: 2, applicationName: 'fleet', limits: withoutLimits })
  const fleet = await startFleet({ databaseUrl, place: previous.place })
  const { shoppers } = fleet
  t.after(async () => {
    await fleet.close()
    await sql.end({ timeout: 1 })
    await root.unsafe(`drop database ${name} with (force)`)
    await root.end()
  })
  shoppers.pace = 12
  const wellFor = async (orders: number, what: string): Promise<void> => {
    const goal = shoppers.counts.finished + orders
    await until(() => shoppers.faults.length > 0 || shoppers.counts.finished >= goal, what, t.signal)
    assert.deepEqual(shoppers.faults.slice(0, 3), [], what)
    t.diagnostic(`${what}: ${shoppers.counts.refused} refused, slowest ${shoppers.slowestMs} ms`)
    for (const { florin } of fleet.members) {
      // What is told as 503 says so; who waited for a row as long as a busy machine lets it is told so too.
      const wrong = florin
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line) && !/"type":"DatabaseUnavailable"|"code":"55P03"/.test(line))
      assert.deepEqual(wrong.slice(0, 2), [], what)
    }
  }
  const migrations = async (): Promise<number> =>
    (await sql<{ n: number }[]>`select count(*)::int as n from migrations`)[0]?.n ?? 0

  await wellFor(40, 'the previous release alone')
  const before = await migrations()
  await fleet.migrate(thisRelease)
  const ran = (await migrations()) - before
  assert.ok(ran > 0, 'there is something between the two releases')
  await wellFor(60, 'the previous release on the schema of this one')
  const [oldApi, oldWorker] = fleet.members
  assert.ok(oldApi && oldWorker)
  await fleet.start('api', thisRelease)
  await wellFor(60, 'this API beside the previous one')
  await fleet.start('worker', thisRelease)
  await wellFor(80, 'both releases beside each other')
  await fleet.retire(oldWorker)
  await wellFor(40, 'this worker alone')
  await fleet.retire(oldApi)
  await wellFor(40, 'this release alone')
  // The way back: what expands only is what the previous release can still work on.
  const again = [await fleet.start('api', previous.place), await fleet.start('worker', previous.place)]
  await wellFor(60, 'the previous release started anew beside this one')
  for (const member of again) await fleet.retire(member)

  await shoppers.stop()
  assert.deepEqual(shoppers.faults, [])
  assert.equal(shoppers.counts.cut, 0, 'nobody was cut off by a process that drained')
  const books = await checkBooks({ ...fleet, sql })
  t.diagnostic(
    JSON.stringify({
      previous: previous.name,
      migrations: ran,
      ...books,
      ...shoppers.counts,
      slowestMs: shoppers.slowestMs,
    }),
  )
  assert.equal(books.repeated, 0, 'no delivery was made twice')
})
