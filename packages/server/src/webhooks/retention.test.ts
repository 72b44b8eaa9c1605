import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '@florin/platform/metrics'
import { DAY_MS } from '@florin/protocol'
import { anEvent, aShop } from '../../test/deliveries.ts'
import { testDeps } from '../../test/harness.ts'
import { forgetDeliveries, tendPartitions } from './retention.ts'

test('partitions are made ahead and dropped after their time, at the day', async (t) => {
  const at = await testDeps(t)
  const names = async (parent: string): Promise<string[]> =>
    (
      await at.deps.sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${parent}::regclass order by 1`
    ).map((row) => row.name)
  const day = (offset: number): string =>
    `delivery_attempts_${new Date(at.clock.now().getTime() + offset * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`
  await tendPartitions(at.deps)
  const before = await names('delivery_attempts')
  assert.ok(before.includes(day(-1)) && before.includes(day(14)))
  const eventsBefore = await names('order_events')

  at.clock.advance(29 * DAY_MS)
  await tendPartitions(at.deps)
  assert.ok((await names('delivery_attempts')).includes(day(-29)), 'thirty days are kept')
  at.clock.advance(2 * DAY_MS)
  await tendPartitions(at.deps)
  const after = await names('delivery_attempts')
  assert.ok(!after.includes(day(-31)) && after.includes(day(-30)) && after.includes(day(14)))
  assert.ok(eventsBefore.every((name) => after.includes(name) === false))
  assert.deepEqual(
    (await names('order_events')).slice(0, eventsBefore.length),
    eventsBefore,
    'events are kept for ninety',
  )
  at.clock.advance(90 * DAY_MS)
  await tendPartitions(at.deps)
  assert.ok(!(await names('order_events')).includes(eventsBefore[0] ?? ''))
  const gauge = await metrics.getSingleMetricAsString('florin_partitions_ahead_days')
  assert.match(gauge, /delivery_attempts"} 15/)
})

test('when partitions run short somebody is told, before nothing can be written', async (t) => {
  const at = await testDeps(t)
  const warned: { table: string; days: number }[] = []
  const log = Object.assign(Object.create(at.deps.log), {
    warn: (fields: { table: string; days: number }) => warned.push(fields),
  })
  const tended = async (): Promise<string[]> => {
    warned.length = 0
    await tendPartitions({ ...at.deps, log })
    return warned.map(({ table }) => table)
  }
  assert.deepEqual(await tended(), [])
  await at.deps.sql`drop function make_partitions`
  // The days are whole ones from today until the last partition ends, fourteen days ahead and today.
  at.clock.advance(8 * DAY_MS)
  assert.deepEqual(await tended(), [], 'seven days are enough')
  at.clock.advance(DAY_MS)
  assert.ok((await tended()).includes('delivery_attempts'))
  // A week's partition reaches up to six days further, by the weekday on which this runs.
  assert.ok(warned.every(({ days }) => days === 6))
  at.clock.advance(6 * DAY_MS)
  assert.deepEqual(await tended(), ['order_events', 'delivery_attempts'])
})

test('deliveries are forgotten after 400 days, but never one that still waits', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const done = await anEvent(at.deps, shop, 'https://shop.example/')
  const waiting = await anEvent(at.deps, shop, 'https://shop.example/')
  await at.deps.sql`delete from delivery_queue where delivery_id = ${done.deliveryId}`
  at.clock.advance(399 * DAY_MS)
  assert.equal(await forgetDeliveries(at.deps), 0)
  at.clock.advance(2 * DAY_MS)
  assert.equal(await forgetDeliveries(at.deps), 1)
  const left = await at.deps.sql<{ id: string }[]>`select id from deliveries`
  assert.deepEqual(
    left.map((row) => row.id),
    [waiting.deliveryId],
  )
})

test('a partition that somebody reads is dropped by a later run, and holds up nothing else', async (t) => {
  const at = await testDeps(t)
  const { sql } = at.deps
  const partitions = async (): Promise<number> =>
    (await sql`select 1 from pg_inherits where inhparent = 'delivery_attempts'::regclass`).length
  at.clock.advance(60 * DAY_MS)
  const before = await partitions()
  const reading = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const reader = sql.begin(async (tx) => {
    await tx`select count(*) from delivery_attempts`
    reading.resolve()
    await release.promise
  })
  await reading.promise
  await tendPartitions(at.deps)
  const during = await partitions()
  assert.ok(during > before, 'new ones were made, and none was dropped')
  const shop = await aShop(at.deps)
  await anEvent(at.deps, shop, 'https://shop.example/')
  release.resolve()
  await reader
  await tendPartitions(at.deps)
  assert.ok((await partitions()) < during)
})
