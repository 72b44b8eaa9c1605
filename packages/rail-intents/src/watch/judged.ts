// What is known of a payout, and what comes of an answer of the provider. Pure.
import { canonicalTransactionId } from '@florin/chains'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { StatusReply } from '../client/wire.ts'
import type { Swap, SwapState } from './swaps.store.ts'

/** How long a payout may lack its transaction or its witness before people hear of it. */
const PATIENCE_MS = { live: 10 * MINUTE_MS, test: 30 * SECOND_MS } as const

/** A double of the provider pays out at once or not at all, and whoever tries it out is told within a minute. */
export const isLongClaimed = (swap: Pick<Swap, 'livemode'>, a: { claimedAt: Date; now: Date }): boolean =>
  a.now.getTime() - a.claimedAt.getTime() >= PATIENCE_MS[swap.livemode ? 'live' : 'test']

/** What others than the provider saw of a payout. */
export type Proof =
  /** Somebody else saw the very transfer; `key` names it. */
  | ({ kind: 'proven'; key: string } & Payout)
  /** There is somebody to ask, and he has not seen it finally yet. */
  | { kind: 'waiting' }
  /** Somebody else looked, and it is not so. */
  | { kind: 'refuted'; why: string }
  /** There is nobody to ask on this chain. */
  | { kind: 'nobody' }

export interface Payout {
  txHash: string
  amount: bigint
}

export interface Verdict {
  next: SwapState
  facts: RailFact[]
  /** A payout that counts though nobody but the provider saw it: it takes its part of the transaction. */
  unseen?: Payout
  /** For the log; null: nothing odd. */
  odd: string | null
}

/** So many transactions of one payout are looked at. */
const NAMED_MAX = 3

/**
 * What the provider says it paid out, by each transaction that it names, spelled as on its chain; none: it names none, or something
 * else. What it leaves out of the amount is the quote's.
 */
export function payoutsOf(swap: Pick<Swap, 'amountOut' | 'settle'>, reply: StatusReply): Payout[] {
  const hashes = reply.destination.flatMap(({ hash }) => canonicalTransactionId(swap.settle.chain, hash) ?? [])
  return [...new Set(hashes)]
    .slice(0, NAMED_MAX)
    .map((txHash) => ({ txHash, amount: reply.amountOut ?? swap.amountOut }))
}

/** The first of these. */
export const payoutOf = (swap: Pick<Swap, 'amountOut' | 'settle'>, reply: StatusReply): Payout | null =>
  payoutsOf(swap, reply)[0] ?? null
