// Rate limit of one checkout, per process: a first defence against a runaway page. Limits that protect money are in the
// database: what each browser can open of an order is bounded.
import { MINUTE_MS } from '@florin/protocol'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'

export const ACTS_PER_MINUTE = 30

/** Searches of the network, which ask nodes. */
export const LOOKS_PER_MINUTE = 2

/** Checkouts remembered; when there are more, those of the oldest minute are evicted. */
const REMEMBERED_MAX = 10_000

/** @returns a function that counts an act on an order. @throws AppError rate_limited */
export function makeActLimit(clock: Clock, max = ACTS_PER_MINUTE): (orderNo: string) => void {
  const counts = new Map<string, { since: number; acts: number }>()
  return (orderNo) => {
    const now = clock.now().getTime()
    const known = counts.get(orderNo)
    const isFresh = known === undefined || now - known.since >= MINUTE_MS
    const count = isFresh ? { since: now, acts: 0 } : known
    if (count.acts >= max) {
      throw new AppError('rate_limited', { retryAfterS: (count.since + MINUTE_MS - now) / 1000 })
    }
    count.acts++
    // Moved to the end: the map is ordered by when counting began.
    if (isFresh) counts.delete(orderNo)
    counts.set(orderNo, count)
    for (const oldest of counts.keys()) {
      if (counts.size <= REMEMBERED_MAX) break
      counts.delete(oldest)
    }
  }
}
