// Promise: no list, search, statistic or feed of a merchant reads a table from end to end, whatever is asked for, and each looks at a
// bounded number of pages, on the oldest PostgreSQL that is promised and on the embedded one. `npm run bench -- scale` says how many
// with millions.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { only } from '@florin/platform/assert'
import { migrate } from '@florin/platform/db/migrate'
import { makePartitions } from '@florin/platform/db/partitions'
import { openPool, withoutLimits } from '@florin/platform/db/pool'
import { firstIdAt } from '@florin/platform/ids'
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import { buildApp } from '../../src/app.ts'
import { packageMigrations } from '../../src/migrations.ts'
import { listForExport } from '../../src/orders/export.store.ts'
import { partitionedTables } from '../../src/partitions.ts'
import { countRange, listRange, type Range } from '../../src/webhooks/log/replay.store.ts'
import { testConsole } from '../console.ts'
import { debianCluster } from '../events/debian-cluster.ts'
import { anApiKey } from '../factories.ts'
import { explained } from '../plans.ts'
import { fillOrders } from './many-orders.ts'
import { everyRoute, sampleOf } from './routes.ts'

/** Of fewer the planner reads all deliveries in the order of their ids, rightly. */
const ORDERS = 100_000
/** docs/operations.md: of a page of twenty, wherever they lie. */
const PAGES_MAX = 450
/** Before PostgreSQL 17 the index of a list of numbers is descended for each of them, so a row of a table costs three or four pages. */
const PAGES_MAX_OLD = 600
/** A page of an export, and what an order of it may cost. */
const EXPORTED = 250
const EXPORT_PAGES_MAX = 40
/** Rows of a merchant's day go between those of others, so pages of the index are half full, as in a shop; the benchmark builds it of the whole. */
const STATISTICS_PAGES_MAX = 260

test('routes: a shop with many orders reads by index, and little, on 15 and 18', async (t) => {
  const versions = [await pagesOn(t, await onDebian(t)), await pagesOn(t)]
  const [old, embedded] = versions
  t.diagnostic(`pages a route of ${ORDERS} orders: PostgreSQL ${versions.map(({ version }) => version).join(' and ')}`)
  for (const [name, pages] of embedded?.pages ?? []) {
    t.diagnostic(`${name.padEnd(50)} ${String(old?.pages.get(name)).padStart(6)} ${String(pages).padStart(6)}`)
  }
  assert.deepEqual(
    versions.map(({ wrong }) => wrong),
    [[], []],
  )
})

async function onDebian(t: TestContext): Promise<string> {
  const cluster = await debianCluster(t)
  const admin = openPool({ url: cluster.url, max: 1, applicationName: 'test', limits: withoutLimits })
  await admin.unsafe('create database florin_scale')
  await admin.end()
  const url = Object.assign(new URL(cluster.url), { pathname: '/florin_scale' }).href
  const sql = openPool({ url, max: 2, applicationName: 'test', limits: withoutLimits })
  await migrate(sql, packageMigrations)
  await makePartitions(sql, partitionedTables, new Date())
  await sql.end()
  return url
}

interface Measured {
  version: string
  pages: Map<string, number>
  wrong: string[]
}

async function pagesOn(t: TestContext, database?: string): Promise<Measured> {
  const at = await testConsole(t, {}, database)
  const now = at.clock.now()
  await fillOrders(at.databaseUrl, {
    ...{ orders: ORDERS, large: at.merchant, apiKeyId: at.key.id, now, others: 50, isSmall: true },
  })
  const key = await anApiKey(at.deps, at.merchant, { mode: 'live' })
  const plans = await explained(t, at.databaseUrl)
  plans.taken()
  const app = await buildApp({ ...at.deps, sql: plans.sql, lists: plans.sql })
  t.after(() => app.close())
  const [server] = await plans.sql<{ version: string; no: number }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as no`
  const { version, no } = only(server === undefined ? [] : [server], 'server')
  const { merchantNo } = only(
    await at.deps.sql<{ merchantNo: number }[]>`select no as "merchantNo" from merchants where id = ${at.merchant.id}`,
    'merchant',
  )
  const most = (name: string): number => {
    if (name.startsWith('statistics')) return STATISTICS_PAGES_MAX
    if (name.startsWith('export')) return EXPORTED * EXPORT_PAGES_MAX
    return no < 170_000 && !/^(deliveries|replay)/.test(name) ? PAGES_MAX_OLD : PAGES_MAX
  }
  const pages = new Map<string, number>()
  const wrong: string[] = []
  const look = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    plans.taken()
    await ask()
    const seen = plans.taken()
    const sum = seen.reduce((all, plan) => all + plan.buffers, 0)
    pages.set(name, sum)
    const whole = seen.map(
      ({ text }) =>
        /Seq Scan on (orders|order_lookup|pay_legs|payments|settlements|deliveries|order_sums)\b.*/.exec(text)?.[0],
    )
    const scan = whole.find((text) => text !== undefined)
    if (scan !== undefined || sum > most(name)) wrong.push(`${name}: ${sum} pages ${scan ?? ''}`)
  }
  const routes = everyRoute(await sampleOf(at.deps.sql, at.merchant.id), now)
  const lookAt = async (which: typeof routes, suffix: string): Promise<void> => {
    for (const { name, url, by } of which) {
      await look(`${name}${suffix}`, async () => {
        const reply = await app.inject({ url, headers: by === 'key' ? { ...key.headers } : at.merchant.headers })
        assert.equal(reply.statusCode, 200, `${name}: ${reply.payload}`)
      })
    }
    // An hour, long ago: behind it are nearly all deliveries of the merchant.
    const above = firstIdAt('dlv', new Date(now.getTime() - 80 * DAY_MS))
    const until = firstIdAt('dlv', new Date(now.getTime() - 80 * DAY_MS + HOUR_MS))
    const range: Range = { owner: { merchantNo, livemode: null }, status: 'succeeded', above, until, limit: 50 }
    await look(`replay, a step${suffix}`, () => listRange(plans.sql, range))
    await look(`replay, its count${suffix}`, () => countRange(plans.sql, { ...range, limit: 10_000 }))
    await look(`export, ${EXPORTED} orders${suffix}`, () => listForExport(plans.sql, at.merchant.id, newest))
  }
  const rows = await at.deps.sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where merchant_id = ${at.merchant.id} order by order_no desc limit ${EXPORTED}`
  const newest = rows.map(({ orderNo }) => orderNo)
  await lookAt(routes, '')
  // A connection may keep a plan that knows no value: what is said to be equal is then no reason to take an index.
  await plans.sql.unsafe(`set plan_cache_mode = force_generic_plan`)
  await lookAt(
    routes.filter(({ name }) => name.startsWith('deliveries')),
    ', any values',
  )
  return { version, pages, wrong }
}
