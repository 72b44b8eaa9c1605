// The shape of an order inside the server: what the rules decide from and the store keeps.
// Chain amounts are bigint in smallest units, dollars bigint micros, times Date.

import { asWrittenLike } from '@florin/chains'
import type {
  Fx,
  LatePolicy,
  Money,
  OrderStatus,
  PaymentStatus,
  PaymentUse,
  Proof,
  RefundReason,
  RefundStatus,
  Route,
  StatusDetail,
} from '@florin/protocol'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { isSandboxRail } from '@florin/rail-kit/interface/leg'

/** Where money goes that pays: an asset on a chain, and the merchant's own address there. */
export interface Target {
  settle: AssetRef
  settleAddress: string
}

/**
 * What an order without settle_chain is open to: a leg may settle where it is paid. Taken from the merchant's settings
 * when the order was made, so that a change of addresses redirects no order. The target itself is the default one.
 */
export interface OpenTarget extends Target {
  /** The requested symbol; null: dollars. */
  asset: string | null
  /** Receiving addresses by chain, of chains where a rail carries what is taken to itself. */
  addresses: Readonly<Record<string, string>>
}

/** As it was when the leg was opened. */
export type LegRoute = Pick<Route, 'custody' | 'reason' | 'passed_over' | 'refund_fee'>

/** One leg that a payer was shown. Its own target is where its money settles, whatever the order shows. */
export interface LegState extends AssetRef, Target {
  id: string
  /** 1, 2, … in the order they were shown. */
  n: number
  /** The rail's reference for the leg: derived from the order's reference, so it is stored before it is used. */
  ref: string
  rail: string
  /** Why this rail; null: opened before there was a choice. */
  route: LegRoute | null
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
  /** What must arrive at least, where its rail judges that and settles by itself; null: the order's tolerance says. */
  least: bigint | null
  /** Seconds from a payment's confirmation to the merchant's money; null: the rail did not say. */
  expectedS: number | null
  /** The refund address that was bound into this leg, or null. */
  boundRefundAddress: string | null
  /** SHA-256 (hex) of the secret of the one browser that this leg is shown to; null: everybody. */
  holder: string | null
  /** Named by its browser after the payment, where no address is bound. */
  refundAddress: string | null
  proof: Proof | null
  createdAt: Date
  /** When it was chosen last: a payer may come back to a leg. */
  chosenAt: Date
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
  /** The newest, where the row stands for several transfers. */
  seenAt: Date
  /** The time of the block that it is in; null: in none yet, or which one is not known, or the row stands for several. */
  minedAt: Date | null
  detectedAt: Date
  /** An amount up to this is not worth sending back, as the rail said when it saw the payment; null: it did not. */
  floor: bigint | null
  /** Since when its block is gone, though its money was passed on: it counts until other money stands in its place. */
  leftAt: Date | null
  /** Of a row that stands for many transfers (payments.ts): what they have in common. null: it is one transfer. */
  fold: string | null
  transfers: number
}

/** At the end of a fold's name: of transfers that count though their blocks are gone. */
export const LEFT_FOLD = ':left'

/** The fold that they stood in before. */
export const formerFold = (fold: string): string => (fold.endsWith(LEFT_FOLD) ? fold.slice(0, -LEFT_FOLD.length) : fold)

/** A transfer that stands in another row with many more, kept so that a later fact about it finds its amount. */
export interface FoldedTransfer {
  key: string
  fold: string
  txHash: string
  outputIndex: number
  amount: bigint
  from: string | null
  height: bigint | null
  status: PaymentStatus
  seenAt: Date
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
  /** Since when it is no longer on the chain although it was final there; null again once it is back. */
  leftAt: Date | null
  /** Why it is not given to its rail now; null: it is. */
  hold: string | null
  /** The merchant wants it settled all the same. */
  isReleased: boolean
  /** Whether a second source saw what a third party said it paid out; null: no third party did. */
  proven: boolean | null
  createdAt: Date
}

/** A part of a payment that a refund returns. */
export interface RefundPart {
  /** The payment's id. A payment that was folded since then has no row under this id. */
  payment: string
  amount: bigint
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
  /** The wallet whose signature named the address. */
  signedBy: string | null
  /** Which payments it returns, fixed when it began. null: somebody else made it, or it began before this was stored. */
  parts: readonly RefundPart[] | null
  /** As of a settlement; for an announcement too. */
  leftAt: Date | null
  createdAt: Date
}

