// An API process and a worker under load while their database is silent, locked, slow or cut off. Payments are answered, or
// refused in time; readiness answers; in the end everything goes on by itself, in the same processes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPool, type Sql, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { testCluster } from '../../packages/server/test/cluster.ts'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { endSessions, type Load, lockTable, slowSearches, startLoad } from '../../packages/server/test/outages/load.ts'
import { aWire, type Wire } from '../../packages/server/test/outages/wire.ts'
import { type Florin, startFlorin, until } from '../florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from '../merchant.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

/** A free connection, then a statement that is never answered: 3 + 5 + 2 s, and what a busy machine adds. */
const ANSWERED_WITHIN_MS = 12_000
const HEALED_WITHIN_MS = 15_000

let admin: Sql
let wire: Wire
let inbox: Inbox
let receiver: Receiver
let api: Florin
let worker: Florin
let shop: Merchant
let load: Load
const closers: (() => unknown)[] = []

before(async () => {
  const cluster = await testCluster()
  const name = `outages_${randomBytes(4).toString('hex')}`
  const root = openPool({ url: cluster, max: 1, applicationName: 'outages', limits: withoutLimits })
  await root.unsafe(`create database ${name}`)
  closers.push(async () => {
    await root.unsafe(`drop database ${name} with (force)`)
    await root.end()
  })
  const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  admin = openPool({ url, max: 2, applicationName: 'outages', limits: withoutLimits })
  wire = await aWire({ after: (close) => void closers.push(close) }, url)
  inbox = await startInbox()
  receiver = await startReceiver()
  const shared = { DATABASE_URL: wire.url, MASTER_KEY, SMTP_URL: inbox.smtpUrl }
  api = await startFlorin({ ...shared, MODE: 'api' })
  worker = await startFlorin({ ...shared, MODE: 'worker' })
  shop = await signUp(api.url, inbox, 'outages@shop.example')
  load = startLoad({ origin: api.url, headers: shop.key, others: [worker.url] })
  await load.more({ done: 20 })
})

after(async () => {
  await load.stop().catch(() => undefined)
  await Promise.all([api.close(), worker.close()])
  await Promise.all([inbox.close(), receiver.close(), admin.end({ timeout: 1 })])
  for (const close of closers) await close()
})

/** An order that is paid now, and its webhook from the worker. @returns how long that took. */
async function heals(): Promise<number> {
  const began = performance.now()
  const known = receiver.received.length
  const body = { amount_usd: 5, pay_chain: 'base', webhook_url: `${receiver.url}/` }
  let no: string | undefined
  await until(async () => {
    const made = await call<{ order_no: string }>(`${api.url}/v1/orders`, 'POST', { headers: shop.key, body })
    no = made.status === 201 ? made.body.order_no : undefined
    return no !== undefined
  }, 'a new order')
  await until(async () => {
    const act = { headers: shop.key, body: { action: 'pay' } }
    return (await call(`${api.url}/v1/test/orders/${no}/simulate`, 'POST', act)).status < 500
  }, 'its payment')
  await until(() => receiver.received.slice(known).some((one) => one.event.order.order_no === no), 'its webhook')
  for (const { url } of [api, worker]) await until(async () => (await fetch(`${url}/readyz`)).ok, 'readiness')
  return Math.round(performance.now() - began)
}

test('a network that swallows packets for twenty seconds', async (t) => {
  wire.silence()
  await wait(20_000)
  const refused = load.refused
  assert.ok(refused > 0 && load.notReady > 0)
  wire.mend()
  const ms = await heals()
  t.diagnostic(`${refused} calls refused, the slowest after ${load.slowestMs} ms; healed after ${ms} ms`)
  assert.ok(load.slowestMs < ANSWERED_WITHIN_MS, `${load.slowestMs} ms`)
  assert.ok(ms < HEALED_WITHIN_MS, `${ms} ms`)
})

test('connections that all lead nowhere, while new ones would work', async (t) => {
  const before = load.refused
  wire.silence()
  wire.mend()
  const ms = await heals()
  t.diagnostic(`${load.refused - before} calls refused, healed after ${ms} ms`)
  assert.ok(ms < HEALED_WITHIN_MS, `${ms} ms`)
})

test('a table that is locked for thirty seconds', async (t) => {
  const before = { refused: load.refused, notReady: load.notReady }
  const lock = await lockTable(admin, 'orders')
  await wait(30_000)
  await lock.release()
  const ms = await heals()
  t.diagnostic(`${load.refused - before.refused} calls refused, healed after ${ms} ms`)
  assert.ok(load.refused > before.refused)
  assert.equal(load.notReady, before.notReady, 'the service was ready all the time')
  assert.ok(ms < HEALED_WITHIN_MS, `${ms} ms`)
})

test('sessions that are ended ten times a second for twenty seconds', async (t) => {
  const before = { done: load.done, refused: load.refused }
  let ended = 0
  for (let n = 0; n < 200; n++) {
    ended += await endSessions(admin)
    await wait(100)
  }
  const ms = await heals()
  t.diagnostic(
    `${ended} sessions ended, ${load.done - before.done} calls done, ${load.refused - before.refused} refused, healed after ${ms} ms`,
  )
  assert.ok(load.done > before.done)
  assert.ok(ms < HEALED_WITHIN_MS, `${ms} ms`)
})

test('three times fourteen searches that would take a minute each', async (t) => {
  await slowSearches(admin, { word: 'under', seconds: 60 })
  const before = { done: load.done, refused: load.refused, notReady: load.notReady }
  for (let round = 0; round < 3; round++) {
    const searches = Array.from({ length: 14 }, () =>
      call(`${api.url}/api/v1/boss/orders?livemode=false&limit=1&q=under`, 'GET', { headers: shop.console }),
    )
    for (const { status, headers, text } of await Promise.all(searches)) {
      assert.equal(status, 503, text)
      assert.ok(headers.has('retry-after'))
    }
  }
  t.diagnostic(`${load.done - before.done} calls done meanwhile`)
  assert.deepEqual(
    { refused: load.refused, notReady: load.notReady },
    { refused: before.refused, notReady: before.notReady },
  )
  assert.ok(load.done > before.done)
  await load.stop()
})
