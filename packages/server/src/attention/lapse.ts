// Ends what time alone ends: requests made through the checkout link after a day, where nothing moves and the payer may
// ask again; and failed pushes that the contract no longer counts.
import { MINUTE_MS, REFUND_APPROVAL_MS } from '@florin/protocol'
import type { Clock } from '../platform/clock.ts'
import type { Sql } from '../platform/db/pool.ts'
import type { Job } from '../platform/worker/job.ts'
import { lapseItems } from './store.ts'

export function attentionJob(deps: { sql: Sql; clock: Clock }): Job {
  return {
    name: 'lapse-attention',
    everyMs: MINUTE_MS,
    run: () => {
      const now = deps.clock.now()
      return lapseItems(deps.sql, { now, approvalsBefore: new Date(now.getTime() - REFUND_APPROVAL_MS) })
    },
  }
}
