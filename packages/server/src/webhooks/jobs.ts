// The background jobs of webhooks and their intervals. Any number of processes run them side by side.
import { newId } from '@florin/platform/ids'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { endpointJobs } from './endpoints/deaths.ts'
import { sequencerJob } from './feed/sequencer.ts'
import { stepReplay } from './log/replay.ts'
import * as metrics from './metrics.ts'
import { type DeliverDeps, type DeliveryWorker, deliveryWorker } from './queue/deliver.ts'
import { beat, lastBeat } from './queue/heartbeat.store.ts'
import { indexed } from './queue/indexed.store.ts'
import { promoteDue, reapExpired } from './queue/reap.store.ts'
import { watchTransactions } from './queue/transactions.ts'
import { type Tuning, tuning as usual } from './queue/tuning.ts'
import { retentionJobs } from './retention.ts'

/** @param tuning overrides for tests of what happens when leases end. */
export function webhookJobs(deps: DeliverDeps, tuning: Tuning = usual): Job[] {
  const worker = deliveryWorker(deps, tuning)
  return [
    worker,
    promoteJob(deps),
    reapJob(deps, tuning),
    heartbeatJob(deps, worker, tuning),
    sequencerJob(deps),
    { name: 'replay-deliveries', everyMs: SECOND_MS, run: () => stepReplay(deps) },
    { name: 'old-transactions', everyMs: MINUTE_MS, run: () => watchTransactions(deps) },
    ...endpointJobs(deps),
    ...retentionJobs(deps),
  ]
}

/** Due retries come at most this much late. */
function promoteJob(deps: DeliverDeps): Job {
  return {
    name: 'promote-deliveries',
    everyMs: 250,
    async run() {
      const promoted = await indexed(deps.sql, (tx) => promoteDue(tx, deps.clock.now()))
      if (promoted > 0) deps.wake.deliveries.fire()
      return promoted
    },
  }
}

function reapJob(deps: DeliverDeps, tuning: Tuning): Job {
  return {
    name: 'reap-deliveries',
    everyMs: tuning.leaseMs / 6,
    async run() {
      const now = deps.clock.now()
      const rows = await indexed(deps.sql, (tx) => reapExpired(tx, { now, leaseMs: tuning.leaseMs }))
      if (rows.length === 0) return 0
      metrics.reaped.inc(rows.length)
      deps.log.warn({ deliveries: rows.length }, 'deliveries were reclaimed from a dead worker')
      for (const row of rows.filter((each) => each.dead)) {
        metrics.dead.inc()
        deps.log.error({ delivery: row.id }, 'a delivery was in flight each time a worker died; given up')
      }
      deps.wake.deliveries.fire()
      return rows.length
    },
  }
}

function heartbeatJob(deps: DeliverDeps, worker: DeliveryWorker, tuning: Tuning): Job {
  const id = newId('wrk', deps.clock.now())
  return {
    name: 'delivery-heartbeat',
    everyMs: 5 * SECOND_MS,
    async run() {
      worker.observe()
      const now = deps.clock.now()
      worker.setWorkers(await beat(deps.sql, { id, now, slots: tuning.slots, inFlight: worker.inFlight() }))
      return 0
    },
    end: () => lastBeat(deps.sql, id),
  }
}
