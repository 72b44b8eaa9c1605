// A cluster of its own: transaction numbers begin low, so that they gain digits while events are written.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEphemeral } from '@florin/embedded-postgres'
import { sized } from '../../../../../scripts/sizes.ts'
import { currentXid, judge, readEach, someShops, writeAndFollow } from '../../../test/events/order.ts'
import { testApp } from '../../../test/harness.ts'

const cluster = await startEphemeral({ log: { info: () => undefined, warn: console.warn } })
process.env.FLORIN_TEST_PG = cluster.url
after(() => cluster.stop())

const size = sized({
  short: { events: 300, shops: 5, longMs: 120, digits: [9_950, 10_000] },
  full: { events: 20_000, shops: 30, longMs: 1_000, digits: [9_950, 10_000, 99_950, 100_000] },
})

test('pages and streams agree in the order of commits while transaction numbers gain digits', async (t) => {
  const at = await testApp(t)
  const shops = await someShops(at, size.shops)
  assert.ok((await currentXid(at.deps.sql)) < 9_000)
  const shape = { ...size, processes: 4 }
  const { writes, streamed, paged } = await writeAndFollow(t, at, shops, shape)
  assert.ok((await currentXid(at.deps.sql)) >= Math.max(...size.digits))
  judge(writes, streamed)
  assert.deepEqual(paged, streamed)
  for (const limit of [1, 5, 100]) assert.deepEqual(await readEach(at, shops, limit), streamed)
})
