// When the provider is asked about a swap again, and how urgent that is. Pure. The schedule says when a question is worth its
// cost; how many are put in a second is the budget's business, and where it is short the lower rank waits.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Swap } from './swaps.store.ts'

/**
 * 0: something is known to have happened; 1: a payer is at it, or money is under way; 2: it may be paid; 3: its time is over, or it
 * has ended.
 */
export type Rank = 0 | 1 | 2 | 3

export interface Next {
  /** null: nothing more can happen that matters. */
  dueAt: Date | null
  rank: Rank
}

export type Timed = Pick<
  Swap,
  | 'stage'
  | 'status'
  | 'createdAt'
  | 'payUntil'
  | 'returnsFrom'
  | 'watchUntil'
  | 'hotUntil'
  | 'claimedAt'
  | 'endedAt'
  | 'isProven'
  | 'proofKey'
>

/** How long a page that was open a moment ago counts as open. */
export const HOT_FOR_MS = 90 * SECOND_MS
const HOT_MS = 5 * SECOND_MS
const HOT_LATER_MS = 15 * SECOND_MS
const HOT_YOUNG_MS = 10 * MINUTE_MS
const MOVING_MS = 15 * SECOND_MS
/** The list of swaps reports a change within seconds: this question only makes sure. */
const QUIET_MS = 30 * MINUTE_MS
/** After the deadline a late deposit is still looked for, and comes back. */
const PAST_MS = HOUR_MS
const PAST_FROM_MS = 10 * MINUTE_MS
const FAILED_MS = HOUR_MS
const FAILED_FOR_MS = 7 * DAY_MS
/**
 * What has ended may turn out to have ended otherwise, for a week: asked about ever more rarely, seventeen times where it is said to have
 * gone back, and three times where it was paid out by the provider's word alone, since where nobody else can be asked all are.
 */
const ENDED_FOR_MS = 7 * DAY_MS
const ENDED = { returned: { leastMs: 10 * MINUTE_MS, times: 0.5 }, done: { leastMs: HOUR_MS, times: 5 } } as const
const CLAIMED_LEAST_MS = 30 * SECOND_MS
const CLAIMED_MOST_MS = 10 * MINUTE_MS
/** Most payouts are proven within it. */
const CLAIMED_FIRST_MS = 2 * MINUTE_MS
const MISS_FIRST_MS = 5 * SECOND_MS
const MISS_MOST_MS = 5 * MINUTE_MS

export function nextLook(swap: Timed, now: Date): Next {
  const after = (ms: number, rank: Rank): Next => ({ dueAt: new Date(now.getTime() + ms), rank })
  const ageMs = now.getTime() - swap.createdAt.getTime()
  switch (swap.stage) {
    case 'done':
    case 'returned': {
      if (isSure(swap) || swap.endedAt === null) return { dueAt: null, rank: 2 }
      const sinceMs = now.getTime() - swap.endedAt.getTime()
      const { leastMs, times } = ENDED[swap.stage]
      const waitMs = Math.max(leastMs, times * sinceMs)
      return sinceMs + waitMs > ENDED_FOR_MS ? { dueAt: null, rank: 2 } : after(waitMs, 3)
    }
    case 'failed':
      return now.getTime() < swap.returnsFrom.getTime() + FAILED_FOR_MS ? after(FAILED_MS, 2) : { dueAt: null, rank: 2 }
    case 'claimed': {
      // No payer waits: the money is out, and a second source has not shown it. Where there is none, these pile up.
      const sinceMs = now.getTime() - (swap.claimedAt ?? now).getTime()
      return after(between(CLAIMED_LEAST_MS, sinceMs / 8, CLAIMED_MOST_MS), sinceMs < CLAIMED_FIRST_MS ? 1 : 2)
    }
    case 'paid':
      return after(MOVING_MS, 1)
    default: {
      if (now >= swap.watchUntil) return failedUnheard(swap, now) ? after(FAILED_MS, 3) : { dueAt: null, rank: 2 }
      // Announced, or short of the amount: somebody waits.
      if (isUnderWay(swap)) return after(MOVING_MS, 1)
      if (swap.hotUntil !== null && now < swap.hotUntil) return after(ageMs < HOT_YOUNG_MS ? HOT_MS : HOT_LATER_MS, 1)
      const isPast = now.getTime() > swap.returnsFrom.getTime() + PAST_FROM_MS
      return isPast ? after(PAST_MS, 3) : after(QUIET_MS, 2)
    }
  }
}

/** A word for an end says nothing of money that was never told of: the address may be paid all the same. */
const isUnderWay = ({ status }: Pick<Timed, 'status'>): boolean =>
  !['PENDING_DEPOSIT', 'REFUNDED', 'FAILED'].includes(status)

const failedUnheard = ({ status, returnsFrom }: Timed, now: Date): boolean =>
  status === 'FAILED' && now.getTime() < returnsFrom.getTime() + FAILED_FOR_MS

/** Whether nothing that the provider says can matter any more: others saw the payout, or it was told of after a refund. */
export const isSure = (swap: Pick<Timed, 'stage' | 'isProven' | 'proofKey'>): boolean =>
  swap.stage === 'done' ? swap.isProven : swap.stage === 'returned' && swap.proofKey !== null

const between = (least: number, ms: number, most: number): number => Math.min(Math.max(ms, least), most)

/** Of all questions those that go by time alone, so that no rank starves another. */
export const BY_TIME = 0.2

/** Twice as long after each miss in a row, up to five minutes. */
export const afterMiss = (misses: number): number => Math.min(MISS_FIRST_MS * 2 ** Math.min(misses, 10), MISS_MOST_MS)

/**
 * Questions that may be put: never more than so many in any second, whoever caused them, so in no ten seconds more than ten
 * times as many. Nothing is saved up.
 */
export interface Pace {
  /** How many may be put now. */
  free(nowMs: number): number
  /** So many are put now. */
  put(nowMs: number, count: number): void
}

export function paced(perS: number): Pace {
  let puts: number[] = []
  const live = (nowMs: number): number[] => puts.filter((at) => nowMs - at < SECOND_MS)
  return {
    free: (nowMs) => Math.max(0, perS - live(nowMs).length),
    put(nowMs, count) {
      puts = [...live(nowMs), ...Array.from({ length: count }, () => nowMs)]
    },
  }
}

/** Whole questions of a share, also where only few may be put at once: over time it is neither more nor less. */
export function shared(share: number): (count: number) => number {
  let owed = 0
  return (count) => {
    owed += share * count
    const whole = Math.floor(owed + ROUNDING)
    owed -= whole
    return whole
  }
}
const ROUNDING = 1e-9
