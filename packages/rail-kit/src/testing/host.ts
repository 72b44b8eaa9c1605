// The orders' side of a test of a rail. The suite knows nothing of the server: `@florin/server/test/rail-host.ts` is the real one.
import type { Sql } from '@florin/platform/db/pool'
import type { LatePolicy } from '@florin/protocol'
import type { AssetRef } from '../interface/asset.ts'
import type { Rails } from '../registry.ts'

export interface SuiteLeg extends AssetRef {
  ref: string
  rail: string
  address: string
  amountDue: bigint
  amountOut: bigint
  /** An excess up to this is not worth sending back. */
  dust: bigint
  settle: AssetRef
  settleAddress: string
  boundRefundAddress: string | null
}

/** An order, as far as the suite reads one. */
export interface SuiteOrder {
  orderNo: string
  orderRef: string
  merchantId: string
  rail: string
  livemode: boolean
  status: string
  detail: string | null
  amountUsdMicros: bigint
  amountOut: bigint | null
  feeBps: number
  underpayToleranceBps: number
  latePolicy: LatePolicy
  settleTxHash: string | null
  createdAt: Date
  expiresAt: Date
  legs: readonly SuiteLeg[]
  payments: readonly { amount: bigint; status: string; use: string | null; transfers: number }[]
  settlements: readonly { status: string; hold: string | null }[]
  refunds: readonly { id: string; status: string; amount: bigint }[]
}

export interface SuiteBalance {
  asset: string
  received: bigint
  settled: bigint
  fee: bigint
  refunded: bigint
  held: bigint
  heldBelowCost: bigint
}

export interface BookLine {
  legRef: string
  asset: AssetRef
  booked: bigint
}

export interface OrderHost<Order extends SuiteOrder = SuiteOrder> {
  sql: Sql
  rails: Rails
  /** More transfers on one leg than these are kept as sums. */
  maxSinglePayments: number
  read(order: SuiteOrder): Promise<Order>
  /** One line for each asset that came. */
  balanceOf(order: SuiteOrder): SuiteBalance[]
  /** What is held on each leg, by the books. */
  booksOf(order: SuiteOrder): Promise<BookLine[]>
  /** Status changes and the events that they sent, oldest first. */
  timelineOf(order: SuiteOrder): Promise<readonly { status: string; event: string | null }[]>
  /** One round of the background jobs. @param note is given what the jobs log as errors. @returns how much was done. */
  work(note: (error: unknown) => void): Promise<number>
  /** Compares the books of an order with the chain now. */
  compare(order: SuiteOrder): Promise<void>
  /** Differences that the last comparison found. */
  differences(order: SuiteOrder): Promise<{ booked: bigint; found: bigint }[]>
  /** The kinds of what waits for a person. */
  openItems(order: SuiteOrder): Promise<string[]>
  countRefundsHandedOver(order: SuiteOrder): Promise<number>
  cancel(order: SuiteOrder): Promise<Order>
  refund(order: SuiteOrder): Promise<unknown>
  retrySettlement(order: SuiteOrder): Promise<unknown>
  nameRefundAddress(order: SuiteOrder, refundId: string, address: string): Promise<unknown>
}
