// One way to pay an order: what is asked of a rail, what it opens, and what it would cost.
import { type LatePolicy, type Proof, UNDERPAY_TOLERANCE_MAX_MICROS } from '@florin/protocol'
import type { AssetRef } from './asset.ts'

/** The name of the rail whose money is simulated, in rows and in the API. */
export const SANDBOX_RAIL = 'sandbox'

/** For rows, which keep no more of their rail than its name. */
export const isSandboxRail = (rail: string): boolean => rail === SANDBOX_RAIL

export interface LegRequest {
  /** Randomness made by the server and stored before use; a rail derives the address from it. Same ref, same answer. */
  legRef: string
  orderRef: string
  merchantId: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  amountUsdMicros: bigint
  underpayToleranceBps: number
  feeBps: number
  /** An address, or the reference of an account (`acct_…`) where the rail settles to those. */
  merchantAddress: string
  refundAddress: string | null
  now: Date
  expiresAt: Date
  /** What becomes of money that comes after `expiresAt`. */
  latePolicy: LatePolicy
}

/** What must arrive on a leg for it to count as paid: the amount due less the tolerance, which is at most $1. */
export function leastPaid(
  a: Pick<LegRequest, 'amountUsdMicros' | 'underpayToleranceBps'> & { amountDue: bigint },
): bigint {
  const byBps = (a.amountDue * BigInt(a.underpayToleranceBps)) / 10_000n
  const byDollar = (a.amountDue * UNDERPAY_TOLERANCE_MAX_MICROS) / a.amountUsdMicros
  return a.amountDue - (byBps < byDollar ? byBps : byDollar)
}

export interface OpenedLeg {
  address: string
  /** The token's contract on the chain that carries the leg, where a test chain has its own. */
  contract?: string
  memo: string | null
  /** EIP-681, BIP-21, …; what a wallet scans. */
  uri: string
  amountDue: bigint
  /** What the merchant's address gets when exactly `amountDue` is paid, after the fee, in the settle asset. */
  amountOut: bigint
  /** An excess up to this is not worth sending back. */
  dust: bigint
  isStable: boolean
  rate: { price: string; source: string; expiresAt: Date }
  confirmationsRequired: number
  /** What must arrive at least, where the rail judges it; omitted: the amount due less the order's tolerance. */
  least?: bigint
  /** Seconds from a payment's confirmation to the merchant's money, as the rail expects; omitted: it does not say. */
  expectedS?: number
  /** What a third party takes for sending money back, of that money; omitted: nothing is known. */
  refundFee?: bigint
  /** Everything a third party needs to recompute the address and push the money without us. */
  proof: Proof | null
}

/** What paying an order by a rail costs the payer in all, before a leg is opened; the leg's own quote is what holds. */
export interface RouteEstimate {
  /** Fees and the way's own costs are in it; null: the price has to be asked for. */
  amountDue: bigint | null
  /** What the merchant's address gets. */
  amountOut: bigint | null
  /** What the payer pays beyond the order's amount, in micro-dollars; an estimate as the rest. */
  costUsdMicros: bigint
  /** Seconds from the payment's confirmation to the merchant's money. */
  expectedS: number
}
