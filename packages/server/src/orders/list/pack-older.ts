// Writes what hangs on orders that closed before their rows said it into their rows, newest first, a few hundred at a time and a
// quarter of the time. It may end at any point: how far it came is committed with what it packed.
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS } from '@florin/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import type { Job, Log } from '../../platform/worker/job.ts'
import { lockUnpacked, mayPack, packOrders } from './pack.store.ts'
import { listUnpacked, lockPacking, movePacking } from './pack-older.store.ts'

const BATCH = 200
const SHARE = 0.25

type PackDeps = { sql: Sql; clock: Clock; log: Log }

/** One step. @returns how many orders it was done with; null: nothing is left, or it is not yet time. */
export async function packOlder(deps: PackDeps, batch = BATCH): Promise<number | null> {
  return withTx(deps.sql, async (tx) => {
    const below = await lockPacking(tx)
    if (below === null || !(await mayPack(tx, deps.clock.now()))) return null
    const { numbers, reached } = await listUnpacked(tx, { below, limit: batch })
    const packed = await packOrders(tx, await lockUnpacked(tx, numbers))
    await movePacking(tx, { position: reached, more: packed })
    if (reached === null) deps.log.info('every closed order says all of itself in its row')
    return packed
  })
}

export const packOlderJob = (deps: PackDeps): Job => ({
  name: 'pack-older-orders',
  everyMs: MINUTE_MS,
  async run(signal) {
    const began = performance.now()
    if ((await packOlder(deps)) === null) return 0
    const restMs = ((performance.now() - began) * (1 - SHARE)) / SHARE
    // Told to stop it ends at once, and goes on with the next start.
    await wait(restMs, undefined, { signal }).catch(() => undefined)
    return 1
  },
})
