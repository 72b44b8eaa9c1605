import { test } from 'node:test'
import { anEvent, aShop, eventually } from '../../test/deliveries.ts'
import { testApp } from '../../test/harness.ts'
import * as r from '../../test/receiver.ts'
import { openPool } from '../platform/db/pool.ts'
import { startJobs } from '../platform/worker/loop.ts'
import { makeWake } from '../platform/worker/wake.ts'
import { deliveryWorker } from './deliver.ts'
import { tuning } from './tuning.ts'

test('a commit in one process wakes the worker of another', async (t) => {
  const api = await testApp(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(api.deps)
  // The other process: connections and wakes of its own, and a clock that never comes to the next poll.
  const sql = openPool({ url: api.databaseUrl, max: 4, applicationName: 'other' })
  const wake = { mail: makeWake(), facts: makeWake(), deliveries: makeWake() }
  const other = { ...api.deps, sql, wake }
  const jobs = startJobs([deliveryWorker(other, tuning)], other)
  const listens = () => sql`select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
  await eventually(listens, (rows) => rows.length > 0)
  await anEvent(api.deps, shop, receiver.url)
  api.deps.wake.deliveries.fire()
  await receiver.received(1)
  await jobs.stop()
  await sql.end({ timeout: 5 })
})
