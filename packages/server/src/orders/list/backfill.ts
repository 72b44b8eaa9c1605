// Adds orders from before the look-up to it, newest first, a few thousand at a time. It may end at any point: how far it came is
// committed with what it added, and lists read what is older order by order.
import { SECOND_MS } from '@florin/protocol'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import type { Job, Log } from '../../platform/worker/job.ts'
import { insertLookup, lockBackfill, moveBackfill } from './backfill.store.ts'
import { insertEarly, isEarly } from './early.store.ts'

const BATCH = 2_000

/** @returns how many orders were added. */
export async function fillLookup(deps: { sql: Sql; log: Log }): Promise<number> {
  return withTx(deps.sql, async (tx) => {
    const below = await lockBackfill(tx)
    if (below === null) return 0
    const orders = await insertLookup(tx, { below, limit: BATCH })
    for (const order of orders.filter(isEarly)) await insertEarly(tx, order)
    const last = orders.at(-1)
    await moveBackfill(tx, { position: orders.length < BATCH ? null : (last?.orderNo ?? null), more: orders.length })
    if (orders.length < BATCH) deps.log.info('every order can be searched by its words and metadata')
    return orders.length
  })
}

export const lookupJob = (deps: { sql: Sql; log: Log }): Job => ({
  name: 'fill-order-lookup',
  everyMs: 60 * SECOND_MS,
  run: () => fillLookup(deps),
})
