// Ends what time alone ends: requests made through the checkout link after a day, where nothing moves and the payer may
// ask again; and failed pushes that the contract no longer counts.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS, REFUND_APPROVAL_MS } from '@florin/protocol'
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
