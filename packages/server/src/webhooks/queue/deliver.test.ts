import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJobs } from '@florin/platform/worker/loop'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { verify } from '@florin/protocol/signature'
import { anEvent, aShop, attemptLog, deliveryStates, eventually } from '../../../test/deliveries.ts'
import { anAsker } from '../../../test/factories.ts'
import { type TestDeps, testDeps } from '../../../test/harness.ts'
import * as r from '../../../test/receiver.ts'
import { rotateWebhookSecret } from '../../keys/change.ts'
import { deliveryWorker } from './deliver.ts'
import { indexed } from './indexed.store.ts'
import { promoteDue } from './reap.store.ts'
import { type Tuning, tuning } from './tuning.ts'

/** The worker alone, stopped before the test ends. */
async function working(at: TestDeps, work: () => Promise<void>, numbers: Tuning = tuning): Promise<void> {
  const jobs = startJobs([deliveryWorker(at.deps, numbers)], at.deps)
  try {
    await work()
  } finally {
    await jobs.stop()
  }
}

/** Lets time pass and does what the promoting job does then. @returns how many retries were due. */
async function later(at: TestDeps, ms: number): Promise<number> {
  at.clock.advance(ms)
  const due = await indexed(at.deps.sql, (tx) => promoteDue(tx, at.clock.now()))
  at.deps.wake.deliveries.fire()
  return due
}

const waits = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS]

const finished = (at: TestDeps) =>
  eventually(
    () => deliveryStates(at.deps.sql),
    (rows) => rows.every((row) => row.status !== 'pending'),
  )

test('a committed event reaches its receiver signed, with the headers of the contract', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(at.deps)
  await working(at, async () => {
    const event = await anEvent(at.deps, shop, receiver.url)
    at.deps.wake.deliveries.fire()
    const [request] = await receiver.received(1)
    assert.ok(request)
    assert.equal(request.body.toString(), event.body)
    const { 'x-service-signature': header = '', ...headers } = request.headers
    assert.deepEqual(headers, {
      ...{
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'content-length': String(request.body.length),
      },
      ...{ 'content-type': 'application/json', 'user-agent': 'Florin-Webhooks/1', 'accept-encoding': 'identity' },
      ...{ 'x-service-event': 'order.success', 'x-service-delivery': event.deliveryId, 'x-service-attempt': '1' },
    })
    const now = at.clock.now().getTime() / 1000
    const verdict = verify({ header, body: request.body, secrets: [shop.webhookSecret], now })
    assert.deepEqual(verdict, { ok: true, timestamp: Math.floor(now), secretIndex: 0 })
    const [state] = await finished(at)
    assert.equal(state?.status, 'succeeded')
    assert.equal(state?.nextAttemptAt, null)
  })
  assert.equal((await at.deps.sql`select 1 from delivery_queue`).length, 0)
})

test('five attempts, at 0 and then 1 min, 5 min, 30 min and 2 h after the end of each failure, then dead', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t, {}, r.status(500, 'not today'))
  const shop = await aShop(at.deps)
  const start = at.clock.now().getTime()
  await working(at, async () => {
    await anEvent(at.deps, shop, receiver.url)
    at.deps.wake.deliveries.fire()
    const ended: number[] = []
    for (const [n, wait] of [...waits, 0].entries()) {
      await receiver.received(n + 1)
      const [state] = await eventually(
        () => deliveryStates(at.deps.sql),
        ([row]) => row?.attemptCount === n + 1,
      )
      ended.push(at.clock.now().getTime())
      assert.equal(state?.status, wait === 0 ? 'dead' : 'retrying')
      if (wait === 0) break
      assert.equal(state?.nextAttemptAt?.getTime(), at.clock.now().getTime() + wait)
      assert.equal(await later(at, wait - 1), 0, 'never earlier')
      assert.equal(await later(at, 1), 1)
    }
    const attempts = await attemptLog(at.deps.sql)
    assert.deepEqual(
      attempts.map((row) => [row.n, row.error]),
      [1, 2, 3, 4, 5].map((n) => [n, 'http_500']),
    )
    const waited = attempts.slice(1).map((row, n) => row.startedAt.getTime() - (ended[n] ?? 0))
    assert.deepEqual(waited, waits)
    assert.equal(await later(at, 24 * HOUR_MS), 0)
  })
  assert.equal(receiver.requests.length, 5)
  const bodies = new Set(receiver.requests.map((request) => request.body.toString()))
  assert.equal(bodies.size, 1, 'the same bytes each time')
  const stamps = receiver.requests.map((request) => request.headers['x-service-signature'])
  assert.equal(new Set(stamps).size, 5, 'with a time and signature of its own')
  assert.deepEqual(
    receiver.requests.map((request) => request.headers['x-service-attempt']),
    ['1', '2', '3', '4', '5'],
  )
  assert.ok(at.clock.now().getTime() > start)
})

