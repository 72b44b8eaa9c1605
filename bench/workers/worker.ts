// A worker of the benchmark does the kind of work that it is sent until nothing is left, and reports the result.
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { databaseClock } from '../../packages/platform/src/clock.ts'
import { openPool, type Sql } from '../../packages/platform/src/db/pool.ts'
import { makeSecrets } from '../../packages/platform/src/secrets.ts'
import { makeRails } from '../../packages/rail-kit/src/registry.ts'
import { sandboxRail } from '../../packages/rail-kit/src/sandbox/rail.ts'
import { orderEffects } from '../../packages/server/src/effects.ts'
import type { OrderDeps } from '../../packages/server/src/orders/advance.ts'
import { expireDue } from '../../packages/server/src/orders/expire.ts'
import { factRounds } from '../../packages/server/src/orders/inbox/inbox.ts'
import { makeWakes } from '../../packages/server/src/wakes.ts'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { testConfig } from '../../packages/server/test/harness.ts'
import { through } from '../../packages/server/test/kills/through.ts'

export interface Report {
  /** Facts applied, or orders looked at. */
  did: number
  /** Orders that were locked. */
  locks: number
  statements: number
  /** Processor time of the worker, in milliseconds. */
  processorMs: number
}

const NODE_MS = 100
const REST_MS = 20
const nothing: Report = { did: 0, locks: 0, statements: 0, processorMs: 0 }
let report: Report = { ...nothing }

/** As many connections as a process with MODE=worker has for its jobs. */
const pool = openPool({ url: process.env.BENCH_DATABASE ?? '', max: 12, applicationName: 'bench worker' })
const sql: Sql = through(pool, async ({ text }, run) => {
  const rows = await run()
  report.statements++
  if (/ from orders .*for update/s.test(text)) report.locks += rows.length
  return rows
})
const deps: OrderDeps = {
  ...{ sql, clock: await databaseClock(pool), config: testConfig(), log: pino({ level: 'error' }) },
  ...{ secrets: makeSecrets(MASTER_KEY), wake: makeWakes(), effects: orderEffects },
  rails: makeRails([{ ...sandboxRail({ sql }), recheck: () => wait(NODE_MS) }]),
}

const kinds: Record<string, () => Promise<void>> = {
  async facts() {
    const round = factRounds(deps)
    for (;;) {
      const did = await round()
      report.did += did
      if (did > 0) continue
      // The last orders may be another worker's. A job that found nothing rests for longer.
      if ((await pool`select from rail_facts limit 1`).length === 0) return
      await wait(REST_MS)
    }
  },
  async nodes() {
    for (let did = 1; did > 0; ) {
      did = await expireDue(deps)
      report.did += did
    }
  },
}

process.on('disconnect', () => process.exit(1))
process.on('message', async (kind: string) => {
  report = { ...nothing }
  const before = process.cpuUsage()
  await kinds[kind]?.()
  const { user, system } = process.cpuUsage(before)
  report.processorMs = (user + system) / 1_000
  process.send?.(report)
})
process.send?.('ready')
