// Whether more workers make payments faster: facts applied a second by 1, 2 and 4 workers, and last looks at nodes that
// answer after 100 ms. Beside each, in the same minute, what a TPC-B transaction costs on this machine.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Sql } from '../packages/platform/src/db/pool.ts'
import { withTx } from '../packages/platform/src/db/tx.ts'
import type { RailFact } from '../packages/rail-kit/src/interface/fact.ts'
import { reportFactsOfMany } from '../packages/rail-kit/src/report.store.ts'
import { aCaller, anOrder, type ManyOrder, manyOrders } from '../packages/server/test/orders.ts'
import { median } from './load.ts'
import { nodeOptions } from './shipped.ts'
import { orSmoke, verdict } from './smoke.ts'
import { type BenchDatabase, benchDatabase } from './webhooks/database.ts'
import { databaseMs } from './webhooks/processor.ts'
import type { Report } from './workers/worker.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? orSmoke(3, 1))
const ORDERS = orSmoke(Number(process.env.BENCH_ORDERS ?? 700), 8)
/**
 * For each worker. The code of a process becomes faster over its first thousand orders. Of four workers each measures a quarter of
 * the orders, so with a short warm-up they would be measured on colder code than one worker is.
 */
const WARM = orSmoke(Number(process.env.BENCH_WARM ?? 800), 4)
const WORKERS = [1, 2, 4]
const YARDSTICK_MS = orSmoke(2_000, 50)

const results = new Map<string, Figures[]>()

interface Figures {
  perSecond: number
  locks: number
  statements: number
  /** Beyond what there was to do. */
  twice: number
  /** Processor time of the workers. */
  workersMs: number
  /** Processor time of PostgreSQL. */
  databaseMs: number
  tpcb: number
}

const asset = { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }

interface Crowd {
  paid: ManyOrder[]
  lapsed: ManyOrder[]
}

/** Two crowds for each kind of work: one to warm code and plans up on, and one to measure. */
async function prepare({ deps }: BenchDatabase, workers: number): Promise<{ warm: Crowd; measured: Crowd }> {
  const all = await manyOrders(deps, await anOrder(deps, await aCaller(deps)), 2 * (WARM * workers + ORDERS))
  await deps.sql`update orders set look_at = null`
  const take = (n: number): Crowd => ({ paid: all.splice(0, n), lapsed: all.splice(0, n) })
  const crowds = { warm: take(WARM * workers), measured: take(ORDERS) }
  await deps.sql`vacuum analyze`
  return crowds
}

/** Reports one payment fact for each order. */
async function pay({ deps }: BenchDatabase, orders: readonly ManyOrder[]): Promise<void> {
  const now = deps.clock.now()
  const facts = orders.map(({ orderRef, legRef }) => {
    const fact: RailFact = {
      ...{ kind: 'payment_seen', key: `paid ${orderRef}`, legRef, txHash: '0x1', outputIndex: 0, asset },
      ...{ amount: 50_000_000n, from: null, height: null, seenAt: now },
    }
    return { orderRef, fact }
  })
  await withTx(deps.sql, (tx) => reportFactsOfMany(tx, { rail: 'sandbox', facts, now }))
}

/** They are due for a last look at their nodes before they expire. */
async function lapse({ deps }: BenchDatabase, orders: readonly ManyOrder[]): Promise<void> {
  const numbers = orders.map((order) => order.orderNo)
  await deps.sql`update orders set expires_at = now(), look_at = now() where order_no = any(${numbers}::text[])`
}

async function run(children: readonly ChildProcess[], kind: string): Promise<{ seconds: number; reports: Report[] }> {
  const began = performance.now()
  const answers = children.map((child) => once(child, 'message') as Promise<[Report]>)
  for (const child of children) child.send(kind)
  const reports = (await Promise.all(answers)).map(([report]) => report)
  return { seconds: (performance.now() - began) / 1_000, reports }
}

