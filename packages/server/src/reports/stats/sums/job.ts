// Keeps the sums of orders and deliveries: adds up what commits left, and compares day after day with the rows.
import type { Sql } from '@florin/platform/db/pool'
import { metrics } from '@florin/platform/metrics'
import type { Job, Log } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { Counter } from 'prom-client'
import { foldChanges, listSummedDays, repairDay, type Summed } from './store.ts'

const CHANGES = 5_000
const DAYS = 50

const differences = new Counter({
  name: 'florin_statistics_differences_total',
  help: 'Sums of statistics that were not what the orders say; each was put right',
  registers: [metrics],
})

type SumsDeps = { sql: Sql; log: Log }

export const sumsJobs = (deps: SumsDeps): Job[] => [
  { name: 'sum-orders', everyMs: 5 * SECOND_MS, run: () => foldChanges(deps.sql, CHANGES) },
  { name: 'check-sums', everyMs: 10 * MINUTE_MS, run: checkSums(deps) },
]

/** A few days a run, round and round; what differs is put right and said. */
function checkSums(deps: SumsDeps): () => Promise<number> {
  let after: Summed | null = null
  return async () => {
    const days = await listSummedDays(deps.sql, after, DAYS)
    for (const day of days) {
      const repaired = await repairDay(deps.sql, day)
      if (repaired === 0) continue
      differences.inc(repaired)
      deps.log.error({ ...day, repaired }, 'sums of statistics were not what the orders say and were put right')
    }
    after = days.at(-1) ?? null
    return 0
  }
}
