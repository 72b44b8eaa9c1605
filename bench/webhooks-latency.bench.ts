// How long after its commit an event reaches its receiver, on a clock that both ends share. First while nothing else is
// to be done; then 50 events a second for one healthy receiver, beside merchants whose work keeps the machine busy: once
// all of them healthy, once with 20 receivers that hang and one merchant who has 500,000 deliveries waiting. Events come
// at their times whether or not those before have arrived. The one who commits and the worker are two processes.
import { availableParallelism, cpus } from 'node:os'
import { passWakesOn } from '../packages/server/src/webhooks/notify.ts'
import { aBacklog, anEvent } from '../packages/server/test/deliveries.ts'
import type { TestApiKey } from '../packages/server/test/factories.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase, shops } from './webhooks/database.ts'
import { machineMs, startReceiver } from './webhooks/receiver.ts'
import { startSide } from './webhooks/side.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? orSmoke(30, 0.5))
const NEIGHBOUR = Number(process.env.BENCH_NEIGHBOUR ?? orSmoke(500_000, 200))
const HANGING = 20
const HANGING_EACH = orSmoke(1_000, 2)
const A_SECOND = 50
/** The first seconds of a run in which caches are cold and caps are learned. */
const WARM_SECONDS = orSmoke(5, 0.2)
/** Longest wait for the last events. */
const WAIT_SECONDS = 20

const receiver = await startReceiver()
const origin = `http://127.0.0.1:${receiver.port}`
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Load {
  shop: TestApiKey
  rows: number
  path: string
}

interface Latency {
  median: number
  p99: number
}

/** `loadsOf`: what else waits when it begins. `gapMs`: from one event to the next. */
async function latency(
  name: string,
  loadsOf: (shops: readonly TestApiKey[]) => Load[],
  gapMs: () => number,
): Promise<Latency> {
  const database = await benchDatabase()
  const { deps } = database
  const { sql } = deps
  const [observed, ...others] = await shops(deps, 1 + HANGING + 1)
  if (observed === undefined) throw new Error('no shop')
  const runAt = deps.clock.now()
  for (const [n, { shop, rows, path }] of loadsOf(others).entries()) {
    const event = { ...(await anEvent(deps, shop, origin + path)), shop, url: origin + path }
    await aBacklog(sql, { rows, firstTenant: 1_000 + n, tenants: 1, lanesEach: 1, runAt }, event)
  }
  const secrets = Object.fromEntries([observed, ...others].map((shop) => [shop.id, shop.webhookSecret]))
  const side = await startSide('sender-florin', { databaseUrl: database.url, origin, secrets, healthy: 0 })
  await sql`vacuum analyze`
  await sql`checkpoint`
  const stopPassing = passWakesOn(deps)
  const running = side.run(WARM_SECONDS + SECONDS + WAIT_SECONDS).catch(() => undefined)
  await pause(WARM_SECONDS * 1000)

  const committed = new Map<string, number>()
  const arrived = new Map<string, number>()
  const collect = async (): Promise<number> => {
    const { requests, timed } = await receiver.ask()
    for (const [n, at] of timed) arrived.set(n, at)
    return requests
  }
  const commit = async (n: number): Promise<void> => {
    await anEvent(deps, observed, `${origin}/timed/${name}-${n}`)
    committed.set(`${name}-${n}`, machineMs())
    deps.wake.deliveries.fire()
  }
  const before = await collect()
  const commits: Promise<void>[] = []
  const began = machineMs()
  for (let n = 0, at = 0; at < SECONDS * 1000; n++, at += gapMs()) {
    const waitMs = began + at - machineMs()
    if (waitMs > 0) await pause(waitMs)
    commits.push(commit(n))
  }
  await Promise.all(commits)
  const rate = ((await collect()) - before) / ((machineMs() - began) / 1000)
  for (let i = 0; i < WAIT_SECONDS * 10 && arrived.size < committed.size; i++) {
    await pause(100)
    await collect()
  }
  stopPassing()
  await side.stop()
  await running
  await database.drop()
  if (arrived.size < committed.size) throw new Error(`${committed.size - arrived.size} events did not arrive`)
  const sorted = [...committed].map(([n, at]) => Math.max(0, (arrived.get(n) ?? 0) - at)).sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  console.log(
    `${name.padEnd(12)} ${sorted.length} events: median ${at(0.5).toFixed(1)} ms, 90th ${at(0.9).toFixed(1)}, ` +
      `99th ${at(0.99).toFixed(1)}, worst ${(sorted.at(-1) ?? 0).toFixed(1)}; ${rate.toFixed(0)} requests/s in all`,
  )
  return { median: at(0.5), p99: at(0.99) }
}

const steady = (): number => 1000 / A_SECOND
const healthyLoads = (others: readonly TestApiKey[]): Load[] =>
  others.map((shop) => ({
    shop,
    rows: Math.round((NEIGHBOUR + HANGING * HANGING_EACH) / others.length),
    path: '/hook',
  }))
const hardLoads = ([neighbour, ...others]: readonly TestApiKey[]): Load[] => [
  ...(neighbour ? [{ shop: neighbour, rows: NEIGHBOUR, path: '/hook' }] : []),
  ...others.map((shop, n) => ({ shop, rows: HANGING_EACH, path: `/hang/${n}` })),
]

const only = process.env.BENCH_ONLY
const none = { median: 0, p99: 0 }
const run = (name: string, ...rest: [typeof healthyLoads, () => number]): Promise<Latency> =>
  only === undefined || only === name ? latency(name, ...rest) : Promise.resolve(none)
let idle = none
let healthy = none
let hard = none
try {
  idle = await run(
    'idle',
    () => [],
    () => 50 + Math.random() * 100,
  )
  healthy = await run('all-healthy', healthyLoads, steady)
  hard = await run('beside-hard', hardLoads, steady)
} finally {
  receiver.stop()
}
console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`)
const goal = (what: string, value: number, most: number, unit = ' ms'): boolean => {
  const verdict = value <= most ? 'reached' : 'MISSED'
  console.log(`${what.padEnd(52)} ${value.toFixed(unit === '' ? 2 : 1)}${unit}  (goal ${most}${unit}: ${verdict})`)
  return value <= most
}
const reached = [
  goal('idle, median', idle.median, 20),
  goal('idle, 99th', idle.p99, 100),
  goal('99th beside hanging ones and a backlog', hard.p99, 250),
  goal('99th beside those ÷ 99th beside healthy ones', hard.p99 / healthy.p99, 2, ''),
]
process.exitCode = verdict(reached)
