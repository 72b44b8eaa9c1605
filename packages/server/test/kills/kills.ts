// The killing of delivery workers, and of PostgreSQL under them, while deliveries go on: one run with as many kills
// as asked for, and what must hold at its end whatever was killed when.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Deps } from '../../src/deps.ts'
import { anEvent, aShop, eventually } from '../deliveries.ts'
import type { TestApiKey } from '../factories.ts'
import { type Answer, ok, type Receiver, receiver, status } from '../receiver.ts'
import type { WorkerOrders } from './worker-alone.ts'

/** A worker process that stands ready and has not begun. */
export async function standby(orders: WorkerOrders): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'worker-alone.ts'), [JSON.stringify(orders)])
  await once(child, 'message')
  return child
}

const gone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Leases of two seconds: 100 ms to start, 500 to send, 50 to gather, 1,000 to write, 300 of clock difference. */
export const SHORT_LEASE = {
  leaseMs: 2_000,
  startWithinMs: 100,
  flushBudgetMs: 1_000,
  slopMs: 300,
  slots: 16,
  pollMs: 50,
}
export const SHORT_TIMEOUT_MS = 500

export interface KillRun {
  kills: number
  /** Kills PostgreSQL and starts it again; called `postgresKills` times, spread over the run. */
  killPostgres?: () => Promise<void>
  postgresKills?: number
}

export interface KillReport {
  deliveries: number
  requests: number
  /** Requests for an attempt that had been sent before. */
  duplicates: number
  /** Those of them that no lost lease explains: of claims that PostgreSQL forgot. */
  unexplained: number
  kills: Record<string, number>
  seconds: number
}

/** Where a worker dies: in the statements of claim and flush, while it sends, after the answer, or whenever. */
const moments = ['claim', 'send', 'answered', 'flush', 'whenever'] as const

export async function killRun(t: TestContext, deps: Deps, databaseUrl: string, run: KillRun): Promise<KillReport> {
  const began = performance.now()
  let victim: ChildProcess | null = null
  let moment: (typeof moments)[number] = 'whenever'
  const strike = (): void => {
    victim?.kill('SIGKILL')
    victim = null
  }
  let count = 0
  // One request in five fails its first attempt; the victim of a "send" dies before the answer, of "answered" after it.
  const answer: Answer = (socket, request) => {
    count += 1
    const isDue = count % 7 === 0
    if (isDue && moment === 'send') return strike()
    const fails = request.headers['x-service-attempt'] === '1' && request.n % 5 === 0
    ;(fails ? status(500) : ok)(socket, request)
    if (isDue && moment === 'answered') setImmediate(strike)
  }
  const target = await receiver(t, {}, answer)
  const shops = [await aShop(deps), await aShop(deps), await aShop(deps)]
  const ids: string[] = []
  const kills: Record<string, number> = {}
  const orders = { databaseUrl, tuning: SHORT_LEASE, timeoutMs: SHORT_TIMEOUT_MS, retryWaitsMs: [50, 100, 100, 100] }
  const dieIn = (at: string) => (at === 'claim' || at === 'flush' ? at : undefined)

  let next = standby({ ...orders, dieIn: dieIn(moments[0]) })
  for (let n = 0; n < run.kills; n++) {
    moment = moments[n % moments.length] ?? 'whenever'
    const worker = await next
    // The one after it starts up meanwhile.
    next = standby({ ...orders, dieIn: dieIn(moments[(n + 1) % moments.length] ?? '') })
    ids.push(...(await someEvents(deps, shops, target, 12)))
    victim = worker
    worker.send('go')
    if (moment === 'whenever') setTimeout(strike, 20 + Math.random() * 150)
    await gone(worker)
    victim = null
    kills[moment] = (kills[moment] ?? 0) + 1
    const every = Math.ceil(run.kills / ((run.postgresKills ?? 0) + 1))
    if (run.killPostgres && (n + 1) % every === 0 && (kills.postgres ?? 0) < (run.postgresKills ?? 0)) {
      // Under a worker that is at it.
      const under = await next
      next = standby({ ...orders, dieIn: dieIn(moments[(n + 1) % moments.length] ?? '') })
      under.send('go')
      await run.killPostgres()
      kills.postgres = (kills.postgres ?? 0) + 1
      under.kill('SIGKILL')
      await gone(under)
    }
  }

  // The last one may live, and does all that is left.
  moment = 'whenever'
  const last = await next
  last.kill('SIGKILL')
  const survivor = await standby(orders)
  survivor.send('go')
  await eventually(
    async () => (await deps.sql<{ n: number }[]>`select count(*)::int as n from delivery_queue`)[0]?.n ?? -1,
    (left) => left === 0,
    // What was in hand again and again waits longer and longer.
    180_000,
  )
  survivor.kill('SIGTERM')
  await gone(survivor)
  const { duplicates, unexplained } = await judge(deps, ids, target)
  // A claim need not reach the disk: what PostgreSQL forgot with its death is in flight without a lease to tell of it.
  assert.ok(
    unexplained <= (kills.postgres ?? 0) * SHORT_LEASE.slots,
    `${unexplained} requests were made twice though no lease was lost`,
  )
  const seconds = Math.round((performance.now() - began) / 100) / 10
  return { deliveries: ids.length, requests: target.requests.length, duplicates, unexplained, kills, seconds }
}

async function someEvents(deps: Deps, shops: readonly TestApiKey[], target: Receiver, n: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: n }, (_, i) => anEvent(deps, shops[i % shops.length] as TestApiKey, target.url)),
  )
  return made.map((event) => event.deliveryId)
}

/**
 * What must hold however it came about.
 * @returns how many requests were made twice, and how many of those without a lease that ended under them.
 */
async function judge(
  deps: Deps,
  ids: readonly string[],
  target: Receiver,
): Promise<{ duplicates: number; unexplained: number }> {
  const rows = await deps.sql<{ id: string; status: string; attemptCount: number }[]>`
    select id, status, attempt_count as "attemptCount" from deliveries`
  assert.equal(rows.length, ids.length)
  const received = new Set(target.requests.map((request) => request.headers['x-service-delivery']))
  for (const id of ids) assert.ok(received.has(id), `${id} never arrived`)
  const unfinished = rows.filter((row) => row.status !== 'succeeded')
  assert.deepEqual(unfinished, [], 'every delivery ended as succeeded')
  const outcomes = await deps.sql<{ id: string; outcomes: number }[]>`
    select delivery_id as id, count(*)::int as outcomes from delivery_attempts
    where error is distinct from 'interrupted' group by delivery_id having count(*) > 5`
  assert.deepEqual([...outcomes], [], 'never more than five automatic outcomes')
  const spare = new Map<string, number>()
  const interrupted = await deps.sql<{ id: string; n: number; times: number }[]>`
    select delivery_id as id, n, count(*)::int as times from delivery_attempts
    where error = 'interrupted' group by delivery_id, n`
  for (const row of interrupted) spare.set(`${row.id} ${row.n}`, row.times)
  const seen = new Set<string>()
  let [duplicates, unexplained] = [0, 0]
  for (const { headers } of target.requests) {
    const attempt = `${headers['x-service-delivery']} ${headers['x-service-attempt']}`
    if (!seen.has(attempt)) {
      seen.add(attempt)
      continue
    }
    duplicates += 1
    const left = spare.get(attempt) ?? 0
    spare.set(attempt, left - 1)
    if (left <= 0) unexplained += 1
  }
  return { duplicates, unexplained }
}
