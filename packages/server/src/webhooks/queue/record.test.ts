import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '@florin/platform/db/pool'
import type { Tag } from '@florin/platform/db/sql'
import { anEvent, aShop } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import type { ClaimedDelivery } from './claim.ts'
import { claimRows, findReadyLanes, markStarted, releaseRows } from './claim.ts'
import { forClaims, forResults, indexed } from './indexed.store.ts'
import { promoteDue, reapExpired } from './reap.store.ts'
import { type Result, writeLateSuccess, writeResults } from './record.store.ts'
import type { Verdict } from './schedule.ts'

const url = 'https://shop.example/hook'
const LEASE_MS = 30_000

async function claimAll(sql: Sql, token: bigint, now: Date): Promise<ClaimedDelivery[]> {
  return indexed(sql, async (tx) => {
    const scans = [0, 1, 2, 3].map((kind) => ({ class: kind as 0, after: 0, want: 10 }))
    const ready = await findReadyLanes(tx, { scans, lanesEach: 4, fromLane: 0n, full: [] })
    const lanes = ready.map((lane) => ({
      ...lane,
      tickets: [
        { ...lane, slow: false },
        { ...lane, slow: false },
      ],
    }))
    return claimRows(tx, { lanes, leaseUntil: new Date(now.getTime() + LEASE_MS), token })
  })
}

const resultOf = (row: ClaimedDelivery, token: bigint, startedAt: Date, verdict: Verdict): Result => ({
  ...{ no: row.no, id: row.id, token, n: row.attempt + 1, startedAt, latencyMs: 12, detail: null, verdict },
  ...(verdict.kind === 'succeeded'
    ? { httpStatus: 200, error: null, excerpt: 'ok' }
    : { httpStatus: 500, error: 'http_500', excerpt: null }),
})

const write = (sql: Sql, ...results: Result[]) => indexed(sql, (tx) => writeResults(tx, results))

async function state(sql: Sql) {
  const deliveries = await sql<{ status: string; attemptCount: number; nextAttemptAt: Date | null }[]>`
    select status, attempt_count as "attemptCount", next_attempt_at as "nextAttemptAt" from deliveries order by no`
  const queue = await sql<{ state: number; class: number; attempt: number; claims: number }[]>`
    select state, class, attempt, claims from delivery_queue order by delivery_no`
  const attempts = await sql<{ n: number; error: string | null }[]>`
    select n, error from delivery_attempts order by started_at`
  return { deliveries: [...deliveries], queue: [...queue], attempts: [...attempts] }
}

test('one batch writes success, retry and death, each in queue, log and delivery', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const shop = await aShop(deps)
  for (let i = 0; i < 3; i++) await anEvent(deps, shop, `https://shop${i}.example/hook`)
  const now = clock.now()
  const [a, b, c] = (await claimAll(sql, 5n, now)).toSorted((x, y) => Number(x.no - y.no))
  assert.ok(a && b && c)
  const at = new Date(now.getTime() + 60_000)
  const kept = await write(
    sql,
    resultOf(c, 5n, now, { kind: 'dead' }),
    resultOf(a, 5n, now, { kind: 'succeeded' }),
    resultOf(b, 5n, now, { kind: 'retry', at }),
  )
  assert.equal(kept.size, 3)
  const after = await state(sql)
  assert.deepEqual(after.deliveries, [
    { status: 'succeeded', attemptCount: 1, nextAttemptAt: null },
    { status: 'retrying', attemptCount: 1, nextAttemptAt: at },
    { status: 'dead', attemptCount: 1, nextAttemptAt: null },
  ])
  assert.deepEqual(after.queue, [{ state: 2, class: 1, attempt: 1, claims: 0 }])
  assert.equal(after.attempts.length, 3)

  await write(sql, resultOf(a, 5n, now, { kind: 'succeeded' }))
  assert.equal((await state(sql)).attempts.length, 3, 'a flush that is repeated writes nothing twice')

  assert.equal(await indexed(sql, (tx) => promoteDue(tx, new Date(at.getTime() - 1))), 0, 'never earlier')
  assert.equal(await indexed(sql, (tx) => promoteDue(tx, at)), 1)
  assert.equal((await claimAll(sql, 6n, at))[0]?.attempt, 1)
})

