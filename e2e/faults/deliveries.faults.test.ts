// The long faults of webhook delivery: hundreds of kills of workers and of PostgreSQL, receivers that hold on until the
// real deadline, a reader that pins old rows. Each ends by itself within minutes; `npm run test:faults`.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startEmbedded } from '@florin/embedded-postgres'
import { WEBHOOK_TIMEOUT_MS } from '@florin/protocol'
import { databaseClock } from '../../packages/platform/src/clock.ts'
import { migrate } from '../../packages/platform/src/db/migrate.ts'
import { makePartitions } from '../../packages/platform/src/db/partitions.ts'
import { openPool } from '../../packages/platform/src/db/pool.ts'
import { packageMigrations } from '../../packages/server/src/migrations.ts'
import { partitionedTables } from '../../packages/server/src/partitions.ts'
import { makeCaps } from '../../packages/server/src/webhooks/queue/caps.ts'
import { indexed } from '../../packages/server/src/webhooks/queue/indexed.store.ts'
import { writeResults } from '../../packages/server/src/webhooks/queue/record.store.ts'
import { makeRounds } from '../../packages/server/src/webhooks/queue/round.ts'
import { makeConnections } from '../../packages/server/src/webhooks/send/connections.ts'
import { makePolicy } from '../../packages/server/src/webhooks/send/policy.ts'
import { makeResolver } from '../../packages/server/src/webhooks/send/resolve.ts'
import { type Outcome, send } from '../../packages/server/src/webhooks/send/send.ts'
import { makeDialler } from '../../packages/server/src/webhooks/send/target.ts'
import { aBacklog, anEvent, aShop } from '../../packages/server/test/deliveries.ts'
import { testDeps } from '../../packages/server/test/harness.ts'
import { killRun } from '../../packages/server/test/kills/kills.ts'
import * as r from '../../packages/server/test/receiver.ts'

const log = { info: () => undefined, warn: () => undefined }

test('200 kills of workers and 5 of PostgreSQL lose nothing', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-faults-'))
  let database = await startEmbedded({ dataDir, log })
  const { deps: usual } = await testDeps(t)
  const sql = openPool({ url: database.url, max: 8, applicationName: 'kills' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await migrate(sql, packageMigrations)
  const clock = await databaseClock(sql)
  await makePartitions(sql, partitionedTables, clock.now())
  const { url } = database

  const killPostgres = async (): Promise<void> => {
    process.kill(database.pid, 'SIGKILL')
    await database.stop()
    database = await startEmbedded({ dataDir, log })
    assert.equal(database.url, url, 'it comes up where it was')
    for (;;) if (await sql`select 1`.catch(() => null)) return
  }
  const report = await killRun(t, { ...usual, sql, clock }, url, { kills: 200, killPostgres, postgresKills: 5 })
  t.diagnostic(JSON.stringify(report))
})

test('receivers that hold on end within 10.5 s, free their connections and cost no memory', async (t) => {
  const policy = makePolicy({ webhookAllow: [], webhookAllowPrivate: true, webhookOwnAddresses: [] })
  const connections = makeConnections(
    makeDialler({ resolver: makeResolver(), policy, own: { includes: async () => false } }),
    512,
  )
  t.after(() => connections.close())
  const cases: [string, r.Answer, string | null][] = [
    ['hangs', r.hang, 'timeout_headers'],
    ['drips headers', r.dripHeaders, 'timeout_headers'],
    ['endless 1xx', r.endless1xx, 'timeout_headers'],
    ['drips a body', r.dripBody, null],
    ['declared bomb', r.bodyBomb(true), null],
    ['chunked bomb', r.bodyBomb(false), null],
    ['gzip bomb', r.gzipBomb(gzipSync(Buffer.alloc(50 << 20))), null],
    ['header flood', r.headerFlood, 'protocol_error'],
    ['resets', r.reset, 'connect_reset'],
  ]
  const receivers = await Promise.all(cases.map(async (each) => ({ each, target: await r.receiver(t, {}, each[1]) })))
  const before = process.memoryUsage().rss
  await Promise.all(
    receivers.flatMap(({ each: [name, , error], target }) =>
      Array.from({ length: 20 }, async () => {
        const started = performance.now()
        const outcome = await post(target.url)
        const tookMs = performance.now() - started
        assert.equal(outcome.error, error, name)
        assert.ok(tookMs <= 10_500, `${name} took ${tookMs} ms`)
      }),
    ),
  )
  const grownMb = (process.memoryUsage().rss - before) / 2 ** 20
  t.diagnostic(`${cases.length * 20} hostile receivers: ${grownMb.toFixed(1)} MB more`)
  assert.ok(grownMb < 50)
  assert.equal(connections.idle(), 0)

  function post(url: string): Promise<Outcome> {
    return send(connections, { url, body: Buffer.from('{}'), headers: [] }, WEBHOOK_TIMEOUT_MS)
  }
})

test('a port that answers no connection ends at the deadline too', async (t) => {
  // Stopped, it accepts nothing: the kernel takes a few connections for it and lets all others wait.
  const child = fork(join(import.meta.dirname, 'black-hole.ts'))
  t.after(() => void child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  child.kill('SIGSTOP')
  const policy = makePolicy({ webhookAllow: [], webhookAllowPrivate: true, webhookOwnAddresses: [] })
  const connections = makeConnections(
    makeDialler({ resolver: makeResolver(), policy, own: { includes: async () => false } }),
    16,
  )
  t.after(() => connections.close())
  const started = performance.now()
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () =>
      send(connections, { url: `http://127.0.0.1:${port}/`, body: Buffer.from('{}'), headers: [] }, 2_000),
    ),
  )
  assert.ok(performance.now() - started < 2_500)
  assert.ok(outcomes.some((outcome) => outcome.error === 'timeout_connect'))
  assert.ok(outcomes.every((outcome) => outcome.error?.startsWith('timeout_')))
})

