// Background jobs of orders: rail facts, the rail outbox, expiry, deletion of old idempotency keys.
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import type { OrderDeps } from './advance.ts'
import { deleteOldKeys } from './create/create.store.ts'
import { expireDue } from './expire.ts'
import { factRounds } from './inbox/inbox.ts'
import { looksJob } from './looks/looks.ts'
import { ownRefundJob } from './own-refunds/watch.ts'
import { handOver } from './rail-outbox.ts'
import { reconcileJob } from './reconcile/reconcile.ts'
import { roundsJob } from './reconcile/rounds.ts'
import { stuckJob } from './stuck/stuck.ts'
import { orderMailJob } from './tell/order-mails.ts'

export function orderJobs(deps: OrderDeps): Job[] {
  return [
    {
      name: 'fact-inbox',
      everyMs: SECOND_MS,
      run: factRounds(deps),
      wakeOn: (wake) => deps.wake.facts.on(wake),
    },
    {
      name: 'rail-outbox',
      everyMs: SECOND_MS,
      run: () => handOver(deps),
      wakeOn: (wake) => deps.wake.handOvers.on(wake),
    },
    reconcileJob(deps),
    roundsJob(deps),
    stuckJob(deps),
    orderMailJob(deps),
    looksJob(deps),
    ownRefundJob(deps),
    { name: 'expire', everyMs: SECOND_MS, run: () => expireDue(deps) },
    { name: 'forget-idempotency-keys', everyMs: HOUR_MS, run: () => deleteOldKeys(deps.sql, deps.clock.now()) },
  ]
}
