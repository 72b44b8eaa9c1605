import assert from 'node:assert/strict'
import { once } from 'node:events'
import { databaseClock } from '@florin/platform/clock'
import { sized, slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import { anEvent, aShop, attemptLog, deliveryStates, eventually } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import { killRun, SHORT_LEASE, SHORT_TIMEOUT_MS, standby } from '../../../test/kills/kills.ts'
import * as r from '../../../test/receiver.ts'

/** Five: one at each stage of a delivery. */
const kills = sized({ short: 5, full: 20 })

test(`${kills} kills over claim, send and flush lose nothing`, async (t) => {
  const { deps, databaseUrl } = await testDeps(t)
  const clock = await databaseClock(deps.sql)
  const report = await killRun(t, { ...deps, clock }, databaseUrl, { kills })
  t.diagnostic(JSON.stringify(report))
})

test('a worker that slept past its leases: its late success counts, its late failure changes nothing', async (t) => {
  const { deps, databaseUrl } = await testDeps(t)
  const real = { ...deps, clock: await databaseClock(deps.sql) }
  const shop = await aShop(real)
  const second = Promise.withResolvers<void>()
  const target = await r.receiver(t, {}, r.ok, () => second.resolve(), r.status(500))
  // One slot: when the second request arrives, the first answer has been read; its result is still buffered.
  const long = { ...SHORT_LEASE, leaseMs: 8_000, lingerMs: 4_000, flushBudgetMs: 300, slots: 1 }
  const orders = { databaseUrl, timeoutMs: 3_000, retryWaitsMs: [600_000, 1, 1, 1] }
  const sleeper = await standby({ ...orders, tuning: long })
  const other = await standby({ ...orders, tuning: { ...long, lingerMs: 5, slots: 4 } })
  t.after(() => [sleeper, other].forEach((child) => void child.kill('SIGKILL')))
  await anEvent(real, shop, target.url)
  await anEvent(real, shop, target.url)
  sleeper.send('go')
  await second.promise
  sleeper.kill('SIGSTOP')
  // The other worker takes both over when the leases end, fails, and plans retries far away.
  other.send('go')
  const states = () => deliveryStates(real.sql)
  await eventually(states, (all) => all.every((row) => row.status === 'retrying'))
  sleeper.kill('SIGCONT')
  // Both were due at the same time: either may be the one that the sleeper sent first.
  const rows = await eventually(states, (all) => all.some((row) => row.status === 'succeeded'))
  const [first, failed] = rows.toSorted((a, b) => Number(b.status === 'succeeded') - Number(a.status === 'succeeded'))
  assert.equal(first?.nextAttemptAt, null)
  assert.equal((await real.sql`select 1 from delivery_queue`).length, 1, 'the retry of the first is canceled')
  await eventually(
    () => attemptLog(real.sql),
    (attempts) => attempts.length === 6,
  )
  const errors = (await attemptLog(real.sql)).map((row) => row.error ?? 'ok')
  assert.deepEqual(errors.toSorted(), ['http_500', 'http_500', 'interrupted', 'interrupted', 'ok', 'timeout_headers'])
  assert.deepEqual(
    (await states()).find((row) => row.id === failed?.id),
    failed,
  )
  assert.equal(failed?.status, 'retrying')
})

slowTest('the wall clock of a worker may be wrong: times are those of the database', async (t) => {
  const { deps, databaseUrl } = await testDeps(t)
  const real = { ...deps, clock: await databaseClock(deps.sql) }
  const shop = await aShop(real)
  const target = await r.receiver(t, {}, r.status(500), r.ok, r.status(500), r.ok)
  const orders = { databaseUrl, tuning: SHORT_LEASE, timeoutMs: SHORT_TIMEOUT_MS, retryWaitsMs: [300, 1, 1, 1] }
  for (const [n, skewMs] of [600_000, -600_000].entries()) {
    const worker = await standby({ ...orders, skewMs })
    t.after(() => void worker.kill('SIGKILL'))
    await anEvent(real, shop, target.url)
    worker.send('go')
    await eventually(
      () => deliveryStates(real.sql),
      (rows) => rows[n]?.status === 'succeeded',
    )
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    const [first, second] = target.requests.slice(n * 2)
    const signedAt = Number(/^t=(\d+)/.exec(second?.headers['x-service-signature'] ?? '')?.[1])
    assert.ok(Math.abs(signedAt - real.clock.now().getTime() / 1000) <= 2)
    assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 300, 'the retry waited as long as it should')
  }
})
