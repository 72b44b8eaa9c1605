// Ends what time alone ends: requests made through the checkout link after a day, where nothing moves and the payer may
// ask again; and failed pushes that the contract no longer counts.
import { MINUTE_MS, REFUND_APPROVAL_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import type { Job } from '../platform/worker/loop.ts'
import { lapseItems } from './store.ts'

export function attentionJob(deps: Pick<Deps, 'sql' | 'clock'>): Job {
  return {
    name: 'lapse-attention',
    everyMs: MINUTE_MS,
    run: () => {
      const now = deps.clock.now()
      return lapseItems(deps.sql, { now, approvalsBefore: new Date(now.getTime() - REFUND_APPROVAL_MS) })
    },
  }
}
