// Services that single rails offer beside carrying an order. No rail needs one of these: `compose.ts` names the rail that has it, and
// the feature that uses it asks the registry by the rail's kind.
import type { Tx } from '@florin/platform/db/tx'
import type { AssetRef, CarriedAsset } from './asset.ts'
import type { Hold, SettleRequest } from './moves.ts'
import type { OutsideTransfers } from './outside.ts'

export interface RailServices {
  /** Everything the rail takes or pays out in this mode, for a rail whose assets are not all in the catalogue of chains. */
  assets?(livemode: boolean): readonly CarriedAsset[]
  /** The settlements that should not be carried out now, by id. Asked before each is handed over, and while it is held. */
  holds?(requests: readonly SettleRequest[]): Promise<ReadonlyMap<string, Hold>>
  /** Whether this account of a chain signed this text. */
  isSignedBy?(a: { chain: string; account: string; text: string; signature: string }): Promise<boolean>
  /**
   * The merchant confirms that the payout which a third party reported from this address arrived. Written in the caller's
   * transaction; the result is reported as facts. @returns false: no payout of this order waits for a confirmation.
   */
  vouch?(tx: Tx, a: { orderRef: string; address: string }): Promise<boolean>
  /**
   * A refund as a transaction for the merchant's wallet to sign: the same one at each call, until it can never be valid.
   * @param a.replace another one that spends a coin of the first, so that both are never valid
   */
  refundToSign?(refundId: string, a?: { replace: boolean }): Promise<RefundToSign>
  /** What the chain shows of the order's payments beside the order. */
  details?(orderRef: string): Promise<OrderDetails>
  /** Transfers that merchants make from their own wallets, and how they are verified. */
  outside?: OutsideTransfers
}

/** Details of a payment that its chain shows, for people. */
export interface PaymentDetails {
  asset: AssetRef
  txHash: string
  outputIndex: number
  /** Units of the smallest kind for a virtual byte, a decimal string; null: not known. */
  feeRate: string | null
  /** Transactions in no block that it needs to be mined first. */
  unconfirmedParents: number | null
  /** The transaction that took its money. */
  replacedBy: string | null
  /** Blocks until the merchant's wallet can spend it; 0: it can. */
  spendableIn: number
  source: 'plain' | 'coinbase' | 'mweb'
}

export interface OrderDetails {
  payments: PaymentDetails[]
  /** What is owed to the operator for money that went straight to the merchant. */
  feeOwed: { asset: AssetRef; amount: bigint }[]
}

/** A refund as a transaction that the merchant's wallet only has to sign. */
export type RefundToSign =
  /** A partially signed transaction (BIP-174) in Base64, and what it costs. */
  { psbt: string; fee: bigint; why: null } | { psbt: null; fee: null; why: string }
