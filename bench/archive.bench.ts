// Measures what an order takes on disk, by table and index, before and after its archive, and how fast orders are moved, put back
// and erased. BENCH_ORDERS says how many: a million takes an hour.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@florin/protocol'
import { archiveOrders } from '../packages/server/src/orders/archive/archive.ts'
import { erasePayers } from '../packages/server/src/orders/archive/erase.ts'
import { restoreOrder } from '../packages/server/src/orders/archive/restore.ts'
import { packOlder } from '../packages/server/src/orders/list/pack-older.ts'
import { simulate } from '../packages/server/src/orders/simulate.ts'
import { getOrder } from '../packages/server/src/orders/store.ts'
import { partitionedTables } from '../packages/server/src/partitions.ts'
import { makePartitions } from '../packages/server/src/platform/db/partitions.ts'
import type { Sql } from '../packages/server/src/platform/db/pool.ts'
import { foldChanges } from '../packages/server/src/reports/stats/sums/store.ts'
import { givePositions } from '../packages/server/test/deliveries.ts'
import { falseClock } from '../packages/server/test/harness.ts'
import { aCaller, anOrder } from '../packages/server/test/orders.ts'
import { copiesOf } from '../packages/server/test/scale/crowd.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const ORDERS = orSmoke(Number(process.env.BENCH_ORDERS ?? 100_000), 200)
/** Copies of one order are told apart by five digits. */
const OF_ONE = 50_000

interface Size {
  name: string
  bytes: number
}

/** Tables and their indexes, without what deletes left behind. */
async function sizesOf(sql: Sql): Promise<Map<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples <> 0`
  for (const { name } of tables) await sql.unsafe(`vacuum full "${name}"`)
  const rows = await sql<Size[]>`
    select regexp_replace(c.relname, '_\\d{8}', '') || case when c.relkind = 'i' then ' (index)' else '' end as name,
      sum(case when c.relkind = 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end)::float8 as bytes
    from pg_class c where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace group by 1`
  return new Map(rows.map(({ name, bytes }) => [name, bytes / ORDERS]))
}

const { deps: live, drop } = await benchDatabase()
const dir = await mkdtemp(join(tmpdir(), 'florin-bench-archive-'))
try {
  const clock = falseClock()
  const deps = { ...live, clock }
  const { sql } = deps
  const caller = await aCaller(deps)
  const numbers: string[] = []
  for (let left = ORDERS; left > 0; left -= OF_ONE) {
    const { orderNo } = await anOrder(deps, caller, { webhook_url: 'https://shop.example/hook', title: 'Tea, 100 g' })
    for (const step of ['pay', 'settle'] as const) await simulate(deps, await getOrder(sql, orderNo), step, null)
    numbers.push(orderNo)
  }
  await sql`update orders set look_at = null, payer_email = 'payer@mail.example'`
  await sql`update deliveries set status = 'succeeded'`
  await sql`delete from delivery_queue`
  await sql`update order_mails set done_at = ${clock.now()}`
  for (const [n, orderNo] of numbers.entries()) {
    const count = Math.min(OF_ONE, ORDERS - n * OF_ONE) - 1
    for (let from = 1; from <= count; from += 2_000)
      await copiesOf(sql, orderNo, Math.min(2_000, count - from + 1), from)
  }
  // A copy's row does not say what hangs on it, as that names its original: so far as it goes it is an order of before the upgrade.
  await sql`insert into backfills (name, position) values ('packed_orders', '~')`
  while ((await packOlder(deps)) !== null);
  // What waits for a job is nobody's for long, and each delivery was tried once.
  await givePositions(deps)
  while ((await foldChanges(sql, 50_000)) > 0);
  await sql`
    insert into delivery_attempts (delivery_id, started_at, n, http_status, latency_ms, response_excerpt)
    select id, created_at, 1, 200, 41, 'ok' from deliveries`
  const hot = await sizesOf(sql)
  clock.advance(200 * DAY_MS)
  await makePartitions(sql, partitionedTables, clock.now())
  const before = new Date(clock.now().getTime() - 100 * DAY_MS)

  const began = performance.now()
  const done = await archiveOrders(deps, { dir, before })
  const seconds = (performance.now() - began) / 1000
  const cold = await sizesOf(sql)
  let bytes = 0
  for (const name of await readdir(dir)) bytes += (await stat(join(dir, name))).size
  const rows = done.files.reduce((sum, { rows: of }) => sum + Object.values(of).reduce((a, b) => a + b, 0), 0)

  const one = numbers[0] ?? ''
  const restoring = performance.now()
  const isBack = await restoreOrder(deps, dir, one)
  const restored = performance.now() - restoring
  const erasing = performance.now()
  await erasePayers(deps, { dir, orders: [one], withInvoices: false, withTexts: false })
  const erased = performance.now() - erasing

  const total = (sizes: Map<string, number>): number => [...sizes.values()].reduce((a, b) => a + b, 0)
  console.log(`${ORDERS} paid orders of the sandbox; bytes an order, before and after:`)
  for (const [name, size] of [...hot].sort(([, a], [, b]) => b - a)) {
    const after = cold.get(name) ?? 0
    if (size >= 5 || after >= 5)
      console.log(`  ${name.padEnd(50)} ${size.toFixed(0).padStart(7)} ${after.toFixed(0).padStart(7)}`)
  }
  for (const [name, after] of cold)
    if (!hot.has(name)) console.log(`  ${name.padEnd(50)}       0 ${after.toFixed(0).padStart(7)}`)
  console.log(`  ${'in all'.padEnd(50)} ${total(hot).toFixed(0).padStart(7)} ${total(cold).toFixed(0).padStart(7)}`)
  console.log(`  ${'in files'.padEnd(50)} ${''.padStart(7)} ${(bytes / ORDERS).toFixed(0).padStart(7)}`)
  console.log(
    `${done.orders} orders, ${rows} rows moved in ${seconds.toFixed(1)} s: ${(done.orders / seconds).toFixed(0)} orders/s, ${(rows / seconds).toFixed(0)} rows/s`,
  )
  console.log(`one put back in ${restored.toFixed(0)} ms, one erased in ${erased.toFixed(0)} ms`)
  process.exitCode = verdict([done.orders === ORDERS, isBack])
} finally {
  await rm(dir, { recursive: true, force: true })
  await drop()
}
