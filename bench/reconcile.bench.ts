// The cost of the comparison of books and chain for one order in the ninety days after it closed: looks, rows written, WAL, pages read.
// The clock is a false one, and jumps to whatever is due next; the orders are the sandbox's, so no node is asked.
import { parseArgs } from 'node:util'
import { findNextDue } from '@florin/platform/tasks/store'
import { DAY_MS } from '@florin/protocol'
import { openPool } from '../packages/platform/src/db/pool.ts'
import { actInSandbox, type SandboxAct } from '../packages/rail-kit/src/sandbox/simulate.ts'
import { orderJobs } from '../packages/server/src/orders/jobs.ts'
import { compared } from '../packages/server/src/orders/reconcile/metrics.ts'
import { compareSoon, RECONCILE } from '../packages/server/src/orders/reconcile/store.ts'
import { falseClock } from '../packages/server/test/harness.ts'
import { aCaller, anOrder, settleDue } from '../packages/server/test/orders.ts'
import { orSmoke } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const { values: options } = parseArgs({ options: { orders: { type: 'string' }, database: { type: 'string' } } })
const ORDERS = Number(options.orders ?? orSmoke(250, 2))
const DAYS = orSmoke(91, 2)

const database = await benchDatabase(options.database)
// Counts of a session are seen when it flushes them: one connection, which is told to.
const sql = openPool({ url: database.url, max: 1, applicationName: 'bench' })
const clock = falseClock()
const deps = { ...database.deps, sql, lists: sql, clock }

interface Figures {
  looks: number
  written: number
  wal: number
  pages: number
}

async function figures(): Promise<Figures> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ written: number; wal: number; pages: number }[]>`
    select (select sum(n_tup_ins + n_tup_upd + n_tup_del)::int from pg_stat_user_tables where relname like 'reconcil%') as written,
      (pg_current_wal_insert_lsn() - '0/0')::float8 as wal,
      (select (blks_hit + blks_read)::float8 from pg_stat_database where datname = current_database()) as pages`
  const { values } = await compared.get()
  return { looks: values[0]?.value ?? 0, written: 0, wal: 0, pages: 0, ...row }
}

try {
  const caller = await aCaller(deps)
  const begun = await figures()
  for (let n = 0; n < ORDERS; n++) {
    const { orderRef, legs } = await anOrder(deps, caller, { amount_usd: 50 })
    const legRef = legs[0]?.ref ?? ''
    const steps: SandboxAct[] = [
      { kind: 'transfer', legRef, amount: legs[0]?.amountDue ?? 0n, seenAt: clock.now() },
      { kind: 'confirm' },
      { kind: 'settle' },
    ]
    for (const step of steps) {
      await actInSandbox(sql, orderRef, step, clock.now())
      while ((await settleDue(deps)) > 0);
    }
  }
  const made = await figures()
  const jobs = orderJobs(deps).filter(({ name }) => name.startsWith('reconcile'))
  const end = clock.now().getTime() + DAYS * DAY_MS
  const began = performance.now()
  for (;;) {
    for (const job of jobs) while ((await job.run(new AbortController().signal)) > 0);
    const [round] = await sql<{ at: Date }[]>`select due_at as at from reconcile_rounds`
    const dates = [round?.at, await findNextDue(sql, RECONCILE)]
    const next = Math.min(...dates.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY))
    if (next > end) break
    clock.advance(Math.max(1_000, next - clock.now().getTime()))
  }
  const seconds = (performance.now() - began) / 1000
  const done = await figures()
  // The rows that the closing commit writes for the comparison, counted apart from its other rows.
  const closed = await sql<{ orderNo: string; merchantId: string; livemode: boolean }[]>`
    select order_no as "orderNo", merchant_id as "merchantId", livemode from orders`
  for (const order of closed) await compareSoon(sql, order, clock.now())
  const inCommit = (((await figures()).wal - done.wal) / ORDERS).toFixed(0)
  const each = (of: keyof Figures, since: Figures): string => ((done[of] - since[of]) / ORDERS).toFixed(1)
  process.stdout.write(
    `${ORDERS} orders over ${DAYS} days: ${each('looks', begun)} looks, ${each('written', begun)} rows written, ` +
      `${each('wal', made)} bytes of WAL and ${each('pages', made)} pages an order after it closed, ${inCommit} bytes of WAL in the commit that closed it; ${seconds.toFixed(1)} s\n`,
  )
} finally {
  await sql.end({ timeout: 5 })
  await database.drop()
}
