// A cluster of its own: transaction numbers begin low, so that they gain digits while events are written.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEphemeral } from '@florin/embedded-postgres'
import { currentXid, judge, readEach, someShops, writeAndFollow } from '../../../test/events/order.ts'
import { testApp } from '../../../test/harness.ts'

const cluster = await startEphemeral({ log: { info: () => undefined, warn: console.warn } })
process.env.FLORIN_TEST_PG = cluster.url
after(() => cluster.stop())

test('pages and streams agree in the order of commits while transaction numbers gain digits', async (t) => {
  const at = await testApp(t)
  const shops = await someShops(at, 5)
  assert.ok((await currentXid(at.deps.sql)) < 9_000)
  const shape = { events: 600, processes: 4, longMs: 120, digits: [9_900, 10_000, 99_900, 100_000] }
  const { writes, streamed, paged } = await writeAndFollow(t, at, shops, shape)
  assert.ok((await currentXid(at.deps.sql)) >= 100_000)
  judge(writes, streamed)
  assert.deepEqual(paged, streamed)
  for (const limit of [1, 5, 100]) assert.deepEqual(await readEach(at, shops, limit), streamed)
})
