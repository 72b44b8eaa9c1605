// What is known of a payout, and what comes of an answer of the provider.
import type { RailFact } from '../../interface/fact.ts'
import type { SwapState } from './swaps.store.ts'

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
  /** For the log; null: nothing odd. */
  odd: string | null
}