/** A refund that the merchant pays from an own wallet (own-refunds.ts). */
export interface OwnRefund extends AssetRef {
  id: string
  status: 'requested' | 'recorded' | 'canceled'
  amount: bigint
  address: string
  reason: string | null
  txHash: string | null
  failure: string | null
  /** The transfer that it was recorded for. */
  key: string | null
  /** Where that transfer came from; null: not recorded, or in the sandbox. */
  sender: string | null
  /** The chain shows that it is the merchant's own money, or the merchant's word says it; null: not recorded. */
  sentFrom: 'own' | 'word' | null
  /** The Idempotency-Key that it was asked for with, and the body: as hashes. */
  onceKey: string | null
  onceBody: string | null
  /** The first block whose transfers count; null: nobody could tell. */
  fromHeight: bigint | null
  createdAt: Date
  recordedAt: Date | null
}

export interface OrderState extends Target {
  orderNo: string
  orderRef: string
  merchantId: string
  merchantNo: number
  /** null: made in the console, or by a payer from a payment link or an invoice. */
  apiKeyId: string | null
  livemode: boolean
  externalId: string | null
  status: OrderStatus
  detail: StatusDetail
  /** What the merchant asked for: the authority, never converted back. */
  money: Money
  /** The rate that made dollars of it; null: it was dollars. */
  fx: Fx | null
  amountUsdMicros: bigint
  feeBps: number
  amountOut: bigint | null
  /** `settle`, `settleAddress` and `rail` are the current leg's; before there is one, the default. */
  rail: string
  /** null: the target was fixed by the merchant. */
  open: OpenTarget | null
  /** Whether rails on which a third party holds the money for a while may carry it: as the merchant had it set. */
  thirdParty: boolean
  settleTxHash: string | null
  /** The current leg: the one chosen last until money comes, then the one that it came on (`leadingLeg`). */
  payLegId: string | null
  /** What came with the order; nothing goes there before the payer confirms it. */
  refundProposal: string | null
  /** Addresses that were sent with the checkout link alone, and when the last one was. */
  refundAsks: number
  refundAskedAt: Date | null
  checkoutToken: string
  webhookUrl: string | null
  successUrl: string | null
  cancelUrl: string | null
  title: string | null
  description: string | null
  metadata: Record<string, string>
  paymentLinkId: string | null
  invoiceId: string | null
  /** How many of what a payment link sells. */
  quantity: number | null
  payerEmail: string | null
  /** BCP 47. Of mails to the payer; named by the merchant or asked for by the payer's browser. null: not known. */
  payerLocale: string | null
  payerName: string | null
  payerNote: string | null
  /** The merchant's words once it is paid. */
  successText: string | null
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
  /** Of the folded transfers, those that the facts at hand name. */
  folded: readonly FoldedTransfer[]
  settlements: readonly SettlementState[]
  refunds: readonly RefundState[]
  /** No part of the balance: what was settled is the merchant's own. */
  ownRefunds: readonly OwnRefund[]
}

export function currentLeg(order: OrderState): LegState | null {
  return order.legs.find((leg) => leg.id === order.payLegId) ?? null
}

/** What an order says of where its money goes. */
export function shownTarget(order: OrderState): Target & Pick<OrderState, 'rail'> {
  const { settle, settleAddress, rail } = currentLeg(order) ?? order
  return { settle, settleAddress, rail }
}

/** The address that the merchant is paid at: of an account it is the leg's own, except where no money moves. */
export const paidTo = (leg: LegState): string =>
  isAccountRef(leg.settleAddress) && !isSandboxRail(leg.rail) ? leg.address : leg.settleAddress

/** Where money goes back to, as the network writes it that the order is paid on: people copy it into a wallet of that network. */
export function shownPayee<T extends string | null>(
  { legs }: OrderState,
  { chain, address }: { chain: string; address: T },
): T | string {
  const like = legs.find((leg) => leg.chain === chain)?.address
  return address === null || like === undefined ? address : asWrittenLike(chain, address, like)
}

export const isSameTarget = (a: Target, b: Target): boolean =>
  isSameAsset(a.settle, b.settle) && a.settleAddress === b.settleAddress

export function isSameAsset(a: AssetRef, b: AssetRef): boolean {
  return a.chain === b.chain && a.asset === b.asset && a.contract === b.contract
}
