// Promise: no list, search, statistic or feed of a merchant reads a table from end to end, whatever is asked for, and each looks at a bounded number of pages. `npm run bench -- scale` says how many with millions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { testConsole } from '../console.ts'
import { anApiKey } from '../factories.ts'
import { explained } from '../plans.ts'
import { fillOrders } from './many-orders.ts'
import { everyRoute, type Route, sampleOf } from './routes.ts'

/** Of fewer the planner reads all deliveries in the order of their ids, rightly. */
const ORDERS = 100_000
/** docs/operations.md: of a page of twenty, wherever they lie. */
const PAGES_MAX = 200
/** Rows of a merchant's day go between those of others, so pages of the index are half full, as in a shop; the benchmark builds it of the whole. */
const STATISTICS_PAGES_MAX = 260

test('every route of a shop with many orders reads by index, and little', async (t) => {
  const at = await testConsole(t)
  const now = at.clock.now()
  await fillOrders(at.databaseUrl, {
    ...{ orders: ORDERS, large: at.merchant, apiKeyId: at.key.id, now, others: 50, isSmall: true },
  })
  const key = await anApiKey(at.deps, at.merchant, { mode: 'live' })
  const plans = await explained(t, at.databaseUrl)
  plans.taken()
  const app = await buildApp({ ...at.deps, sql: plans.sql, lists: plans.sql })
  t.after(() => app.close())
  const wrong: string[] = []
  const look = async ({ name, url, by }: Route): Promise<void> => {
    const reply = await app.inject({ url, headers: by === 'key' ? { ...key.headers } : at.merchant.headers })
    assert.equal(reply.statusCode, 200, `${name}: ${reply.payload}`)
    const seen = plans.taken()
    const pages = seen.reduce((sum, plan) => sum + plan.buffers, 0)
    const whole = seen.map(
      ({ text }) =>
        /Seq Scan on (orders|order_lookup|pay_legs|payments|settlements|deliveries|order_sums)\b.*/.exec(text)?.[0],
    )
    const scan = whole.find((text) => text !== undefined)
    const most = name.startsWith('statistics') ? STATISTICS_PAGES_MAX : PAGES_MAX
    if (scan !== undefined || pages > most) wrong.push(`${name}: ${pages} pages ${scan ?? ''}`)
  }
  const routes = everyRoute(await sampleOf(at.deps.sql, at.merchant.id), now)
  for (const route of routes) await look(route)
  // A connection may keep a plan that knows no value: what is said to be equal is then no reason to take an index.
  await plans.sql.unsafe(`set plan_cache_mode = force_generic_plan`)
  for (const route of routes.filter(({ name }) => name.startsWith('deliveries')))
    await look({ ...route, name: `${route.name}, any values` })
  assert.deepEqual(wrong, [])
})
