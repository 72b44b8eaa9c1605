// Deliveries a second from commit to record: Florin's engine, pg-boss and graphile-worker on the same database with the
// same records, and a bare loop of signed POSTs, all to one receiver. First with healthy receivers, then with 20 more that
// take requests and never answer. Each sender is a process of its own; every round has a fresh database for each.
import { availableParallelism, cpus } from 'node:os'
import { median } from './load.ts'
import { orSmoke, verdict } from './smoke.ts'
import { type BenchDatabase, benchDatabase, fill, placeAll, shops, succeeded } from './webhooks/database.ts'
import { databaseMs, processorMs } from './webhooks/processor.ts'
import { type BenchReceiver, startReceiver } from './webhooks/receiver.ts'
import { type Orders, startSide } from './webhooks/side.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? orSmoke(3, 1))
const HEALTHY_SHOPS = 16
const EACH = orSmoke(4_000, 10)
const HANGING_SHOPS = 20
const HANGING_EACH = orSmoke(400, 2)
const HANGING_SECONDS = orSmoke(15, 0.5)

const queues = (process.env.BENCH_SIDES ?? 'sender-florin sender-pg-boss sender-graphile-worker').split(' ')
const receiver: BenchReceiver = await startReceiver()
const origin = `http://127.0.0.1:${receiver.port}`

async function filled(each: number, hangingEach: number): Promise<{ database: BenchDatabase; orders: Orders }> {
  const database = await benchDatabase()
  const { sql, clock } = database.deps
  const now = clock.now()
  const healthy = await shops(database.deps, HEALTHY_SHOPS)
  const hanging = hangingEach === 0 ? [] : await shops(database.deps, HANGING_SHOPS)
  for (const shop of healthy) await fill(sql, shop, each, [`${origin}/hook`], now)
  for (const [n, shop] of hanging.entries()) await fill(sql, shop, hangingEach, [`${origin}/hang/${n}`], now)
  await placeAll(sql)
  const secrets = Object.fromEntries([...healthy, ...hanging].map((shop) => [shop.id, shop.webhookSecret]))
  return { database, orders: { databaseUrl: database.url, origin, secrets, healthy: each * HEALTHY_SHOPS } }
}

/** @returns successful deliveries a second, by what stands in the database. */
async function rateOf(name: string, each: number, hangingEach: number, forSeconds: number): Promise<number> {
  const { database, orders } = await filled(each, hangingEach)
  const { sql } = database.deps
  try {
    const side = await startSide(name, orders)
    await sql`vacuum analyze`
    await sql`checkpoint`
    const before = { sender: processorMs(side.child.pid), database: await databaseMs(sql) }
    const seconds = await side.run(forSeconds)
    const after = { sender: processorMs(side.child.pid), database: await databaseMs(sql) }
    const done = await succeeded(sql)
    await side.stop()
    noteCost({ sender: after.sender - before.sender, database: after.database - before.database, done })
    return done / seconds
  } finally {
    await database.drop()
  }
}

async function bareRate(): Promise<number> {
  const healthy = EACH * HEALTHY_SHOPS
  const side = await startSide('sender-bare', { databaseUrl: '', origin, secrets: { one: 'whsec_bench' }, healthy })
  const before = processorMs(side.child.pid)
  const seconds = await side.run(120)
  const sender = processorMs(side.child.pid) - before
  await side.stop()
  noteCost({ sender, database: 0, done: healthy })
  return healthy / seconds
}

// Processor time for each delivery varies less than the rate, which depends on who else wants the cores.
let cost = { sender: 0, database: 0 }
function noteCost(a: { sender: number; database: number; done: number }): void {
  cost = { sender: (a.sender * 1_000) / a.done, database: (a.database * 1_000) / a.done }
}

const rates = new Map<string, number[]>()
const note = (name: string, rate: number): void => {
  rates.set(name, [...(rates.get(name) ?? []), rate])
  const each = `${cost.sender.toFixed(0)} µs of processor time in the sender, ${cost.database.toFixed(0)} in PostgreSQL`
  console.log(`  ${name.padEnd(40)} ${rate.toFixed(0).padStart(7)} /s  ${each}`)
}
try {
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`round ${round} of ${ROUNDS}`)
    note('bare', await bareRate())
    for (const name of queues) note(name, await rateOf(name, EACH, 0, 120))
  }
  if (process.env.BENCH_HANGING !== 'no') {
    console.log('beside 20 receivers that hang')
    for (const name of queues) note(`${name} hanging`, await rateOf(name, EACH * 3, HANGING_EACH, HANGING_SECONDS))
  }
} finally {
  receiver.stop()
}

const rate = (name: string): number => median(rates.get(name) ?? [])
console.log(
  `\n${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}; medians of ${ROUNDS}`,
)
for (const name of rates.keys()) console.log(`${name.padEnd(42)} ${rate(name).toFixed(0).padStart(7)} /s`)
const ratio = (what: string, value: number, goal: number): boolean => {
  console.log(`${what.padEnd(60)} ${value.toFixed(2)}  (goal ${goal}: ${value >= goal ? 'reached' : 'MISSED'})`)
  return value >= goal
}
const better = (suffix: string): number =>
  Math.max(rate(`sender-pg-boss${suffix}`), rate(`sender-graphile-worker${suffix}`))
const reached = [
  ratio('Florin ÷ bare loop', rate('sender-florin') / rate('bare'), 0.55),
  ratio('Florin ÷ the better queue, healthy', rate('sender-florin') / better(''), 1),
  ratio('Florin ÷ the better queue, 20 hanging', rate('sender-florin hanging') / better(' hanging'), 5),
]
process.exitCode = verdict(reached)
