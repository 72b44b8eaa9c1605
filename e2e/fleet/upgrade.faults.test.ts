// Promises: over a shop of many orders a migration builds indexes while workers end, are killed and start; it ends, no call is refused,
// and no call waits for a lock longer than a tenth of a second.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Migration, migrate, runEither } from '../../packages/platform/src/db/migrate.ts'
import { openPool, type Sql, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { withoutHurry } from '../../packages/platform/src/db/pools.ts'
import { packageMigrations } from '../../packages/server/src/migrations.ts'
import { testCluster } from '../../packages/server/test/cluster.ts'
import { aMerchant, anApiKey } from '../../packages/server/test/factories.ts'
import { testDeps } from '../../packages/server/test/harness.ts'
import { fillOrders } from '../../packages/server/test/scale/many-orders.ts'
import { sized } from '../../scripts/sizes.ts'
import { until } from '../florin.ts'
import { startFleet, thisRelease } from './fleet.ts'

const ORDERS = Number(process.env.FLORIN_UPGRADE_ORDERS ?? sized({ short: 5_000, full: 50_000, soak: 200_000 }))
const MOST_LOCKED_MS = 100

test(`an upgrade over ${ORDERS} orders ends while workers restart, and refuses no call`, async (t) => {
  const cluster = await testCluster()
  const name = `upgrade_${randomBytes(4).toString('hex')}`
  const root = openPool({ url: cluster, max: 1, applicationName: 'upgrade test', limits: withoutLimits })
  await root.unsafe(`create database ${name}`)
  const databaseUrl = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  const sql = openPool({ url: databaseUrl, max: 3, applicationName: 'upgrade test', limits: withoutLimits })
  await withoutHurry(databaseUrl, (slow) => migrate(slow, packageMigrations))
  const { deps } = await testDeps(t, {}, databaseUrl)
  const large = await aMerchant(deps)
  const key = await anApiKey(deps, large, { mode: 'live' })
  await fillOrders(databaseUrl, { orders: ORDERS, large, apiKeyId: key.id, now: new Date(), others: 50 })
  const fleet = await startFleet({ databaseUrl, place: thisRelease })
  const { shoppers } = fleet
  t.after(async () => {
    await fleet.close()
    await sql.end({ timeout: 1 })
    await root.unsafe(`drop database ${name} with (force)`)
    await root.end()
  })
  shoppers.pace = 2
  const afterMore = (orders: number): Promise<void> => {
    const goal = shoppers.counts.finished + orders
    return until(() => shoppers.faults.length > 0 || shoppers.counts.finished >= goal, `${orders} orders`, t.signal)
  }
  await afterMore(4)
  const refusedBefore = shoppers.counts.refused
  const files = await nextFiles(sql)

  let isOver = false
  const locks = watchLocks(sql, () => isOver)
  const began = performance.now()
  let restarts = 0
  // As MODE=migrate of that release does it; the workers are of this one.
  const migrating = withoutHurry(databaseUrl, async (slow) => {
    for (const file of files) assert.equal(await runEither(slow, file), true, file.name)
  }).finally(() => {
    isOver = true
  })
  const restarting = (async () => {
    do {
      const [worker] = fleet.members.filter(({ role }) => role === 'worker')
      assert.ok(worker)
      if (restarts % 2 === 0) await worker.florin.kill()
      else await worker.florin.stop()
      await worker.florin.start()
      restarts++
    } while (!isOver)
  })()
  await Promise.all([migrating, restarting])
  const seconds = (performance.now() - began) / 1000
  const longestMs = await locks
  await afterMore(4)
  await shoppers.stop()

  t.diagnostic(
    `${files.length} files of indexes over ${ORDERS} orders: ${seconds.toFixed(0)} s, ${restarts} restarts of a worker, longest wait for a ` +
      `lock ${Math.round(longestMs)} ms, ${shoppers.counts.answered} calls, slowest ${Math.round(shoppers.slowestMs)} ms, ` +
      `${shoppers.counts.refused - refusedBefore} refused`,
  )
  assert.deepEqual(shoppers.faults, [])
  assert.equal(shoppers.counts.refused - refusedBefore, 0, 'no call is refused')
  assert.ok(longestMs <= MOST_LOCKED_MS, `${longestMs} ms`)
  const [broken] = await sql<{ n: number }[]>`select count(*)::int as n from pg_index where not indisvalid`
  assert.equal(broken?.n, 0)
})

/** Files of a release after this one: the indexes of the largest tables, once more under other names. */
async function nextFiles(sql: Sql): Promise<Migration[]> {
  const rows = await sql<{ table: string; text: string }[]>`
    select tablename as table, string_agg(indexdef || ';', E'\\n') as text from pg_indexes
    where schemaname = 'florin' and tablename in ('orders', 'pay_legs', 'payments', 'deliveries', 'order_lookup') group by 1 order by 1`
  return rows.map(({ table, text }, n) => ({
    package: 'server',
    number: 9_000 + n,
    name: table,
    text: `-- concurrently\n${text.replaceAll(/INDEX (\w+) ON florin\./g, 'index concurrently again_$1 on ').replaceAll(/^CREATE (UNIQUE )?/gm, 'create ')}`,
  }))
}

/** @returns the longest that a session of the API waited for a lock on a table, in milliseconds. */
async function watchLocks(sql: Sql, isOver: () => boolean): Promise<number> {
  let longest = 0
  while (!isOver()) {
    const [row] = await sql<{ ms: number | null }[]>`
      select max(extract(epoch from clock_timestamp() - l.waitstart))::float8 * 1000 as ms
      from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and l.locktype = 'relation' and a.datname = current_database() and a.application_name like 'florin api%'`
    longest = Math.max(longest, row?.ms ?? 0)
    await wait(20)
  }
  return longest
}
