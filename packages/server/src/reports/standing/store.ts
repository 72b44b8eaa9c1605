// SQL of what stands in the queues, which their owners count. Each counts at most so many rows, by an index that holds only what is
// under way, so that counting costs the same however much was done before.
import type { Db } from '@florin/platform/db/tx'
import { mailQueue } from '@florin/platform/mail/claim'
import { factQueue } from '@florin/rail-kit/facts.store'
import { moveQueues } from '../../orders/figures.store.ts'
import { deliveryQueue } from '../../webhooks/late.store.ts'

/** A queue longer than this is long enough to be looked at. */
export const COUNTED_MAX = 20_000

/** A queue: how many wait, and since when the one that is due longest. */
export interface Queue {
  queue: string
  count: number
  since: Date | null
}

export const countQueues = (db: Db, now: Date): Promise<Queue[]> => db<Queue[]>`
  ${factQueue(db, COUNTED_MAX)} union all ${moveQueues(db, COUNTED_MAX)} union all ${deliveryQueue(db, COUNTED_MAX)}
  union all ${mailQueue(db, now, COUNTED_MAX)}`
