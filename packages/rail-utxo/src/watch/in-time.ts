// Decides which moment a payment counts from. A miner sets the time of a header, and a node's clock may be wrong: neither makes a
// payment newer than our reading of it. Pure.

/**
 * @param a.announcedAt when it was first known outside a block, or in a block that left; null: never
 * @param a.readAt when its block was read here
 * @param a.lateAfter until when a rate is held for what was announced
 * @returns the announcement; without one the earlier of header and reading
 */
export function seenAtOf(a: { announcedAt: Date | null; headerTime: Date; readAt: Date; lateAfter: Date }): Date {
  const minedAt = earlierOf(a.headerTime, a.readAt)
  if (a.announcedAt === null) return minedAt
  // What waited for more than the day it had comes when its block does: a rate is held for a day, not for ever.
  if (minedAt > a.lateAfter) return a.announcedAt > minedAt ? a.announcedAt : minedAt
  return a.announcedAt
}

/**
 * When a transaction entered the mempool.
 * @param a.told by the node's clock; null: the node does not know
 * @param a.since when the mempool was last read to its end without it; null: never
 */
export function enteredAt(a: { told: Date | null; readAt: Date; since: Date | null }): Date {
  if (a.told === null || a.told > a.readAt) return a.readAt
  const isBefore = a.since !== null && a.since <= a.readAt && a.told < a.since
  return isBefore && a.since !== null ? a.since : a.told
}

export const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other)
