import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { databaseClock } from '@florin/platform/clock'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { openPools } from '@florin/platform/db/pools'
import { startJobs } from '@florin/platform/worker/loop'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { capturedLog } from '../test/captured-log.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../test/factories.ts'
import { testDeps } from '../test/harness.ts'
import { endSessions, type Load, lockTable, slowSearches, startLoad } from '../test/outages/load.ts'
import { receiver } from '../test/receiver.ts'
import { buildApp } from './app.ts'
import type { Deps } from './deps.ts'
import { listJobs } from './jobs.ts'

interface World {
  admin: Sql
  origin: string
  load: Load
  console: Record<string, string>
  /** Creates an order whose webhook must arrive: the workers work. */
  deliver(): Promise<void>
  /** What was logged so far. */
  logged(): LogLine[]
}

type LogLine = Record<string, unknown>

/** A process as it is in production, with its own pools, under load. */
async function underLoad(
  t: TestContext,
  prepare: (admin: Sql) => Promise<void>,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const { deps: usual, databaseUrl } = await testDeps(t, { webhookAllowPrivate: true })
  const admin = openPool({ url: databaseUrl, max: 2, applicationName: 'outage', limits: withoutLimits })
  t.after(() => admin.end({ timeout: 1 }))
  await prepare(admin)
  const pools = openPools(databaseUrl, 'all')
  const { payments: sql, lists, work } = pools
  const clock = await databaseClock(sql)
  const own = { sql, lists, databaseTrouble: pools.trouble, clock, rails: railsOf(sql) }
  const captured = capturedLog()
  const logged = (): LogLine[] =>
    captured
      .text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine)
  const deps: Deps = { ...usual, ...own, log: captured.log }
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  await aReceivingAddress(deps, merchant)
  const app = await buildApp(deps)
  const jobDeps = { ...deps, sql: work }
  const jobs = startJobs(listJobs(jobDeps), jobDeps)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const load = startLoad({ origin, headers: key.headers })
  const shop = await receiver(t)

  async function deliver(): Promise<void> {
    const before = shop.requests.length
    const headers = { ...key.headers, 'content-type': 'application/json' }
    const body = { amount_usd: 5, pay_chain: 'base', webhook_url: shop.url }
    const made = await fetch(`${origin}/v1/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { order_no: no } = (await made.json()) as { order_no: string }
    const act = { method: 'POST', headers, body: JSON.stringify({ action: 'pay' }) }
    assert.equal((await fetch(`${origin}/v1/test/orders/${no}/simulate`, act)).status, 200)
    await shop.received(before + 1)
  }

  // Ended here and not after the test, when the database is taken away.
  try {
    await load.more({ done: 10 })
    await run({ admin, origin, load, console: merchant.headers, deliver, logged })
    await load.stop()
  } finally {
    await load.stop().catch(() => undefined)
    await app.close()
    await jobs.stop()
    await pools.end({ timeout: 1 })
  }
}

const nothing = async (): Promise<void> => undefined

test('while a table is locked, orders are refused in time, the service says that it is ready, and all goes on after', (t) =>
  underLoad(t, nothing, async ({ admin, load, deliver, logged }) => {
    const lock = await lockTable(admin, 'orders')
    await load.more({ refused: 5, ready: 5 })
    const isPayment = ({ req }: LogLine) => (req as { route: string } | undefined)?.route.startsWith('/v1/')
    const refused = logged().filter((line) => line.status === 503 && isPayment(line))
    assert.ok(refused.length > 0)
    for (const { msg, reason, err, blocked_by: by } of refused) {
      assert.deepEqual([msg, err], ['answered', undefined], 'one line without a stack')
      assert.match(String(reason), /lock timeout|free in time/, JSON.stringify(refused))
      if (/lock timeout/.test(String(reason))) assert.equal((by as { pid: number }).pid, lock.pid)
    }
    assert.ok(refused.some(({ blocked_by: by }) => (by as { name: string } | undefined)?.name === 'outage'))
    const withStack = logged().filter(({ level, err }) => level !== 'info' && err !== undefined)
    assert.deepEqual(withStack, [], 'no stacks')
    await lock.release()
    await load.more({ done: 20 })
    await deliver()
    assert.equal(load.notReady, 0)
  }))

slowTest('fourteen slow searches at once hold up no payment', (t) =>
  underLoad(
    t,
    (admin) => slowSearches(admin, { word: 'under', seconds: 4 }),
    async ({ load, origin, console }) => {
      const searches = Array.from({ length: 14 }, () =>
        fetch(`${origin}/api/v1/boss/orders?livemode=false&limit=1&q=under`, { headers: console }),
      )
      await load.more({ done: 50, ready: 5 })
      const answers = await Promise.all(searches)
      assert.equal(load.refused + load.notReady, 0)
      for (const answer of answers) {
        const isRefused = answer.status === 503 && answer.headers.has('retry-after')
        assert.ok(answer.status === 200 || isRefused, await answer.text())
      }
      assert.ok(
        answers.some((answer) => answer.status === 503),
        'who gets no connection in time is told so',
      )
    },
  ),
)

slowTest('sessions that are ended again and again under load cost what was under way and nothing else', (t) =>
  underLoad(t, nothing, async ({ admin, load, deliver }) => {
    let ended = 0
    for (let n = 0; n < 10; n++) {
      ended += await endSessions(admin)
      await load.more({ done: 10 })
    }
    assert.ok(ended >= 20, `${ended} sessions`)
    await deliver()
  }),
)
