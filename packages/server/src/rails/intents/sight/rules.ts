// What follows from what nodes see. Pure.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { isSlow } from '../catalogue/assets.ts'

/** A chain that was not seen whole for longer counts as one that nobody looks at. */
const FRESH_MS = 90 * SECOND_MS
/** Addresses are looked at until so long after the provider's deadline. */
const LOOKED_PAST_MS = 10 * MINUTE_MS
/** Transactions and balances of one swap that count as a hint. Whose swap has used them up is asked about as if nobody looked. */
export const SEEN_MOST = 5
/** Of all questions the most that go to what nodes see, while others wait. */
export const SEEN_SHARE = 0.4
/** The provider waits for confirmations, so what was seen is asked about until it knows, or was wrong. */
const FOLLOWED_MS = { usual: 15 * MINUTE_MS, slow: 2 * HOUR_MS }
/** At most so long after the provider knows; more often costs what other payers wait for. */
const FOLLOW_EVERY_MS = 40 * SECOND_MS
const FOLLOW_SOON_MS = 15 * SECOND_MS
const FOLLOW_SOON_FOR_MS = 30 * SECOND_MS

/** Swaps whose provider returns what comes from then on are looked at. */
export const lookedFrom = (now: Date): Date => new Date(now.getTime() - LOOKED_PAST_MS)

export function chainsLookedAt(
  sights: readonly { chain: string; lookedAt: Date | null }[],
  a: { chains: ReadonlySet<string>; crowded: readonly string[]; now: Date },
): string[] {
  const isFresh = ({ lookedAt }: { lookedAt: Date | null }): boolean =>
    lookedAt !== null && a.now.getTime() - lookedAt.getTime() <= FRESH_MS
  return [...a.chains].filter(
    (chain) => !a.crowded.includes(chain) && sights.some((one) => one.chain === chain && isFresh(one)),
  )
}

export interface Followed {
  stage: string
  status: string
  pay: { chain: string }
  seenAt: Date | null
}

/** When the provider is asked again because of what was seen; null: no more. */
export function nextFollow({ stage, status, pay, seenAt }: Followed, now: Date): Date | null {
  // What it knows of is under way, and is asked about for that.
  if (stage !== 'waiting' || status !== 'PENDING_DEPOSIT' || seenAt === null) return null
  const sinceMs = now.getTime() - seenAt.getTime()
  if (sinceMs >= (isSlow(pay.chain) ? FOLLOWED_MS.slow : FOLLOWED_MS.usual)) return null
  return new Date(now.getTime() + (sinceMs < FOLLOW_SOON_FOR_MS ? FOLLOW_SOON_MS : FOLLOW_EVERY_MS))
}