test('a process that slept between claim and start gives the rows back and claims them anew at once', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  await anEvent(at.deps, await aShop(at.deps), receiver.url)
  let sleeps = true
  const now = (): Date => {
    const before = at.clock.now()
    // The first reader is the claim, for the end of its lease.
    if (sleeps) at.clock.advance(MINUTE_MS)
    sleeps = false
    return before
  }
  // Delays the start until the worker has scanned again, found nothing and gone to sleep.
  const held = Promise.withResolvers<void>()
  const holding = at.deps.sql.begin(async (tx) => {
    await tx`lock table webhook_secrets in access exclusive mode`
    await held.promise
  })
  await working({ ...at, deps: { ...at.deps, clock: { ...at.clock, now } } }, async () => {
    await eventually(
      () => at.deps.sql`select 1 from delivery_queue where state = 3`,
      (rows) => rows.length === 1,
    )
    setTimeout(held.resolve, 300)
    await holding
    await receiver.received(1)
    const [state] = await finished(at)
    assert.equal(state?.status, 'succeeded')
    assert.equal(state?.attemptCount, 1)
  })
  assert.equal(receiver.requests.length, 1)
})

test('a receiver that fails twice and then takes it is a success on the third attempt', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t, {}, r.status(503), r.status(404), r.ok)
  await working(at, async () => {
    await anEvent(at.deps, await aShop(at.deps), receiver.url)
    at.deps.wake.deliveries.fire()
    for (const [n, wait] of [
      [1, MINUTE_MS],
      [2, 5 * MINUTE_MS],
    ] as const) {
      await eventually(
        () => deliveryStates(at.deps.sql),
        ([row]) => row?.attemptCount === n,
      )
      assert.equal(await later(at, wait), 1)
    }
    const [state] = await eventually(
      () => deliveryStates(at.deps.sql),
      ([row]) => row?.attemptCount === 3,
    )
    assert.equal(state?.status, 'succeeded')
  })
  assert.deepEqual(
    (await attemptLog(at.deps.sql)).map((row) => row.error),
    ['http_503', 'http_404', null],
  )
})

test('during a rotation both secrets sign, newest first; afterwards the new one alone, also for old events', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t, {}, r.status(500))
  const merchant = await aShop(at.deps)
  const caller = anAsker(merchant.merchantId)
  await anEvent(at.deps, merchant, receiver.url)
  const { webhookSecret: second } = await rotateWebhookSecret(at.deps, caller, merchant.id, 120)
  await working(at, async () => {
    at.deps.wake.deliveries.fire()
    const [first] = await receiver.received(1)
    assert.ok(first)
    const header = first.headers['x-service-signature'] ?? ''
    assert.equal(header.match(/v1=/g)?.length, 2)
    const now = at.clock.now().getTime() / 1000
    const check = (secret: string, request: r.Received, at_: number) =>
      verify({ header: request.headers['x-service-signature'], body: request.body, secrets: [secret], now: at_ }).ok
    assert.ok(check(second, first, now) && check(merchant.webhookSecret, first, now))
    const [newest] = header.split(',').filter((part) => part.startsWith('v1='))
    assert.ok(verify({ header: `${header.split(',')[0]},${newest}`, body: first.body, secrets: [second], now }).ok)

    await eventually(
      () => deliveryStates(at.deps.sql),
      ([row]) => row?.attemptCount === 1,
    )
    await later(at, MINUTE_MS)
    await receiver.received(2)
    await eventually(
      () => deliveryStates(at.deps.sql),
      ([row]) => row?.attemptCount === 2,
    )
    await later(at, 5 * MINUTE_MS)
    const third = (await receiver.received(3))[2]
    assert.ok(third)
    const then = at.clock.now().getTime() / 1000
    assert.ok(check(second, third, then), 'the overlap is over')
    assert.ok(!check(merchant.webhookSecret, third, then))
  })
})

