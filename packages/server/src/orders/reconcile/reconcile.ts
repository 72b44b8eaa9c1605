// The looks that orders have of their own: soon after an order closed or changed, once more when what closed it is final, and while
// a difference is open. Several workers share them; each look is leased by one.
import { type Check, fault } from '@florin/platform/check'
import { claimTasks } from '@florin/platform/tasks/store'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { lookAt, type ReconcileDeps } from './look.ts'
import * as metrics from './metrics.ts'
import * as store from './store.ts'

/** Some 800 balances: one or two calls to a node for each chain. */
export const BATCH = 250
const EVERY_MS = 15 * SECOND_MS
export const LEASE_MS = 2 * MINUTE_MS

export function reconcileJob(deps: ReconcileDeps): Job {
  let checks: readonly Check[] = []
  return {
    name: store.RECONCILE,
    everyMs: EVERY_MS,
    checks: () => checks,
    async run() {
      const did = await reconcileDue(deps)
      const { differences, behindS } = await store.readProgress(deps.sql, deps.clock.now())
      metrics.differences.set(Number(differences))
      const summary = `${differences} differences between books and chain are open.`
      checks = Number(differences) === 0 ? [] : [fault('books', summary, 'docs/operations.md#florinbooksdiffer')]
      metrics.behind.set(behindS)
      return did
    },
  }
}

/** One batch. @returns how many orders were due. */
export async function reconcileDue(deps: ReconcileDeps, limit = BATCH): Promise<number> {
  const now = deps.clock.now()
  const tasks = await claimTasks<store.OwnLook>(deps.sql, store.RECONCILE, { now, leaseMs: LEASE_MS, limit })
  if (tasks.length === 0) return 0
  const due = await store.listOrders(
    deps.sql,
    tasks.map(({ subject }) => subject),
  )
  const { planned } = await lookAt(deps, due, now)
  await store.plan(deps.sql, tasks, planned, now)
  return tasks.length
}