test('a result under a lease that ended is logged and decides nothing; a late success still counts', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const shop = await aShop(deps)
  await anEvent(deps, shop, url)
  const [row] = await claimAll(sql, 5n, clock.now())
  assert.ok(row)
  const startedAt = new Date(clock.now().getTime() + 3)
  clock.advance(LEASE_MS + 1)
  const reap = () => indexed(sql, (tx) => reapExpired(tx, { now: clock.now(), leaseMs: LEASE_MS }))
  assert.equal((await reap()).length, 1)

  const failed = resultOf(row, 5n, startedAt, { kind: 'retry', at: clock.now() })
  assert.equal((await write(sql, failed)).size, 0)
  assert.deepEqual(await state(sql), {
    deliveries: [{ status: 'pending', attemptCount: 0, nextAttemptAt: row.createdAt }],
    queue: [{ state: 1, class: 0, attempt: 0, claims: 1 }],
    attempts: [
      { n: 1, error: 'interrupted' },
      { n: 1, error: 'http_500' },
    ],
  })

  const [again] = await claimAll(sql, 6n, clock.now())
  assert.ok(again)
  const late = { no: row.no, id: row.id, n: 1 }
  assert.equal(await indexed(sql, (tx) => writeLateSuccess(tx, late)), false, 'somebody is sending it: theirs decides')
  await write(sql, resultOf(again, 6n, clock.now(), { kind: 'retry', at: new Date(clock.now().getTime() + 60_000) }))
  assert.equal(await indexed(sql, (tx) => writeLateSuccess(tx, late)), true)
  const after = await state(sql)
  assert.deepEqual(after.deliveries, [{ status: 'succeeded', attemptCount: 1, nextAttemptAt: null }])
  assert.deepEqual(after.queue, [], 'the retry is canceled')
})

test('a row that keeps killing its worker is sent alone, then dead as internal; an innocent one beside it is not', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  await anEvent(deps, await aShop(deps), url)
  await anEvent(deps, await aShop(deps), url)
  const classes: number[] = []
  const waits: number[] = []
  for (let life = 1n; life <= 11n; life++) {
    const rows = await claimAll(sql, life, clock.now())
    const suspect = rows.find((row) => row.no === 1n)
    const innocent = rows.find((row) => row.no === 2n)
    classes.push(suspect?.class ?? -1)
    // From the third interruption on they are sent one after the other: the innocent one gets its outcome.
    if (life === 3n && innocent) await write(sql, resultOf(innocent, life, clock.now(), { kind: 'succeeded' }))
    if (life >= 3n && suspect) await indexed(sql, (tx) => markStarted(tx, { no: suspect.no, token: life }))
    clock.advance(LEASE_MS + 1)
    const reaped = await indexed(sql, (tx) => reapExpired(tx, { now: clock.now(), leaseMs: LEASE_MS }))
    assert.equal(reaped.find((row) => row.id === suspect?.id)?.dead, life === 11n)
    // It waits as long as it has to.
    const [wait] = await sql<{ leases: number }[]>`
      select extract(epoch from run_at - ${clock.now()})::int * 1000 / ${LEASE_MS}::int as leases
      from delivery_queue where delivery_no = 1 and state = 2`
    if (wait === undefined) continue
    waits.push(wait.leases)
    clock.advance(wait.leases * LEASE_MS)
    await indexed(sql, (tx) => promoteDue(tx, clock.now()))
  }
  assert.deepEqual(classes, [0, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3])
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 32, 32])
  const after = await state(sql)
  assert.deepEqual(
    after.deliveries.map((row) => row.status),
    ['dead', 'succeeded'],
  )
  assert.equal(after.attempts.at(-1)?.error, 'internal')
  assert.deepEqual(after.queue, [])
})

