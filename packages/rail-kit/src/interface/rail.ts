// The interface of a rail: an engine that carries an order from the payer's leg to the merchant's address.
// A rail reports what happened (RailFact) and never writes an order. Amounts are bigint in the asset's smallest unit.
import type { Check } from '@florin/platform/check'
import type { AssetRef } from './asset.ts'
import type { LegRequest, OpenedLeg, RouteEstimate } from './leg.ts'
import type { Holding, HoldingQuestion, RefundRequest, SettleRequest } from './moves.ts'

export interface RailCapabilities {
  /** The rail's name in rows and in the API. Only `compose.ts` and the rail's own package know names of rails. */
  kind: string
  /** The rail simulates money. false: the rail moves coins, at least those of a test network. */
  isSandbox: boolean
  /** The rail carries real money on at least one chain of this installation. */
  isLive: boolean
  /** `third-party`: another service holds the money for some minutes. Carried only where the merchant allowed it. */
  custody: 'none' | 'third-party'
  /** The payer may pay in another asset or on another chain than the merchant receives. */
  crossChain: boolean
  refundAddress: 'required' | 'optional' | 'unused'
  /**
   * `account`: each order is paid at an address of its own from an account of the merchant's wallet, and the rail takes no
   * plain address. Omitted: the rail settles to plain addresses, and takes no account. The sandbox takes both.
   */
  settlesTo?: 'account'
  /**
   * A chain is behind the rail, read from providers that may be wrong: money that was never reported can be on it, and a
   * coin can lose its price.
   */
  isOnChain: boolean
  /** The rail has `estimate`. Omitted: routes over this rail are offered without a total and without a duration. */
  estimates?: true
  /** The rail has `hint`. Omitted: hints are of no use to the rail, and `recheck` is called where a payer names a transaction. */
  takesHints?: true
  /** The rail has `readAddress`. Omitted: the rail knows of no address that the catalogue of chains does not know. */
  readsAddresses?: true
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

/** Answers to a GoLiveQuestion: nothing waits for these checks. */
export const aboutChain = ({ chain }: GoLiveQuestion, checks: readonly Check[]): RailCheck[] =>
  checks.map((one) => ({ ...one, chain, livemode: true, holdsUp: [] }))

/** The findings of a rail about an address. */
export interface KnownAddress {
  /** The address in the main network's form; null: the text is in that form already, or the rail does not read it. */
  address: string | null
  /** Orders are paid at this address. */
  isPayAddress: boolean
  /** The contract of a token, or an address of the rail's own: money that is sent there is lost to its owner. */
  isNobodysWallet: boolean
  /** The address of a key or contract of the service on this rail. */
  isOwn: boolean
}

/** A reason to look at an order's legs soon. A hint is no proof of anything. */
export interface Hint {
  orderRef: string
  /** The transaction that a payer says was sent on a leg. Omitted: a payer has the page of the order open. */
  sent?: { legRef: string; txHash: string }
}

export interface Rail {
  readonly capabilities: RailCapabilities
  /** Whether this rail carries from `pay` to `settle`. */
  carries(a: { livemode: boolean; pay: AssetRef; settle: AssetRef }): boolean
  /**
   * Quotes and opens a leg; idempotent by `legRef`. No transaction is open while the rail waits for the network.
   * @throws AppError amount_too_small, amount_too_large, no_price, rail_unavailable
   */
  open(request: LegRequest): Promise<OpenedLeg>
  /** Accepts settlements; idempotent by `settlementId`. Outcomes are reported as facts. */
  settle(requests: readonly SettleRequest[]): Promise<void>
  /** Accepts refunds; idempotent by `refundId`. Outcomes are reported as facts. */
  refund(requests: readonly RefundRequest[]): Promise<void>
  /**
   * Reads the chain once more before an order expires or is refunded, and reports what is new.
   * @param isEverywhere on every chain that has the order's addresses, not only where each should be paid.
   * @throws while the chain cannot be read to its end: the order waits.
   */
  recheck(orderRef: string, isEverywhere?: boolean): Promise<void>
  /**
   * The balances of these legs, for comparing with the books. A leg that is in motion, or whose chain cannot be read now, is
   * left out and asked for again later.
   */
  holdings(legs: readonly HoldingQuestion[]): Promise<Holding[]>
  /**
   * How the rail is doing. Called four times a minute, and answered from what is written down: at least one check for each chain
   * that this process watches, so that trouble there is known to be over.
   * @param question before a chain takes real money: the state of that chain alone, looked up on it. Empty: the chain is not this
   * rail's.
   */
  checks(question?: GoLiveQuestion): Promise<RailCheck[]>
  /** `capabilities.estimates`. From what is known already, without the network: cheap enough for a list. null: not known now. */
  estimate?(
    a: Pick<LegRequest, 'livemode' | 'pay' | 'settle' | 'amountUsdMicros' | 'feeBps' | 'merchantAddress'>,
  ): RouteEstimate | null
  /** `capabilities.takesHints`. Cheap; may do nothing. */
  hint?(hint: Hint): Promise<void>
  /** `capabilities.readsAddresses`. @param a.text as somebody wrote it, or in canonical form. @returns null: nothing is known. */
  readAddress?(a: { chain: string; livemode: boolean; text: string }): Promise<KnownAddress | null>
}
