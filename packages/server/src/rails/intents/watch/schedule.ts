// When the provider is asked about a swap again, and how urgent that is. Pure. The schedule says when a question is worth its
// cost; how many are put in a second is the budget's business, and where it is short the lower rank waits.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Swap } from './swaps.store.ts'

/** 0: something is known to have happened; 1: a payer is at it, or money is under way; 2: the others. */
export type Rank = 0 | 1 | 2

export interface Next {
  /** null: nothing more can happen that matters. */
  dueAt: Date | null
  rank: Rank
}

export type Timed = Pick<
  Swap,
  'stage' | 'status' | 'createdAt' | 'payUntil' | 'returnsFrom' | 'watchUntil' | 'hotUntil' | 'claimedAt'
>

const HOT_MS = 5 * SECOND_MS
const HOT_LATER_MS = 15 * SECOND_MS
const HOT_FOR_MS = 10 * MINUTE_MS
const MOVING_MS = 15 * SECOND_MS
/** After the deadline a late deposit is still looked for, and comes back. */
const PAST_MS = 10 * MINUTE_MS
const PAST_FROM_MS = 10 * MINUTE_MS
const FAILED_MS = HOUR_MS
const FAILED_FOR_MS = 7 * DAY_MS
const CLAIMED_SOON_MS = 30 * SECOND_MS
const CLAIMED_LATER_MS = 10 * MINUTE_MS
const CLAIMED_SOON_FOR_MS = 30 * MINUTE_MS
const MISS_FIRST_MS = 5 * SECOND_MS
const MISS_MOST_MS = 5 * MINUTE_MS

/** @param hasFeed the list of swaps tells of changes within seconds: single questions only make sure. */
export function nextLook(swap: Timed, now: Date, hasFeed: boolean): Next {
  const after = (ms: number, rank: Rank): Next => ({ dueAt: new Date(now.getTime() + ms), rank })
  const ageMs = now.getTime() - swap.createdAt.getTime()
  switch (swap.stage) {
    case 'done':
    case 'returned':
      return { dueAt: null, rank: 2 }
    case 'failed':
      return now.getTime() < swap.returnsFrom.getTime() + FAILED_FOR_MS ? after(FAILED_MS, 2) : { dueAt: null, rank: 2 }
    case 'claimed': {
      const sinceMs = now.getTime() - (swap.claimedAt ?? now).getTime()
      return after(sinceMs < CLAIMED_SOON_FOR_MS ? CLAIMED_SOON_MS : CLAIMED_LATER_MS, 1)
    }
    case 'paid':
      return after(MOVING_MS, 1)
    default: {
      if (now >= swap.watchUntil) return { dueAt: null, rank: 2 }
      // Announced, or short of the amount: somebody waits.
      if (swap.status !== 'PENDING_DEPOSIT') return after(MOVING_MS, 1)
      if (swap.hotUntil !== null && now < swap.hotUntil) return after(ageMs < HOT_FOR_MS ? HOT_MS : HOT_LATER_MS, 1)
      if (now.getTime() > swap.returnsFrom.getTime() + PAST_FROM_MS) return after(hasFeed ? 6 * PAST_MS : PAST_MS, 2)
      if (hasFeed) return after(30 * MINUTE_MS, 2)
      return after(ageMs < 10 * MINUTE_MS ? 15 * SECOND_MS : ageMs < HOUR_MS ? 30 * SECOND_MS : MINUTE_MS, 2)
    }
  }
}

/** Twice as long after each miss in a row, up to five minutes. */
export const afterMiss = (misses: number): number => Math.min(MISS_FIRST_MS * 2 ** Math.min(misses, 10), MISS_MOST_MS)

/** Questions that may be put: refilled evenly, and never more saved up than a second's worth. */
export interface Budget {
  tokens: number
  at: number
}

export function refilled(budget: Budget, nowMs: number, perS: number): Budget {
  const sinceMs = Math.max(0, nowMs - budget.at)
  return { tokens: Math.min(perS, budget.tokens + (sinceMs * perS) / 1000), at: Math.max(nowMs, budget.at) }
}
