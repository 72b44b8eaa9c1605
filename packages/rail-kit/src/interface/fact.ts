// What a rail reports. Nothing else changes an order from its side.
import type { AssetRef } from './asset.ts'

export type RailAlarm =
  | 'refund_not_asked_for'
  | 'refund_announced_not_asked_for'
  /** A settlement that did not reach the leg's merchant in the leg's own asset. */
  | 'settlement_not_as_bound'
  /** A transaction that moves the order's money waits for too long; over when it is in a block. */
  | 'transaction_not_mined'
  /** Providers of the chain contradict each other about it, and nobody outvotes anybody; over when it is decided. */
  | 'providers_contradict'
  /** It came to an address that was given to two orders, and nothing says of which it is. */
  | 'payment_of_two_orders'
  /** The merchant's own coins went where a refund of the order is asked for, and are fewer: recorded as none. */
  | 'refund_short'
  /** One of merchant and payer could not be paid, and the other one may be from a certain time on; over when the money moved. */
  | 'push_failed'
  /** A third party says that it paid out, and nobody else has seen it; over when somebody has, or the merchant takes its word. */
  | 'settlement_unproven'
  /** What a third party says of the money is not so, as far as others can see; over when it is. */
  | 'provider_contradicted'
  /** A third party has had the money for too long; over when it paid it out, sent it back, or failed. */
  | 'third_party_slow'
  /** A third party says that the money went another way than it had said when it ended with it, and the order is closed. */
  | 'third_party_changed'

/**
 * What a rail reports. Facts of one order are applied in the order they were written, each once; a rail may
 * report the same thing again and must expect that it is then ignored.
 */
export type RailFact =
  | {
      kind: 'payment_seen'
      /** Names block and position, so a transfer that a reorg moved is another payment. */
      key: string
      legRef: string
      txHash: string
      outputIndex: number
      asset: AssetRef
      amount: bigint
      from: string | null
      height: bigint | null
      /** The block's time: what decides between on time and late. */
      seenAt: Date
      /** The time of the block that it is in; null or omitted: which one is not known. */
      minedAt?: Date | null
      /** An amount of the asset up to this is not worth sending back; omitted: every amount is. */
      floor?: bigint
    }
  /** Announced, in no block yet: information, and nothing counts. The same key is reported again once it is mined. */
  | {
      kind: 'payment_unconfirmed'
      key: string
      legRef: string
      txHash: string
      outputIndex: number
      asset: AssetRef
      amount: bigint
      from: string | null
      /** When it was seen first: what decides between on time and late, also once it is mined. */
      seenAt: Date
      floor?: bigint
    }
  /** It will not be mined: another transaction took its money. */
  | { kind: 'payment_dropped'; key: string }
  | { kind: 'payment_confirmed'; key: string }
  | { kind: 'payment_orphaned'; key: string }
  | { kind: 'settlement_broadcast'; settlementId: string; txHash: string }
  /** The transaction left the chain again (a reorg); the rail will rebroadcast it. */
  | { kind: 'settlement_undone'; settlementId: string }
  | {
      kind: 'settlement_final'
      /** null: a third party pushed the money to the merchant, as the chain shows. */
      settlementId: string | null
      legRef: string
      txHash: string
      gross: bigint
      fee: bigint
      /** Read from the transfer to the merchant, in the settle asset. */
      amountOut: bigint
      /** Of a third party's payout: whether a second source saw it. Omitted: it is the rail's own chain. */
      proven?: boolean
      /** What the rail gave back of the leg in the same stroke, since it did not need it. */
      excess?: { amount: bigint; txHash: string | null; to: string }
    }
  /** A third party says that it paid the merchant, and nobody else has seen it. It is over with `settlement_final`. */
  | { kind: 'settlement_unproven'; legRef: string; txHash: string }
  | { kind: 'settlement_failed'; settlementId: string; failure: string }
  /** What was final in this transaction left the chain: the reorg went past the chain's rule. The rail offers it again. */
  | { kind: 'settlement_left'; legRef: string; txHash: string }
  /** `byWallet`: the merchant's own wallet has to make it; a payment URI that it opens, and the address as wallets of that network write it. */
  | {
      kind: 'refund_proposed'
      refundId: string
      txHash: string | null
      byWallet?: { uri: string; to?: string }
    }
  | { kind: 'refund_succeeded'; refundId: string; txHash: string }
  /**
   * Money of the leg went back by a transaction that the rail does not know. `isOpen`: anybody could send it then; otherwise its
   * sender had a key of the service.
   */
  | {
      kind: 'refunded_by_others'
      legRef: string
      txHash: string
      asset: AssetRef
      amount: bigint
      to: string
      isOpen: boolean
      /** The service announced it before this database was restored: it was asked for then. */
      wasAnnounced?: boolean
    }
  | { kind: 'refund_failed'; refundId: string; failure: string }
  /** As with settlements; the announcement of a refund is told of in the same way. */
  | { kind: 'refund_left'; legRef: string; txHash: string }
  /**
   * The chain shows something nobody here requested: needs human review, the order stays as it is.
   */
  | {
      kind: 'alarm_raised'
      what: RailAlarm
      chain: string
      /** Contract in lower case, or null for the native coin. */
      token: string | null
      amount: bigint
      /** Its actual or planned destination. */
      to: string | null
      txHash: string
      /** The chain shows it from before this database was restored: the Florin that was saved may have asked for it. */
      isOlder?: boolean
      /** What is wrong, where `what` does not say all. */
      why: string | null
      /** What people need beside that, by its name in the evidence. */
      more?: Readonly<Record<string, string>>
    }
  /** What an alarm was about is over by itself. */
  | { kind: 'alarm_over'; what: RailAlarm; txHash: string }
  /** A rail that refunds on its own returned all that it held of the order; of one leg, where it is named. */
  | { kind: 'all_returned'; txHash: string; to: string | null; legRef?: string }