test('stopping waits for what is under way and gives the rest back; nothing is lost and nothing is sent twice', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t, {}, r.after(200, r.ok))
  const shop = await aShop(at.deps)
  for (let i = 0; i < 12; i++) await anEvent(at.deps, shop, receiver.url)
  const small = { ...tuning, slots: 4 }
  const jobs = startJobs([deliveryWorker(at.deps, small)], at.deps)
  await receiver.received(1)
  await jobs.stop()
  const sent = receiver.requests.length
  const states = await deliveryStates(at.deps.sql)
  assert.equal(states.filter((row) => row.status === 'succeeded').length, sent)
  const queue = await at.deps.sql<{ state: number; claims: number }[]>`select state, claims from delivery_queue`
  assert.equal(queue.length, 12 - sent)
  assert.ok(
    queue.every((row) => row.state === 1 && row.claims === 0),
    'ready for the next worker',
  )

  receiver.answer(r.ok)
  await working(at, async () => {
    await finished(at)
  })
  assert.equal(receiver.requests.length, 12)
})

test('a lost wake costs one polling interval', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(at.deps)
  await working(at, async () => {
    await anEvent(at.deps, shop, receiver.url)
    const look = async () => {
      at.clock.advance(tuning.pollMs)
      return deliveryStates(at.deps.sql)
    }
    await eventually(look, ([row]) => row?.status === 'succeeded')
  })
})

test('a row that cannot be prepared is a failed attempt, and the rows beside it go out', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(at.deps)
  const bad = await anEvent(at.deps, shop, receiver.url)
  const good = await anEvent(at.deps, shop, receiver.url)
  await at.deps.sql`update deliveries set url = 'no url at all' where id = ${bad.deliveryId}`
  await working(at, async () => {
    at.deps.wake.deliveries.fire()
    const states = await finished(at)
    assert.deepEqual(
      states.map((row) => row.status),
      ['retrying', 'succeeded'],
    )
    assert.equal(states[1]?.id, good.deliveryId)
  })
  assert.equal((await attemptLog(at.deps.sql)).find((row) => row.error !== null)?.error, 'internal')
})

test('a missing partition is made when it is needed, and no result is lost', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(at.deps)
  const partitions = await at.deps.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery_attempts'::regclass`
  for (const { name } of partitions) await at.deps.sql.unsafe(`drop table ${name}`)
  await anEvent(at.deps, shop, receiver.url)
  const jobs = startJobs([deliveryWorker(at.deps, tuning)], at.deps)
  assert.equal((await finished(at))[0]?.status, 'succeeded')
  await jobs.stop()
  assert.equal((await attemptLog(at.deps.sql)).length, 1)
  assert.equal(receiver.requests.length, 1)
})

test('when results cannot be written nothing more is claimed; when they can, all are, and nothing is sent twice', async (t) => {
  const at = await testDeps(t)
  const receiver = await r.receiver(t)
  const shop = await aShop(at.deps)
  const queued = async (state: number) =>
    (await at.deps.sql`select 1 from delivery_queue where state = ${state}`).length
  const refused = Promise.withResolvers<void>()
  const log = Object.assign(Object.create(at.deps.log), { warn: () => refused.resolve() })
  await at.deps.sql`alter table delivery_attempts rename to elsewhere`
  await working({ ...at, deps: { ...at.deps, log } }, async () => {
    for (let i = 0; i < 3; i++) await anEvent(at.deps, shop, receiver.url)
    at.deps.wake.deliveries.fire()
    await receiver.received(3)
    await refused.promise
    const late = await anEvent(at.deps, shop, receiver.url)
    at.deps.wake.deliveries.fire()
    for (let i = 0; i < 20; i++) at.clock.advance(tuning.pollMs)
    assert.equal(await queued(1), 1)
    assert.equal(await queued(3), 3)
    await at.deps.sql`alter table elsewhere rename to delivery_attempts`
    const states = await finished(at)
    assert.ok(states.every((row) => row.status === 'succeeded'))
    assert.ok(states.some((row) => row.id === late.deliveryId))
  })
  assert.equal(receiver.requests.length, 4)
  assert.equal((await attemptLog(at.deps.sql)).length, 4)
})
