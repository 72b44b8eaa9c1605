// Expires requests made through the checkout link after a day: nothing moves, and the payer may ask again.
import { MINUTE_MS, REFUND_APPROVAL_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import type { Job } from '../platform/worker/loop.ts'
import { lapseApprovals } from './store.ts'

export function attentionJob(deps: Pick<Deps, 'sql' | 'clock'>): Job {
  return {
    name: 'lapse-approvals',
    everyMs: MINUTE_MS,
    run: () => {
      const now = deps.clock.now()
      return lapseApprovals(deps.sql, { now, before: new Date(now.getTime() - REFUND_APPROVAL_MS) })
    },
  }
}
