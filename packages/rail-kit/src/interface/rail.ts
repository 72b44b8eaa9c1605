// The interface of a rail: an engine that carries an order from the payer's leg to the merchant's address.
// A rail reports what it saw (RailFact) and never writes an order. Amounts are bigint in the asset's smallest unit.
import type { Check } from '@florin/platform/check'
import type { Tx } from '@florin/platform/db/tx'
import type { AssetRef, CarriedAsset } from './asset.ts'
import type { OrderDetails, RefundToSign } from './details.ts'
import type { LegRequest, OpenedLeg, RouteEstimate } from './leg.ts'
import type { Hold, Holding, HoldingQuestion, RefundRequest, SettleRequest } from './moves.ts'
import type { OutsideTransfers } from './outside.ts'

export interface RailCapabilities {
  /** The rail's name in rows and in the API. Only the wiring knows the names of rails. */
  kind: string
  /** Its money is simulated; false: it moves coins, at least those of a test network. */
  isSandbox: boolean
  /** `third-party`: somebody else holds the money for some minutes; carried only where the merchant switched it on. */
  custody: 'none' | 'third-party'
  /** The payer may pay in another asset or on another chain than the merchant gets. */
  crossChain: boolean
  refundAddress: 'required' | 'optional' | 'unused'
  /**
   * `account`: each order is paid at an address of its own from an account of the merchant's wallet, and it takes no plain
   * address. Omitted: it settles to plain addresses, and takes no account. The sandbox takes both.
   */
  settlesTo?: 'account'
  /**
   * There is a chain behind it, told by providers that may lie: money can lie there that nobody reported, and a coin can
   * lose its price.
   */
  isOnChain: boolean
}

export type HeldUp = 'payments' | 'settlements' | 'refunds'

/** A `fault` is mailed to operators once it lasts; a `warning` waits in "Needs attention". Both are over once they are ok or missing. */
export interface RailCheck extends Check {
  chain: string
  livemode: boolean
  /** The work that waits while this check fails. */
  holdsUp: readonly HeldUp[]
  /** The check is about one asset in one direction, and recovers without a person. Omitted: the check is about the chain. */
  route?: { asset: string; side: 'pay' | 'settle' }
}

/** Asked before a chain takes real money. */
export interface GoLiveQuestion {
  chain: string
  /** The guardian's address; null: the operator did not name one. */
  guardian: string | null
  /** The process that is asked answers requests from outside. */
  answersRequests: boolean
}

export interface RefundAddress {
  address: string
  isPayAddress: boolean
}

export interface Rail {
  readonly capabilities: RailCapabilities
  /**
   * Whether this account of a chain signed this text. Omitted: accounts there sign nothing, so nobody can prove by
   * signature where a payment came from.
   */
  isSignedBy?(a: { chain: string; account: string; text: string; signature: string }): Promise<boolean>
  /** Whether it carries live money on any chain here. */
  readonly hasLiveChain: boolean
  /** Whether this rail carries from `pay` to `settle`. */
  carries(a: { livemode: boolean; pay: AssetRef; settle: AssetRef }): boolean
  /** Everything it takes or pays out in this mode, for lists and searches. Omitted: what `carries` says of the catalogue. */
  assets?(livemode: boolean): readonly CarriedAsset[]
  /** From what is known already, without asking anybody: cheap enough for a list. null: it cannot say. */
  estimate?(
    a: Pick<LegRequest, 'livemode' | 'pay' | 'settle' | 'amountUsdMicros' | 'feeBps' | 'merchantAddress'>,
  ): RouteEstimate | null
  /**
   * Quotes and opens a leg; idempotent by `legRef`; no transaction is open while it waits for the network.
   * @throws AppError amount_too_small, amount_too_large, no_price, rail_unavailable
   */
  open(request: LegRequest): Promise<OpenedLeg>
  /**
   * Which of these settlements should not be carried out now, by id. Asked before each is handed over, and again while
   * it is held. Omitted: none is ever held.
   */
  holds?(requests: readonly SettleRequest[]): Promise<ReadonlyMap<string, Hold>>
  /** Accepts settlements; idempotent by `settlementId`. Outcomes are reported as facts. */
  settle(requests: readonly SettleRequest[]): Promise<void>
  /** Accepts refunds; idempotent by `refundId`. */
  refund(requests: readonly RefundRequest[]): Promise<void>
  /**
   * Checks the chain itself once more before an order expires or is refunded; reports what it finds.
   * @param isEverywhere on every chain that has the order's addresses, not only where each should be paid.
   */
  recheck(orderRef: string, isEverywhere?: boolean): Promise<void>
  /**
   * What lies on the addresses of these legs, for comparing with the books. A leg that is in motion, or whose chain
   * cannot be read now, is left out: it is asked for again later.
   */
  holdings(legs: readonly HoldingQuestion[]): Promise<Holding[]>
  /**
   * How the rail is doing. Called four times a minute, and answered from what is written down: at least one check for each chain
   * that this process watches, so that trouble there is known to be over.
   */
  checks(): Promise<RailCheck[]>
  /** A payer has the page of this order open: worth looking more often for a while. Cheap, and may do nothing. */
  attend?(orderRef: string): void
  /**
   * The transaction that a payer says was sent on a leg: a hint, and no proof of anything. A rail that takes hints looks by
   * itself, and soon.
   */
  hint?(a: { legRef: string; txHash: string }): Promise<void>
  /**
   * The merchant says that what a third party claims to have paid out from this address is there. Written in the caller's
   * transaction; what follows is reported as facts. @returns false: no payout of this order waits for that.
   */
  vouch?(tx: Tx, a: { orderRef: string; address: string }): Promise<boolean>
  /**
   * What an address that money should go back to is here: in the main network's form where it was written as this rail's
   * test network does, and whether it is one that orders are paid at. null: the rail has no word on this chain.
   */
  readRefundAddress?(a: { chain: string; livemode: boolean; text: string }): Promise<RefundAddress | null>
  /**
   * Whether an address, in its chain's canonical form, is nobody's wallet by what this rail knows: a token's contract, or an
   * address or contract of its own. Money that is sent there is lost to its owner.
   */
  isNobodysWallet?(a: { chain: string; address: string }): Promise<boolean>
  /** Whether an address, in its chain's canonical form, is of one of the keys or contracts of the service on this rail. */
  isOwn?(a: { chain: string; address: string }): boolean
  /**
   * Asked again, the same transaction, until it can never be valid. Omitted: refunds are the rail's own, or go by a payment link alone.
   * @param a.replace another one that spends a coin of it, so that never both are valid
   */
  refundToSign?(refundId: string, a?: { replace: boolean }): Promise<RefundToSign>
  /** Omitted: there is nothing more to say than what the order has. */
  details?(orderRef: string): Promise<OrderDetails>
  /** Transfers that merchants make themselves. Omitted: none can be verified. */
  readonly outside?: OutsideTransfers
  /** The state of a chain before real money is taken there, looked up on the chain; null where the chain is not this rail's. Omitted: the rail moves no money. */
  examine?(question: GoLiveQuestion): Promise<Check[] | null>
}