async function measure(workers: number): Promise<void> {
  const database = await benchDatabase()
  const children: ChildProcess[] = []
  try {
    const { warm, measured } = await prepare(database, workers)
    for (let n = 0; n < workers; n++) {
      const env = { ...process.env, BENCH_DATABASE: database.url }
      children.push(fork(join(import.meta.dirname, 'workers/worker.ts'), { env, execArgv: [...nodeOptions] }))
    }
    await Promise.all(children.map((child) => once(child, 'message')))
    await pay(database, warm.paid)
    await run(children, 'facts')
    await lapse(database, warm.lapsed)
    await run(children, 'nodes')
    for (const kind of ['facts', 'nodes'] as const) {
      if (kind === 'facts') await pay(database, measured.paid)
      else await lapse(database, measured.lapsed)
      const { sql } = database.deps
      const tpcb = await yardstick(sql)
      const before = await databaseMs(sql)
      const { seconds, reports } = await run(children, kind)
      const sum = (of: (report: Report) => number): number => reports.reduce((all, report) => all + of(report), 0)
      const figures: Figures = {
        perSecond: ORDERS / seconds,
        locks: sum((report) => report.locks),
        statements: sum((report) => report.statements),
        twice: sum((report) => report.did) - ORDERS,
        workersMs: sum((report) => report.processorMs),
        databaseMs: (await databaseMs(sql)) - before,
        tpcb,
      }
      const key = `${kind} ${workers}`
      results.set(key, [...(results.get(key) ?? []), figures])
    }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await database.drop()
  }
}

/** Transactions a second as pgbench has them by default: three updates, a read and an insert, on four connections. */
async function yardstick(sql: Sql): Promise<number> {
  await sql.unsafe(`
    create table if not exists bench_accounts (id int primary key, balance int not null);
    create table if not exists bench_history (account int, delta int, at timestamptz);
    insert into bench_accounts select n, 0 from generate_series(1, 20000) n on conflict do nothing`)
  const until = performance.now() + YARDSTICK_MS
  let count = 0
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const [account, teller, branch] = [20, 200, 20_000].map((among) => 1 + Math.floor(Math.random() * among))
      await withTx(sql, async (tx) => {
        await tx`update bench_accounts set balance = balance + 1 where id = ${branch ?? 1}`
        await tx`select balance from bench_accounts where id = ${branch ?? 1}`
        await tx`update bench_accounts set balance = balance + 1 where id = ${1_000 + (teller ?? 1)}`
        await tx`update bench_accounts set balance = balance + 1 where id = ${2_000 + (account ?? 1)}`
        await tx`insert into bench_history values (${account ?? 1}, 1, now())`
      })
      count++
    }
  }
  await Promise.all([client(), client(), client(), client()])
  return count / (YARDSTICK_MS / 1_000)
}

for (let round = 0; round < ROUNDS; round++) {
  for (const workers of WORKERS) await measure(workers)
}

const figure = (kind: string, workers: number, what: keyof Figures): number =>
  median((results.get(`${kind} ${workers}`) ?? []).map((each) => each[what]))
const most = (what: keyof Figures): number => Math.max(...[...results.values()].flat().map((each) => each[what]))

for (const [kind, title] of [
  ['facts', `${ORDERS} payments of ${ORDERS} orders`],
  ['nodes', `${ORDERS} orders whose nodes answer after 100 ms`],
] as const) {
  console.log(`\n${title}; medians of ${ROUNDS}`)
  console.log(
    '| workers | a second | ÷ one worker | orders locked | statements | workers, ms | PostgreSQL, ms | TPC-B a second beside |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const workers of WORKERS) {
    const of = (what: keyof Figures): string => figure(kind, workers, what).toFixed(0)
    const ratio = figure(kind, workers, 'perSecond') / figure(kind, 1, 'perSecond')
    console.log(
      `| ${workers} | ${of('perSecond')} | ${ratio.toFixed(2)} | ${of('locks')} | ${of('statements')} | ${of('workersMs')} | ${of('databaseMs')} | ${of('tpcb')} |`,
    )
  }
}

const goal = (what: string, value: number, least: number): boolean => {
  console.log(`${what.padEnd(60)} ${value.toFixed(2)}  (goal ${least}: ${value >= least ? 'reached' : 'MISSED'})`)
  return value >= least
}
const against = (kind: string, workers: number): number =>
  figure(kind, workers, 'perSecond') / figure(kind, 1, 'perSecond')
console.log(`\nworked twice: ${most('twice')}`)
process.exitCode = verdict([
  goal('two workers ÷ one', against('facts', 2), 1),
  goal('four workers ÷ one', against('facts', 4), 1),
  goal('four workers ÷ one, nodes that answer after 100 ms', against('nodes', 4), 2.5),
  most('twice') === 0,
])
