// Events through pg_dump and restore into a fresh cluster, whose transaction numbers begin low again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { only } from '@florin/platform/assert'
import { sized } from '../../../../../scripts/sizes.ts'
import { anEvent, givePositions } from '../../../test/deliveries.ts'
import { debianCluster } from '../../../test/events/debian-cluster.ts'
import { currentXid, judge, readAll, readEach, someShops, writeAndFollow } from '../../../test/events/order.ts'
import { testApp } from '../../../test/harness.ts'

// Of the file: they outlive what a test gives back to them.
const source = await debianCluster({ after })
const target = await debianCluster({ after })
process.env.FLORIN_TEST_PG = source.url

/** @returns the URL of the restored database. */
async function dumpAndRestore(sourceUrl: string): Promise<string> {
  const file = `${target.folder}/florin.dump`
  await target.tool('pg_dump', '-Fc', '-f', file, '-d', sourceUrl)
  await target.tool('createdb', '--maintenance-db', target.url, 'restored')
  const url = target.url.replace(/postgres$/, 'restored')
  await target.tool('pg_restore', '--exit-on-error', '-d', url, file)
  return url
}

// In full: npm run test:faults -- packages/server/src/webhooks/feed/restore.system.test.ts
const size = sized({
  short: { shops: 10, events: 1_600, longMs: 300, later: 400 },
  full: { shops: 30, events: 20_000, longMs: 1_000, later: 2_000 },
})

test('events of many merchants stay in order through pg_dump and restore, and so do those after it', async (t) => {
  const at = await testApp(t)
  const shops = await someShops(at, size.shops)
  const digits = [9_950, 10_000, 99_950, 100_000]
  const shape = { events: size.events, processes: 4, longMs: size.longMs, digits }
  const before = await writeAndFollow(t, at, shops, shape)
  judge(before.writes, before.streamed)
  assert.deepEqual(before.paged, before.streamed)
  for (const limit of [5, 100]) assert.deepEqual(await readEach(at, shops, limit), before.streamed)
  // A request for each event takes minutes: three merchants are read so.
  const few = shops.slice(0, 3)
  const ofFew = (lists: ReadonlyMap<string, readonly string[]>) =>
    new Map([...lists].filter(([id]) => few.some((shop) => shop.merchantId === id)))
  assert.deepEqual(await readEach(at, few, 1), ofFew(before.streamed))

  // Where readers stand: cursors and ids of events. One event waits when it is dumped.
  const cursors = new Map<string, { seen: number; places: string[] }>()
  for (const shop of shops) {
    const ids = before.streamed.get(shop.merchantId) ?? []
    const answer = await at.app.inject({ url: '/v1/events', headers: shop.headers, query: { limit: '100' } })
    const seen = Math.min(100, ids.length)
    const id = ids[seen - 1] ?? ''
    cursors.set(shop.merchantId, { seen, places: [answer.json<{ next_cursor: string }>().next_cursor, id] })
  }
  const [first] = shops
  assert.ok(first)
  const waiting = await anEvent(at.deps, first, 'https://shop.example/')
  const restoredUrl = await dumpAndRestore(at.databaseUrl)

  const restored = await testApp(t, {}, restoredUrl)
  restored.clock.advance(at.clock.now().getTime() - restored.clock.now().getTime())
  assert.ok((await currentXid(restored.deps.sql)) < (await currentXid(at.deps.sql)) / 10)
  assert.deepEqual(await readEach(restored, shops, 5), before.streamed)
  await givePositions(restored.deps)
  before.streamed.get(first.merchantId)?.push(waiting.eventId)

  const more = await writeAndFollow(t, restored, shops, { events: size.later, processes: 4, longMs: 300, digits: [] })
  judge(more.writes, more.streamed)
  assert.deepEqual(more.paged, more.streamed)
  const whole = new Map(
    [...before.streamed].map(([id, ids]) => [id, [...ids, ...(more.streamed.get(id) ?? [])]] as const),
  )
  for (const limit of [5, 100]) assert.deepEqual(await readEach(restored, shops, limit), whole)
  assert.deepEqual(await readEach(restored, few, 1), ofFew(whole))
  for (const shop of shops) {
    const { seen, places } = cursors.get(shop.merchantId) ?? only([], 'cursors')
    for (const place of places) {
      const { ids } = await readAll(restored, shop, { limit: 100, after: place })
      assert.deepEqual(ids, whole.get(shop.merchantId)?.slice(seen))
    }
  }
})