test('a reader that holds an old snapshot does not make claims slower and slower', async (t) => {
  const { deps } = await testDeps(t)
  const { sql } = deps
  const clock = await databaseClock(sql)
  const runAt = clock.now()
  const shop = await aShop(deps)
  const url = 'https://shop.example/hook'
  const event = { ...(await anEvent(deps, shop, url)), shop, url }
  await aBacklog(sql, { rows: 60_000, firstTenant: 10, tenants: 1, lanesEach: 1, runAt }, event)
  await aBacklog(sql, { rows: 60_000, firstTenant: 1_000, tenants: 2_000, lanesEach: 2, runAt }, event)
  await sql`analyze delivery_queue, deliveries`
  const caps = makeCaps(512)
  const rounds = makeRounds({ sql, clock }, { slots: 512, leaseMs: 600_000, caps })
  /** Claims and finishes without sending. @returns the 95th percentile of a claim in ms. */
  const work = async (forMs: number): Promise<number> => {
    const times: number[] = []
    const until = performance.now() + forMs
    while (performance.now() < until) {
      const started = performance.now()
      const { rows } = await rounds.take()
      times.push(performance.now() - started)
      for (const row of rows) caps.give(row.ticket, 'quick', performance.now())
      const now = clock.now()
      const results = rows.map((row) => ({
        ...{ no: row.no, id: row.id, token: row.token, n: 1, startedAt: now, latencyMs: 1, httpStatus: 200 },
        ...{ error: null, excerpt: null, detail: null, verdict: { kind: 'succeeded' as const } },
      }))
      if (rows.length > 0) await indexed(sql, (tx) => writeResults(tx, results))
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  }
  const before = await work(5_000)
  const release = Promise.withResolvers<void>()
  const pinned = Promise.withResolvers<void>()
  const reader = sql.begin('isolation level repeatable read', async (tx) => {
    await tx`select 1 from delivery_queue limit 1`
    pinned.resolve()
    await release.promise
  })
  await pinned.promise
  const [early, late] = [await work(10_000), await work(10_000)]
  release.resolve()
  await reader
  t.diagnostic(`claim p95: ${before.toFixed(1)} ms, pinned ${early.toFixed(1)} then ${late.toFixed(1)} ms`)
  assert.ok(late < 3 * Math.max(before, 5))
})
