import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '@florin/platform/metrics'
import { Killed, killable } from '@florin/platform/testing/killable'
import { startJobs } from '@florin/platform/worker/loop'
import { SECOND_MS } from '@florin/protocol'
import { anEvent, aShop, givePositions } from '../../../test/deliveries.ts'
import { type TestDeps, testDeps } from '../../../test/harness.ts'
import { explained } from '../../../test/plans.ts'
import { makeWakes } from '../../wakes.ts'
import { makeSequencer, sequencerJob } from './sequencer.ts'

const url = 'https://shop.example/hook'

interface Placed {
  id: string
  position: bigint | null
}

const placed = (at: TestDeps): Promise<Placed[]> =>
  at.deps.sql<Placed[]>`select id, position from order_events order by position nulls last, id`

test('killed before any statement it loses and doubles nothing, and another one goes on', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const ids: string[] = []
  for (let killAt = 0, isOver = false; !isOver; killAt++) {
    for (let n = 0; n < 2; n++) ids.push((await anEvent(at.deps, shop, url)).eventId)
    const dying = killable(at.deps.sql, killAt)
    const before = (await placed(at)).filter((row) => row.position !== null)
    isOver = await makeSequencer({ ...at.deps, sql: dying.sql })
      .step()
      .then(() => true)
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
        return false
      })
    assert.deepEqual((await placed(at)).slice(0, before.length), before, 'what was given stays')
    // By then the lease of the dead one has ended.
    at.clock.advance(5 * SECOND_MS)
    await givePositions(at.deps)
    const rows = await placed(at)
    assert.deepEqual(
      rows.map((row) => row.id),
      ids,
    )
    assert.deepEqual(
      rows.map((row) => row.position),
      ids.map((_, n) => BigInt(n + 1)),
    )
    const [left] = await at.deps.sql<{ count: number }[]>`select count(*)::int as count from event_arrivals`
    assert.equal(left?.count, 0)
  }
  assert.ok(ids.length > 8, 'there were statements to die before')
})

test('one that lost its lease gives nothing, and takes it back when it is free', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const [one, two] = [makeSequencer(at.deps), makeSequencer(at.deps)]
  await anEvent(at.deps, shop, url)
  assert.equal(await one.step(), 1)
  await anEvent(at.deps, shop, url)
  assert.equal(await two.step(), 0, 'the other one has the lease')
  at.clock.advance(5 * SECOND_MS)
  assert.equal(await two.step(), 1)
  await anEvent(at.deps, shop, url)
  assert.equal(await one.step(), 0, 'it has changed hands')
  await two.end()
  assert.equal(await one.step(), 1)
  assert.deepEqual(
    (await placed(at)).map((row) => row.position),
    [1n, 2n, 3n],
  )
})

test('a commit wakes the process that has the lease, and no other', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const workers = [1, 2].map(() => {
    const wake = makeWakes()
    return { wake, woken: 0, job: sequencerJob({ ...at.deps, wake }) }
  })
  const signal = new AbortController().signal
  const [holder, other] = workers
  assert.ok(holder !== undefined && other !== undefined)
  for (const worker of workers) {
    const off = worker.job.wakeOn?.(() => {
      worker.woken++
    })
    t.after(() => off?.())
    await anEvent(at.deps, shop, url)
    await worker.job.run(signal)
  }
  const commit = (): void => {
    for (const { wake } of workers) wake.orders.fire()
  }
  // The notifications of other processes come later, if at all: these are the wakes of each process itself.
  for (const worker of workers) worker.woken = 0
  commit()
  assert.deepEqual([holder.woken, other.woken], [1, 0])
  await holder.job.end?.()
  await other.job.run(signal)
  assert.deepEqual(
    (await placed(at)).map((row) => row.position),
    [1n, 2n],
    'the one that polls takes over',
  )
  other.woken = 0
  commit()
  assert.ok(other.woken > 0)
})

test('a commit is readable soon after, and what waits is told', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const readable = Promise.withResolvers<void>()
  at.deps.wake.positions.on(() => readable.resolve())
  const lag = () => metrics.getSingleMetricAsString('florin_event_position_lag_seconds')
  await anEvent(at.deps, shop, url)
  // The clock stands still: nothing but wakes moves it.
  const jobs = startJobs([sequencerJob(at.deps)], at.deps)
  await readable.promise
  assert.match(await lag(), /seconds 0\.\d+/)
  await anEvent(at.deps, shop, url)
  const next = new Promise<void>((resolve) => void at.deps.wake.positions.on(resolve))
  at.deps.wake.orders.fire()
  await next
  await jobs.stop()
  assert.ok((await placed(at)).every((row) => row.position !== null))
})

test('a sequencer that gets nowhere makes the job fail, so that readiness says so', async (t) => {
  const at = await testDeps(t)
  await anEvent(at.deps, await aShop(at.deps), url)
  await at.deps.sql`alter table event_spans add constraint broken check (from_at is null)`
  await assert.rejects(sequencerJob(at.deps).run(new AbortController().signal), /broken/)
})

test('a backlog is taken by index, though the statistics of the planner say that nothing waits', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const { sql, taken } = await explained(t, at.databaseUrl)
  const sequencer = makeSequencer({ ...at.deps, sql })
  // What autovacuum may have noted of a moment at which next to nothing was there: no row on a page.
  const noteFew = () =>
    at.deps.sql`
      update pg_class set relpages = 1, reltuples = 0
      where relkind = 'r' and relname ~ '^(event_arrivals|order_events_[0-9]+)$' and pg_relation_size(oid) > 0`
  for (let n = 0; n < 12; n++) {
    await noteFew()
    await anEvent(at.deps, shop, url)
    assert.equal(await sequencer.step(), 1)
  }
  await at.deps.sql`
    insert into order_events (id, order_no, merchant_id, api_key_id, livemode, status, status_detail, version, created_at)
    select 'evt_' || g, 'ord_' || g, ${shop.merchantId}, ${shop.id}, false, 'success', 'paid', 1, ${at.clock.now()}
    from generate_series(1, 3000) g`
  await noteFew()
  taken()
  assert.equal(await sequencer.step(), 1_000)
  const dropped = taken().flatMap(({ text }) => [...text.matchAll(/Rows Removed by (?:Join )?Filter: (\d+)/g)])
  assert.deepEqual(
    dropped.map(([, rows]) => Number(rows)).filter((rows) => rows > 1_000),
    [],
  )
})

test('an event that is queued twice keeps its position, and the next one comes after all that were given', async (t) => {
  const at = await testDeps(t)
  const shop = await aShop(at.deps)
  const sequencer = makeSequencer(at.deps)
  const first = await anEvent(at.deps, shop, url)
  const second = await anEvent(at.deps, shop, url)
  assert.equal(await sequencer.step(), 2)
  await at.deps.sql`
    insert into event_arrivals (event_id, event_created_at)
    select id, created_at from order_events where id = ${first.eventId}`
  assert.equal(await sequencer.step(), 1)
  const third = await anEvent(at.deps, shop, url)
  assert.equal(await sequencer.step(), 1)
  assert.deepEqual(
    (await placed(at)).map((row) => [row.id, row.position]),
    [
      [first.eventId, 1n],
      [second.eventId, 2n],
      [third.eventId, 3n],
    ],
  )
})
