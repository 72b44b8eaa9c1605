// When the provider is asked about a swap again, and how urgent that is. Pure. The schedule says when a question is worth its
// cost; how many are put in a second is the budget's business, and where it is short the lower rank waits.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { SEEN_SHARE } from '../sight/rules.ts'
import type { Load } from './load.store.ts'
import type { Swap } from './swaps.store.ts'

/**
 * 0: something is known to have happened; 1: a payer is at it, or money is under way; 2: it may be paid; 3: its time is over, it
 * has ended, or nodes of its chain look at it.
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
/** What nobody is at: asked about after a part of the time that nothing happened, which is the same for all. */
export const QUIET_LEAST_MS = 15 * SECOND_MS
export const QUIET_MOST_MS = HOUR_MS
/** Added to that time, so that what has just become quiet is not asked about all the time. */
export const QUIET_FROM_MS = MINUTE_MS
const FED_MS = 30 * MINUTE_MS
const LOOKED_MS = 30 * MINUTE_MS
/** After the deadline a late deposit is still looked for, and comes back. */
const PAST_MS = 10 * MINUTE_MS
const PAST_FED_MS = HOUR_MS
const PAST_MOST_MS = 6 * HOUR_MS
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

export interface Around {
  /** The list of swaps tells of changes within seconds: single questions only make sure. */
  hasFeed: boolean
  /** Nodes of the payer's chain look at its address: the same, behind all that nobody looks at. */
  isLooked: boolean
  /** Of the time that nothing happened, when to look again. */
  stretch: number
}

export function nextLook(swap: Timed, now: Date, { hasFeed, isLooked, stretch }: Around): Next {
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
      const part = stretch * (quietMs(swap, now) + QUIET_FROM_MS)
      if (now.getTime() > swap.returnsFrom.getTime() + PAST_FROM_MS)
        return after(hasFeed ? PAST_FED_MS : between(PAST_MS, part, PAST_MOST_MS), 3)
      if (isLooked && !hasFeed) return after(LOOKED_MS, 3)
      return after(hasFeed ? FED_MS : between(QUIET_LEAST_MS, part, QUIET_MOST_MS), 2)
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

/** Since the address was shown, or since a page with it was open last. */
function quietMs({ createdAt, hotUntil }: Timed, now: Date): number {
  const since = Math.max(createdAt.getTime(), (hotUntil?.getTime() ?? 0) - HOT_FOR_MS)
  return Math.max(0, now.getTime() - since)
}

/** Under way or with a page open, by when it is asked about again on the average. */
const MOVING_EVERY_S = 10
const FOLLOWED_EVERY_S = 40
const QUIET_SHARE_MIN = 0.2
/** Of all questions those that go by time alone, so that no rank starves another. */
export const BY_TIME = 0.2
const SPARE = 0.9

/**
 * Payers pay soon after they saw the address, or much later: as likely within the next minute as within the next hour. So each
 * is asked about after the same part of the time that it has been quiet, and that part is what the budget allows.
 */
export function stretchFor(a: Load & { perS: number }): number {
  const makingSure = Math.min(a.looked / (LOOKED_MS / SECOND_MS), BY_TIME * a.perS)
  const following = Math.min(a.seen / FOLLOWED_EVERY_S, SEEN_SHARE * a.perS)
  const left = SPARE * a.perS - a.moving / MOVING_EVERY_S - makingSure - following
  return a.demand / Math.max(left, QUIET_SHARE_MIN * a.perS)
}

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
