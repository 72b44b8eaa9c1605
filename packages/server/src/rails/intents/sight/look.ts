// What a look at the addresses of open swaps is given, and what it brings back.
import type { AssetRef } from '../../interface/asset.ts'

/** A swap that waits for its deposit. */
export interface OpenPlace {
  ref: string
  address: string
  asset: Pick<AssetRef, 'contract'>
}

export interface Seen {
  ref: string
  /** The same for the same transaction, or the same balance. */
  key: string
  /** null: only what lies there is known. */
  txHash: string | null
}

export interface Looked {
  seen: Seen[]
  /** Up to here blocks were read, and need not be again; null: this node is asked for what lies there now. */
  cursor: bigint | null
  /** What it did not tell; null: everything up to its newest block was looked at. */
  gap: string | null
}

/** @throws NodeAway */
export type Look = (a: {
  cursor: bigint | null
  /** Read after the node's newest block: what is paid in it belongs to one of these. */
  open(): Promise<readonly OpenPlace[]>
  /** Fires when the look has to end. */
  stop: AbortSignal
}) => Promise<Looked>
