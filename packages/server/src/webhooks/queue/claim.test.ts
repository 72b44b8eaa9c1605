import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '@florin/platform/db/pool'
import { aBacklog, anEvent, aShop } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import { explained } from '../../../test/plans.ts'
import { warmed } from '../../../test/warm.ts'
import { allot, type ReadyLane } from './allot.ts'
import { makeCaps } from './caps.ts'
import { claimRows, findReadyLanes, releaseRows } from './claim.ts'
import { indexed } from './indexed.store.ts'
import { promoteDue, reapExpired } from './reap.store.ts'
import { type Result, writeResults } from './record.store.ts'

const url = 'https://shop.example/hook'

const scanOf = (sql: Sql, want: number, after = 0, full: number[] = [], fromLane = 0n): Promise<ReadyLane[]> =>
  indexed(sql, (tx) => findReadyLanes(tx, { scans: [{ class: 0, after, want }], lanesEach: 4, fromLane, full }))

const claimOf = (sql: Sql, ready: readonly ReadyLane[], a: { each: number; token: bigint; until: Date }) =>
  indexed(sql, (tx) => {
    const lanes = ready.map((lane) => ({ ...lane, tickets: Array(a.each).fill({ ...lane, slow: false }) }))
    return claimRows(tx, { lanes, leaseUntil: a.until, token: a.token })
  })

test('the scan gives every tenant its turn, whatever one of them piles up', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const runAt = clock.now()
  await aBacklog(sql, { rows: 2_000, firstTenant: 10, tenants: 1, lanesEach: 1, runAt })
  await aBacklog(sql, { rows: 2_000, firstTenant: 20, tenants: 1, lanesEach: 1_000, runAt })
  await aBacklog(sql, { rows: 100, firstTenant: 100, tenants: 50, lanesEach: 2, runAt })

  const first = await scanOf(sql, 60)
  const perTenant = Map.groupBy(first, (lane) => lane.tenant)
  assert.equal(perTenant.get(10)?.length, 1)
  assert.equal(perTenant.get(20)?.length, 4, 'a merchant of many hosts gets four lanes in a turn, not all')
  assert.ok(perTenant.size > 25)

  const onwards = await scanOf(sql, 200, first.at(-1)?.tenant)
  const seen = new Set([...first, ...onwards].map((lane) => lane.tenant))
  assert.equal(seen.size, 52, 'the next scan goes on where this one stopped')
  assert.ok(
    (await scanOf(sql, 5, 0, [10, 20])).every((lane) => lane.tenant >= 100),
    'tenants without room are left out',
  )

  // Wherever the circle of lanes is entered, four of them are found, and in the end each of them.
  const lanes = await sql<{ lane: bigint }[]>`select distinct lane from delivery_queue where tenant = 20 order by lane`
  assert.equal(lanes.length, 1_000)
  for (const at of [0, 1, 500, 996, 997, 999]) {
    const turn = await scanOf(sql, 4, 10, [], lanes[at]?.lane)
    assert.deepEqual(
      turn.map((lane) => lane.lane),
      [0, 1, 2, 3].map((n) => lanes[(at + n) % 1_000]?.lane),
    )
  }
  for (const [fromLane, first] of [
    [-(2n ** 63n), 0],
    [2n ** 63n - 1n, 0],
    [(lanes[7]?.lane ?? 0n) + 1n, 8],
  ] as const) {
    assert.equal((await scanOf(sql, 1, 10, [], fromLane))[0]?.lane, lanes[first]?.lane)
  }
})

test('claimed rows bring all that is needed to send them, oldest first, and are nobody else’s until released', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const shop = await aShop(deps)
  const events = []
  for (let i = 0; i < 3; i++) {
    events.push(await anEvent(deps, shop, url))
    clock.advance(5)
  }
  const ready = await scanOf(sql, 10)
  assert.equal(ready.length, 1)
  const until = new Date(clock.now().getTime() + 30_000)
  const mine = await claimOf(sql, ready, { each: 2, token: 7n, until })
  const sorted = mine.toSorted((a, b) => Number(a.no - b.no))
  assert.deepEqual(
    sorted.map((row) => row.id),
    events.slice(0, 2).map((e) => e.deliveryId),
  )
  assert.equal(Buffer.from(sorted[0]?.body ?? '').toString(), events[0]?.body)
  assert.equal(sorted[0]?.signer, shop.id)
  assert.equal(sorted[0]?.attempt, 0)

  const theirs = await claimOf(sql, ready, { each: 5, token: 8n, until })
  assert.deepEqual(
    theirs.map((row) => row.id),
    [events[2]?.deliveryId],
  )

  await indexed(sql, (tx) => releaseRows(tx, { nos: mine.map((row) => row.no), token: 8n }))
  assert.equal((await scanOf(sql, 10)).length, 0, 'only the holder can give back')
  await indexed(sql, (tx) => releaseRows(tx, { nos: mine.map((row) => row.no), token: 7n }))
  assert.equal((await claimOf(sql, ready, { each: 5, token: 9n, until })).length, 2)
})

