// What a claim costs, in pages by its plans as they were executed, while nothing waits and while 10 thousand, 1 million and 3
// million deliveries do, half of them for one receiver; and how many rows a second are claimed and finished, nothing being
// sent, while a million wait.
import { availableParallelism, cpus } from 'node:os'
import type { Sql } from '../packages/platform/src/db/pool.ts'
import { makeCaps } from '../packages/server/src/webhooks/queue/caps.ts'
import { releaseRows } from '../packages/server/src/webhooks/queue/claim.ts'
import { indexed } from '../packages/server/src/webhooks/queue/indexed.store.ts'
import { writeResults } from '../packages/server/src/webhooks/queue/record.store.ts'
import { type Claimed, makeRounds } from '../packages/server/src/webhooks/queue/round.ts'
import { aBacklog, anEvent, aShop } from '../packages/server/test/deliveries.ts'
import { explained } from '../packages/server/test/plans.ts'
import { median } from './load.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'
import { databaseMs, processorMs } from './webhooks/processor.ts'

const SLOTS = 512
const SECONDS = Number(process.env.BENCH_SECONDS ?? orSmoke(12, 0.2))
const SCALE = Number(process.env.BENCH_SCALE ?? orSmoke(1, 0.002))
const SAMPLES = orSmoke(24, 6)

const database = await benchDatabase()
const { deps } = database
const { sql, clock } = deps
const url = 'https://shop.example/hook'
const shop = await aShop(deps)
const event = { ...(await anEvent(deps, shop, url)), shop, url }
let total = 0
let filled = 0

/** More of the same shape: half for one receiver, a third for a merchant with 50,000 hosts, the rest for 5,000 merchants. */
async function growTo(rows: number): Promise<void> {
  const more = Math.round(rows * SCALE) - total
  filled += 1
  const runAt = clock.now()
  const shares = [
    { share: 0.5, firstTenant: 100 + filled, tenants: 1, lanesEach: 1 },
    { share: 0.3, firstTenant: 200 + filled, tenants: 1, lanesEach: 50_000 },
    { share: 0.2, firstTenant: 10_000 * filled, tenants: 5_000, lanesEach: 3 },
  ]
  for (const { share, ...where } of shares)
    await aBacklog(sql, { rows: Math.round(more * share), ...where, runAt }, event)
  total += more
  await sql`vacuum analyze delivery_queue, deliveries`
  await sql`checkpoint`
}

/** @returns pages that one claim of all slots looks at, scan and lease together: the median, and its rows. */
async function costOfClaim(): Promise<{ pages: number; rows: number; ms: number }> {
  const ends: (() => unknown)[] = []
  const one = await explained({ after: (end) => void ends.push(end as () => unknown) }, database.url)
  const samples: { pages: number; rows: number; ms: number }[] = []
  const caps = makeCaps(SLOTS)
  const rounds = makeRounds({ sql: one.sql, clock }, { slots: SLOTS, leaseMs: 600_000, caps })
  for (let i = 0; i < SAMPLES; i++) {
    one.taken()
    const began = performance.now()
    const { rows } = await rounds.take()
    const ms = performance.now() - began
    const plans = one.taken().filter((plan) => plan.query.includes('delivery_queue'))
    // Where little waits, reading the table through is right.
    const throughs = orSmoke(plans, []).filter((plan) => /Seq Scan/.test(plan.text))
    for (const plan of throughs) throw new Error(`a table was read through: ${plan.text}`)
    samples.push({ pages: plans.reduce((sum, plan) => sum + plan.buffers, 0), rows: rows.length, ms })
    await giveBack(rows, caps)
  }
  for (const end of ends) await end()
  const settled = samples.slice(4)
  return {
    pages: median(settled.map((s) => s.pages)),
    rows: median(settled.map((s) => s.rows)),
    ms: median(settled.map((s) => s.ms)),
  }

  async function giveBack(rows: readonly Claimed[], held: ReturnType<typeof makeCaps>): Promise<void> {
    for (const row of rows) held.give(row.ticket, null, 0)
    const [first] = rows
    const nos = rows.map((row) => row.no)
    if (first) await indexed(sql, (tx) => releaseRows(tx, { nos, token: first.token }))
  }
}

/** Processor time of this process and of PostgreSQL, in ms: what a busy machine does not blur. */
async function spentMs(): Promise<number> {
  return processorMs(process.pid) + (await databaseMs(sql))
}

/** Claims and finishes as the worker does: one write of results at a time beside the next claims. */
async function claimAndFinish(pool: Sql): Promise<{ aSecond: number; processorUs: number }> {
  const caps = makeCaps(SLOTS)
  const rounds = makeRounds({ sql: pool, clock }, { slots: SLOTS, leaseMs: 600_000, caps })
  let done = 0
  let writing: Promise<unknown> = Promise.resolve()
  const processorBefore = await spentMs()
  const began = performance.now()
  while (performance.now() - began < SECONDS * 1000) {
    const { rows } = await rounds.take()
    for (const row of rows) caps.give(row.ticket, 'quick', performance.now())
    const now = clock.now()
    const results = rows.map((row) => ({
      ...{ no: row.no, id: row.id, token: row.token, n: 1, startedAt: now, latencyMs: 3, httpStatus: 200 },
      ...{ error: null, excerpt: 'ok', detail: null, verdict: { kind: 'succeeded' as const } },
    }))
    await writing
    writing = results.length === 0 ? Promise.resolve() : indexed(pool, (tx) => writeResults(tx, results))
    done += results.length
  }
  await writing
  const aSecond = done / ((performance.now() - began) / 1000)
  return { aSecond, processorUs: (((await spentMs()) - processorBefore) * 1000) / done }
}

const costs: { pages: number; rows: number }[] = []
let rate = 0
let processorUs = 0
try {
  await sql`vacuum analyze delivery_queue`
  const idle = await costOfClaim()
  console.log(`   nothing waiting: a claim looks at ${idle.pages} pages, in ${idle.ms.toFixed(1)} ms`)
  for (const rows of [10_000, 1_000_000, 3_000_000]) {
    await growTo(rows)
    const cost = await costOfClaim()
    costs.push(cost)
    console.log(
      `${total.toLocaleString('en').padStart(10)} waiting: a claim of ${cost.rows} rows looks at ${cost.pages} pages, ${(cost.pages / cost.rows).toFixed(1)} a row, in ${cost.ms.toFixed(1)} ms`,
    )
    if (rows !== 1_000_000) continue
    const speed = await claimAndFinish(sql)
    rate = speed.aSecond
    processorUs = speed.processorUs
    console.log(`${' '.repeat(10)} claim + finish: ${rate.toFixed(0)} rows/s over ${SECONDS} s`)
  }
} finally {
  await database.drop()
}
const aRow = (n: number): number => (costs[n]?.pages ?? 0) / (costs[n]?.rows ?? 1)
const growth = aRow(2) / aRow(0)
console.log(`processor time of claim and finish: ${processorUs.toFixed(0)} µs a row, PostgreSQL and Node together`)
console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`)
console.log(
  `claim + finish at a million: ${rate.toFixed(0)} rows/s  (goal 10000: ${rate >= 10_000 ? 'reached' : 'MISSED'})`,
)
console.log(
  `pages a row at 3 million ÷ at 10 thousand: ${growth.toFixed(2)}  (goal 2: ${growth <= 2 ? 'reached' : 'MISSED'})`,
)
process.exitCode = verdict([rate >= 10_000, growth <= 2])
