// A process that delivers webhooks and does nothing else: for tests that kill, stop and mislead it. Forked by
// kills.ts with its orders as JSON; it says "ready" when it stands and begins at "go".
import { type Clock, databaseClock } from '@florin/platform/clock'
import { openPool, type Sql } from '@florin/platform/db/pool'
import { makeSecrets } from '@florin/platform/secrets'
import { startJobs } from '@florin/platform/worker/loop'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { makeWakes } from '../../src/wakes.ts'
import { webhookJobs } from '../../src/webhooks/jobs.ts'
import { type Tuning, tuning } from '../../src/webhooks/queue/tuning.ts'
import { MASTER_KEY } from '../deploy/master-keys.ts'

export interface WorkerOrders {
  databaseUrl: string
  tuning: Partial<Tuning>
  timeoutMs: number
  retryWaitsMs: readonly number[]
  /** Ends itself by SIGKILL in the middle of the first statement of this kind. */
  dieIn?: 'claim' | 'flush' | undefined
  /** By how much the clock of this machine is wrong. */
  skewMs?: number
}

const statements = { claim: 'with picked as', flush: 'with r as' }

/** Passes statements on; the chosen one is sent, and the process dies a moment later. */
function dying(sql: Sql, dieIn: 'claim' | 'flush' | undefined): Sql {
  if (dieIn === undefined) return sql
  const die = (): void => void setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 4)
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      apply(callable, self, args: unknown[]) {
        if (Array.isArray(args[0]) && String(args[0][0]).includes(statements[dieIn])) die()
        return Reflect.apply(callable as unknown as (...a: unknown[]) => unknown, self, args)
      },
      get(object, name) {
        if (name === 'apart') {
          return (...args: Parameters<Sql['apart']>): Sql => wrap((object as unknown as Sql).apart(...args))
        }
        if (name !== 'begin') return Reflect.get(object, name) as unknown
        return (work: (tx: unknown) => Promise<unknown>) => (object as unknown as Sql).begin((tx) => work(wrap(tx)))
      },
    })
  return wrap(sql)
}

/** The wall clock of this process runs ahead or behind; the monotonic one does not. */
function mislead(skewMs: number): void {
  const real = Date.now.bind(Date)
  const Real = globalThis.Date
  Date.now = () => real() + skewMs
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [real() + skewMs] : args) as object,
  })
}

/** The database may be down just now: killed by the same test. */
async function firstClock(sql: Sql): Promise<Clock> {
  for (;;) {
    const clock = await databaseClock(sql).catch(() => null)
    if (clock !== null) return clock
  }
}

async function main(orders: WorkerOrders): Promise<void> {
  if (orders.skewMs !== undefined) mislead(orders.skewMs)
  const sql = dying(openPool({ url: orders.databaseUrl, max: 6, applicationName: 'worker alone' }), orders.dieIn)
  const clock = await firstClock(sql)
  // Not the harness: it brings the whole app along, and a worker is to be there in a quarter of a second.
  const config = {
    ...readConfig({ MASTER_KEY, FX_SOURCES: 'fixed' }, []),
    ...{ webhookTimeoutMs: orders.timeoutMs, webhookRetryWaitsMs: orders.retryWaitsMs },
  }
  const deps = {
    ...{
      sql,
      clock,
      config,
      log: pino({ level: process.env.WORKER_LOG ?? 'silent' }),
      secrets: makeSecrets(MASTER_KEY),
    },
    wake: makeWakes(),
  }
  process.once('message', () => {
    const jobs = startJobs(webhookJobs(deps, { ...tuning, ...orders.tuning }), deps)
    process.once('SIGTERM', async () => {
      await jobs.stop()
      await sql.end({ timeout: 2 })
      process.exit(0)
    })
  })
  process.on('disconnect', () => process.exit(1))
  process.send?.('ready')
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]) as WorkerOrders)
