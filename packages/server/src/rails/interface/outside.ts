// Transfers that merchants make from wallets of their own, and how a rail verifies them.
import type { AssetRef } from './asset.ts'

/** A transfer that somebody made outside of Florin: what it has to be to count. */
export interface OutsideTransfer {
  livemode: boolean
  asset: AssetRef
  to: string
  amount: bigint
  /** Earlier ones are something else. */
  notBefore: Date
}

export interface OutsideSeen {
  txHash: string
  /** Names chain, transaction and position: each transfer counts once. */
  key: string
  from: string | null
  /** On chains without senders: the merchants whose coins it spends, as far as that is known here. */
  merchants?: readonly string[]
}

export type OutsideVerdict =
  /** Not in a final block yet, or providers do not agree about it. */
  | { kind: 'waiting' }
  /** All that fit, in the order of the chain. */
  | { kind: 'found'; transfers: OutsideSeen[] }
  /** It is final, and does not contain such a transfer; in a sentence. */
  | { kind: 'other'; why: string }

/** Verifying what a merchant pays from an own wallet. */
export interface OutsideTransfers {
  /** Whether this asset can be verified. */
  sees(a: { livemode: boolean; asset: AssetRef }): boolean
  /** What a wallet opens, and the same as a transaction for one in the browser. */
  request(a: Omit<OutsideTransfer, 'notBefore'>): {
    uri: string
    transaction: { chainId: number; to: string; data: string; value: bigint } | null
  }
  /** @throws whatever keeps the chain from being read. */
  look(a: OutsideTransfer & { txHash: string }): Promise<OutsideVerdict>
  /**
   * Looks for such transfers from one address, in final blocks after `after`; null: it begins a little before now.
   * @returns what fits, and up to where it looked.
   */
  search(
    a: OutsideTransfer & { from: string; after: bigint | null },
  ): Promise<{ found: OutsideSeen[]; upTo: bigint | null }>
}
