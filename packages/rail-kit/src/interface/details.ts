// What a rail knows of an order beyond its books, for people and their wallets.
import type { AssetRef } from './asset.ts'

/** What a chain shows of a payment beside it, for people. */
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
