// Transfers that merchants make from wallets of their own, and how a rail verifies them.
import type { Tx } from '@florin/platform/db/tx'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { AssetRef } from './asset.ts'

/** Of a transfer that was on the chain, or announced, before. */
export const BEFORE_IT_WAS_ASKED =
  'The transaction was there before this refund was asked for, so it pays for something else. A refund is asked for first, and paid then.'

/** How far the clock of a chain may be behind ours: miners of slow blocks say the time as they like, within bounds. */
export const CLOCKS_APART_MS = { usual: 5 * SECOND_MS, slow: 10 * MINUTE_MS }

/** A transfer that somebody made outside of Florin: what it has to be to count. */
export interface OutsideTransfer {
  livemode: boolean
  /** Whose refund it is to be. Left out: no merchant's. A chain does not know it; a simulated transaction is this merchant's alone. */
  merchantId?: string
  asset: AssetRef
  to: string
  amount: bigint
  /** A transfer of up to so much counts as well. Left out: the amount alone. */
  atMost?: bigint
  /** What leaves the address by the same transaction does not count. */
  isKept?: boolean
  /** Earlier ones are something else. */
  notBefore: Date
  /** The same by blocks: what was on the chain, or announced, when it was asked for. Left out: any of the time. */
  asked?: { fromHeight: bigint; at: Date } | null
}

export interface OutsideSeen {
  txHash: string
  /** No later than this it was made, as far as the chain's clock tells. Left out: nobody says. */
  madeBy?: Date
  /** Names chain, transaction and position: each transfer counts once. */
  key: string
  amount: bigint
  /** The transfer moved so much: `amount` is a part of it, which only the merchant's own money can be. */
  partOf?: bigint
  from: string | null
  /** On chains without senders: the merchants whose coins it spends, as far as that is known here. */
  merchants?: readonly string[]
  /** The same transaction pays an order: whoever made it is a payer, unless the coins are the merchant's. */
  isPayment?: boolean
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
  /**
   * Whose a transfer is does not depend on its amount: the coins that it spends show it, or it is simulated. Left out: two
   * merchants could both claim a transfer of the same amount.
   */
  hasOwner?: true
  /** Whether this asset can be verified. */
  sees(a: { livemode: boolean; asset: AssetRef }): boolean
  /** What a wallet opens, and the same as a transaction for one in the browser. */
  request(a: Omit<OutsideTransfer, 'notBefore' | 'asked' | 'atMost' | 'isKept'>): {
    uri: string
    /** The address as wallets there write it; left out: as it was given. */
    to?: string
    transaction: { chainId: number; to: string; data: string; value: bigint } | null
  }
  /**
   * It is about to be asked for: announcements are noted from now on.
   * @returns the first block that can have it; null: nobody can tell now.
   * @throws AppError refund_not_possible where the chain moves no such amount
   */
  begin?(a: { livemode: boolean; asset: AssetRef; to: string; amount: bigint }): Promise<bigint | null>
  /** @throws whatever keeps the chain from being read. */
  look(a: OutsideTransfer & { txHash: string }): Promise<OutsideVerdict>
  /**
   * Asked in the commit that records what a look found, when nothing else can begin to count.
   * @returns whether nothing of this rail has begun to meanwhile. Left out: nothing ever does.
   */
  isStillFree?(tx: Tx, seen: OutsideSeen): Promise<boolean>
  /**
   * Looks for such transfers from one address, in final blocks after `after`; null: it begins a little before now.
   * @returns what fits, and up to where it looked.
   */
  search(
    a: OutsideTransfer & { from: string; after: bigint | null },
  ): Promise<{ found: OutsideSeen[]; upTo: bigint | null }>
}