test('eight claimers over one backlog lease each row once', async (t) => {
  const { deps, clock } = await testDeps(t)
  await warmed(deps.sql)
  const { sql } = deps
  await aBacklog(sql, { rows: 3_000, firstTenant: 10, tenants: 40, lanesEach: 3, runAt: clock.now() })
  const until = new Date(clock.now().getTime() + 30_000)
  const claimer = async (token: bigint): Promise<void> => {
    for (;;) {
      const ready = await scanOf(sql, 64, Number(token) * 5)
      const around = ready.length > 0 ? ready : await scanOf(sql, 64)
      if (around.length === 0) return
      await claimOf(sql, around, { each: 3, token, until })
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => claimer(BigInt(n + 1))))
  const [row] = await sql<{ rows: number; claims: number; holders: number }[]>`
    select count(*)::int as rows, sum(claims)::int as claims, count(distinct lease_token)::int as holders
    from delivery_queue where state = 3`
  assert.equal(row?.rows, 3_000)
  assert.equal(row?.claims, 3_000)
  assert.ok((row?.holders ?? 0) > 1, 'the work was shared')
})

test('no statement of the queue reads a table through or sorts it, and its cost does not grow with the backlog', async (t) => {
  const { deps, clock, databaseUrl } = await testDeps(t)
  const shop = await aShop(deps)
  const { sql, taken } = await explained(t, databaseUrl)
  const now = clock.now()
  const costs: number[] = []
  for (const [size, rows] of [2_000, 40_000].entries()) {
    await aBacklog(sql, { rows, firstTenant: 1000 + size * 1000, tenants: 400, lanesEach: 3, runAt: now })
    await aBacklog(sql, { rows, firstTenant: 5000 + size * 1000, tenants: 400, lanesEach: 3, state: 2, runAt: now })
    for (let i = 0; i < 20; i++) await anEvent(deps, shop, url)
    await sql`analyze delivery_queue, deliveries, delivery_attempts`
    taken()

    const ready = await scanOf(sql, 100)
    const lanes = allot(ready, [100, 0, 0, 0], 100, makeCaps(512))
    const until = new Date(now.getTime() + 30_000)
    const rowsClaimed = await indexed(sql, (tx) => claimRows(tx, { lanes, leaseUntil: until, token: 5n }))
    const results = rowsClaimed.map(
      (row, i): Result => ({
        ...{ no: row.no, id: row.id, token: 5n, n: 1, startedAt: new Date(now.getTime() + i), latencyMs: 3 },
        ...{ httpStatus: 200, error: null, excerpt: 'ok', detail: null, verdict: { kind: 'succeeded' } },
      }),
    )
    await indexed(sql, (tx) => writeResults(tx, results))
    await indexed(sql, (tx) => promoteDue(tx, new Date(now.getTime() + 10_000)))
    await indexed(sql, (tx) => reapExpired(tx, { now: new Date(now.getTime() + 60_000), leaseMs: 30_000 }))

    const plans = taken().filter((plan) => plan.query.includes('delivery_queue'))
    assert.equal(plans.length, 5)
    for (const plan of plans) {
      assert.doesNotMatch(plan.text, /Seq Scan/, plan.query + plan.text)
      for (const sort of plan.text.matchAll(/Sort +\(.*actual rows=(\d+)/g))
        assert.ok(Number(sort[1]) <= 100, plan.text)
      assert.doesNotMatch(
        plan.text,
        /delivery_queue_leased on delivery_queue q/,
        `the planner trap of record.ts: ${plan.text}`,
      )
    }
    costs.push((plans[0]?.buffers ?? 0) + (plans[1]?.buffers ?? 0))
  }
  const [small = 0, large = 0] = costs
  assert.ok(
    small > 0 && large <= 2 * small,
    `claiming 100 rows cost ${small} pages of 4,000 rows and ${large} of 84,000`,
  )
})
