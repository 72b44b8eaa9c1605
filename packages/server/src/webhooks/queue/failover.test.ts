import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { databaseClock } from '@florin/platform/clock'
import { anEvent, aShop, deliveryStates, eventually } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import { SHORT_LEASE, SHORT_TIMEOUT_MS, standby } from '../../../test/kills/kills.ts'
import { aWire } from '../../../test/outages/wire.ts'
import * as r from '../../../test/receiver.ts'

const CUTS = 6
const EVENTS_EACH = 10

test('a database whose connections are all cut, again and again, costs neither the worker nor an event', async (t) => {
  const { deps, databaseUrl } = await testDeps(t)
  const clock = await databaseClock(deps.sql)
  const wire = await aWire(t, databaseUrl)
  const receiver = await r.receiver(t)
  const shop = await aShop(deps)
  const worker = await standby({
    databaseUrl: wire.url,
    tuning: SHORT_LEASE,
    timeoutMs: SHORT_TIMEOUT_MS,
    retryWaitsMs: [50, 100, 100, 100],
  })
  worker.send('go')
  for (let n = 0; n < CUTS; n++) {
    const made = Array.from({ length: EVENTS_EACH }, () => anEvent({ sql: deps.sql, clock }, shop, receiver.url))
    await Promise.all(made)
    // In the middle of the work, at no particular point.
    await receiver.received((n + 0.5) * EVENTS_EACH)
    wire.cut()
    await new Promise((resolve) => setTimeout(resolve, 50 * n))
    wire.mend()
  }
  const states = await eventually(
    () => deliveryStates(deps.sql),
    (rows) => rows.every((row) => row.status === 'succeeded'),
    60_000,
  )
  assert.equal(states.length, CUTS * EVENTS_EACH)
  assert.equal((await deps.sql`select 1 from delivery_queue`).length, 0)
  assert.equal(worker.exitCode, null, 'it is the same worker still')
  worker.kill('SIGTERM')
  const [code] = (await once(worker, 'exit')) as [number]
  assert.equal(code, 0)
  const sent = new Set(receiver.requests.map((request) => request.headers['x-service-delivery']))
  assert.equal(sent.size, CUTS * EVENTS_EACH)
})
