// Warns about transactions that stay open: claims skip over dead rows that cannot be vacuumed meanwhile, so they get
// slower by the minute, and nothing in the queue itself shows why.
import type { Clock } from '@florin/platform/clock'
import { oldestTransaction } from '@florin/platform/db/oldest-transaction'
import type { Sql } from '@florin/platform/db/pool'
import type { Log } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import * as metrics from '../metrics.ts'

/** None of ours takes a hundredth of this; a backup may take it. */
const ALARM_MS = 10 * MINUTE_MS

/** Updates the gauge and logs a warning, on each run, while a transaction has been open for too long. */
export async function watchTransactions(deps: { sql: Sql; clock: Clock; log: Log }): Promise<number> {
  const oldest = await oldestTransaction(deps.sql)
  const openMs = oldest === null ? 0 : Math.max(0, deps.clock.now().getTime() - oldest.began.getTime())
  metrics.oldestTransaction.set(openMs / SECOND_MS)
  if (oldest !== null && openMs >= ALARM_MS) {
    deps.log.warn(
      { seconds: Math.round(openMs / SECOND_MS), pid: oldest.pid, connection: oldest.name },
      'a long-open transaction holds back vacuum and slows down every queue; find its owner or end it',
    )
  }
  return 0
}
