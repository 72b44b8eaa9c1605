// Owns the shape of an order inside the server: what the rules decide from and the store keeps.
// Chain amounts are bigint in smallest units, dollars bigint micros, times Date.
import type {
  LatePolicy,
  OrderStatus,
  PaymentStatus,
  PaymentUse,
  RefundReason,
  RefundStatus,
  StatusDetail,
} from '@florin/protocol'
import type { AssetRef } from '../rails/rail.ts'

/** One leg that a payer was shown. */
export interface LegState extends AssetRef {
  id: string
  /** 1, 2, … in the order they were shown. */
  n: number
  /** What the rail knows the leg by: made from the order's reference, so it is stored before it is used. */
  ref: string
  rail: string
  address: string
  memo: string | null
  uri: string
  amountDue: bigint
  amountOut: bigint
  dust: bigint
  isStable: boolean
  rate: string
  rateSource: string
  rateExpiresAt: Date
  confirmationsRequired: number
  /** The refund address that was bound into this leg, or null. */
  boundRefundAddress: string | null
  proof: Record<string, unknown> | null
  createdAt: Date
}

export interface PaymentState extends AssetRef {
  key: string
  id: string
  legId: string
  txHash: string
  outputIndex: number
  amount: bigint
  from: string | null
  height: bigint | null
  confirmationsRequired: number
  status: PaymentStatus
  use: PaymentUse
  seenAt: Date
  detectedAt: Date
}

export type SettlementStatus = 'wanted' | 'broadcast' | 'final' | 'failed'

export interface SettlementState {
  id: string
  legId: string
  status: SettlementStatus
  /** In the pay asset. */
  gross: bigint
  feeBps: number
  fee: bigint | null
  /** In the settle asset, as the chain says. */
  amountOut: bigint | null
  txHash: string | null
  failure: string | null
  createdAt: Date
}

export interface RefundState extends AssetRef {
  id: string
  legId: string
  status: RefundStatus
  amount: bigint
  address: string | null
  txHash: string | null
  reason: RefundReason
  failure: string | null
  createdAt: Date
}

export interface OrderState {
  orderNo: string
  orderRef: string
  merchantId: string
  merchantNo: number
  apiKeyId: string
  livemode: boolean
  externalId: string | null
  status: OrderStatus
  detail: StatusDetail
  amountUsdMicros: bigint
  feeBps: number
  amountOut: bigint | null
  settle: AssetRef
  settleAddress: string
  settleTxHash: string | null
  rail: string
  payLegId: string | null
  refundAddress: string | null
  checkoutToken: string
  webhookUrl: string | null
  successUrl: string | null
  cancelUrl: string | null
  title: string | null
  description: string | null
  metadata: Record<string, string>
  underpayToleranceBps: number
  latePolicy: LatePolicy
  canceled: boolean
  version: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  lookAt: Date | null
  settledAt: Date | null
  /** Oldest first, each of the four. */
  legs: readonly LegState[]
  payments: readonly PaymentState[]
  settlements: readonly SettlementState[]
  refunds: readonly RefundState[]
}

export function currentLeg(order: OrderState): LegState | null {
  return order.legs.find((leg) => leg.id === order.payLegId) ?? null
}

export function isSameAsset(a: AssetRef, b: AssetRef): boolean {
  return a.chain === b.chain && a.asset === b.asset && a.contract === b.contract
}
