// What is known of a payout, and what comes of an answer of the provider. Pure.
import { canonicalTransactionId } from '@florin/chains'
import { MINUTE_MS } from '@florin/protocol'
import type { RailFact } from '../../interface/fact.ts'
import type { StatusReply } from '../client/wire.ts'
import type { Swap, SwapState } from './swaps.store.ts'

/** How long a payout may lack its transaction or its witness before people hear of it. */
export const PATIENCE_MS = 10 * MINUTE_MS

/** What others than the provider saw of a payout. */
export type Proof =
  /** Somebody else saw the very transfer; `key` names it. */
  | { kind: 'proven'; key: string; amount: bigint }
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

/**
 * What the provider says it paid out, its transaction spelled as on its chain; null: it names none, or something else. What it
 * leaves out is the quote's.
 */
export function payoutOf(swap: Pick<Swap, 'amountOut' | 'settle'>, reply: StatusReply): Payout | null {
  const [named] = reply.destination
  const txHash = named === undefined ? null : canonicalTransactionId(swap.settle.chain, named.hash)
  return txHash === null ? null : { txHash, amount: reply.amountOut ?? swap.amountOut }
}