test('a suspect that was claimed and never started is not held to have done anything', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  await anEvent(deps, await aShop(deps), url)
  for (let life = 1n; life <= 20n; life++) {
    assert.equal((await claimAll(sql, life, clock.now())).length, 1)
    clock.advance(LEASE_MS + 1)
    await indexed(sql, (tx) => reapExpired(tx, { now: clock.now(), leaseMs: LEASE_MS }))
  }
  assert.equal((await state(sql)).queue[0]?.class, 3)
})

test('an event whose transaction is rolled back is never delivered', async (t) => {
  const { deps, clock } = await testDeps(t)
  const shop = await aShop(deps)
  await assert.rejects(
    deps.sql.begin(async (tx) => {
      // Part of this transaction, which fails after it.
      const begin = (work: (own: Tag) => Promise<unknown>): Promise<unknown> => work(tx)
      await anEvent({ sql: Object.assign(tx, { begin }) as unknown as Sql, clock }, shop, url)
      throw new Error('the order could not be written')
    }),
  )
  assert.deepEqual(await state(deps.sql), { deliveries: [], queue: [], attempts: [] })
})

test('who sends under a lease is alone to decide: nobody ends, fails, marks or gives back what another holds', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  await anEvent(deps, await aShop(deps), url)
  const [lost] = await claimAll(sql, 5n, clock.now())
  assert.ok(lost)
  clock.advance(LEASE_MS + 1)
  await indexed(sql, (tx) => reapExpired(tx, { now: clock.now(), leaseMs: LEASE_MS }))
  const [held] = await claimAll(sql, 6n, clock.now())
  assert.equal(held?.no, lost.no)
  const before = await state(sql)
  const verdicts: Verdict[] = [{ kind: 'dead' }, { kind: 'succeeded' }, { kind: 'retry', at: clock.now() }]
  for (const [n, verdict] of verdicts.entries()) {
    const startedAt = new Date(clock.now().getTime() + n)
    assert.equal((await write(sql, resultOf(lost, 5n, startedAt, verdict))).size, 0, verdict.kind)
  }
  await indexed(sql, (tx) => markStarted(tx, { no: lost.no, token: 5n }))
  await indexed(sql, (tx) => releaseRows(tx, { nos: [lost.no], token: 5n }))
  const { deliveries, queue } = await state(sql)
  assert.deepEqual({ deliveries, queue }, { deliveries: before.deliveries, queue: before.queue })
  assert.equal((await write(sql, resultOf(held, 6n, clock.now(), { kind: 'succeeded' }))).size, 1)
})

test('a lease is taken back when it has ended, not before', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  await anEvent(deps, await aShop(deps), url)
  await claimAll(sql, 5n, clock.now())
  const reap = () => indexed(sql, (tx) => reapExpired(tx, { now: clock.now(), leaseMs: LEASE_MS }))
  clock.advance(LEASE_MS)
  assert.deepEqual([...(await reap())], [])
  clock.advance(1)
  assert.equal((await reap()).length, 1)
})

test('what was answered is on the disk before it counts; a claim need not be', async (t) => {
  const { sql } = (await testDeps(t)).deps
  // On PostgreSQL as tests run it nothing waits for the disk; only what differs from its own setting shows.
  const waitsOf = (db: Sql | Tag) => db`select current_setting('synchronous_commit') as waits`
  const usual = [{ waits: 'on' }]
  await sql.unsafe(
    `do $$ begin execute format('alter database %I set synchronous_commit = on', current_database()); end $$`,
  )
  const results = forResults(sql)
  assert.deepEqual(await waitsOf(results), usual)
  assert.deepEqual(await waitsOf(forClaims(sql)), [{ waits: 'off' }])
  assert.deepEqual(await results`select current_setting('plan_cache_mode') as mode`, [{ mode: 'force_generic_plan' }])
  await sql.unsafe(
    `do $$ begin execute format('alter database %I reset synchronous_commit', current_database()); end $$`,
  )
  await sql.end({ timeout: 1 })
  await assert.rejects(results`select 1`, { code: 'CONNECTION_CLOSED' })
})
