import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { databaseClock } from '@florin/platform/clock'
import { openPool } from '@florin/platform/db/pool'
import { startJobs } from '@florin/platform/worker/loop'
import { anEvent, aShop, eventually } from '../../test/deliveries.ts'
import { testApp } from '../../test/harness.ts'
import * as r from '../../test/receiver.ts'
import { makeWakes } from '../wakes.ts'
import { deliveryWorker } from './queue/deliver.ts'
import { tuning } from './queue/tuning.ts'

test('a commit in one process wakes the worker of another', async (t) => {
  const api = await testApp(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(api.deps)
  // The other process: connections and wakes of its own, and a clock that never reaches the next poll.
  const sql = openPool({ url: api.databaseUrl, max: 4, applicationName: 'other' })
  const wake = makeWakes()
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

test('a listener that cannot reach the database reports it once, however often it tries', async (t) => {
  let tries = 0
  const enough = Promise.withResolvers<void>()
  const refusing = createServer((socket) => {
    socket.destroy()
    if (++tries === 3) enough.resolve()
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  t.after(() => refusing.close())
  const url = `postgres://florin@127.0.0.1:${(refusing.address() as AddressInfo).port}/florin`
  const sql = openPool({ url, max: 1, applicationName: 'refused' })
  const troubles: string[] = []
  const listener = sql.listen(
    'florin_orders',
    () => undefined,
    (error) => troubles.push(error.message),
  )
  await enough.promise
  await listener.unlisten()
  await sql.end({ timeout: 1 })
  assert.equal(troubles.length, 1)
})

test('a listener whose connection is half open costs one polling interval', async (t) => {
  const api = await testApp(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(api.deps)
  // Between this worker and PostgreSQL stands a relay that goes silent on the listening connection without closing it.
  const real = new URL(api.databaseUrl)
  const sockets = new Set<Socket>()
  const silenced = Promise.withResolvers<void>()
  const relay = createServer((near) => {
    const far = connect(Number(real.port), real.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => [near, far].forEach((each) => void each.destroy()))
    }
    let isSilent = false
    near.on('data', (bytes) => {
      if (!isSilent) far.write(bytes)
      if (!isSilent && /listen/i.test(bytes.toString('latin1'))) {
        isSilent = true
        silenced.resolve()
      }
    })
    far.on('data', (bytes) => {
      if (!isSilent) near.write(bytes)
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  const url = Object.assign(new URL(api.databaseUrl), {
    host: `127.0.0.1:${(relay.address() as AddressInfo).port}`,
  }).href
  const sql = openPool({ url, max: 4, applicationName: 'half open' })
  const wake = makeWakes()
  const other = { ...api.deps, sql, wake, clock: await databaseClock(sql) }
  const jobs = startJobs([deliveryWorker(other, tuning)], other)
  await silenced.promise
  await anEvent(api.deps, shop, receiver.url)
  api.deps.wake.deliveries.fire()
  await receiver.received(1)
  await jobs.stop()
  await sql.end({ timeout: 1 })
})
