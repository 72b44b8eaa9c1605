// The words of an order as they cross the wire (contract.md 4.2 and 4.3).
// USD amounts are JSON numbers; chain amounts are strings of digits in the asset's smallest unit.

import type { Proof } from '../proof.ts'
import type { Fx } from './fx.ts'
import type { OrderStatus, PaymentStatus, RefundStatus, StatusDetail } from './statuses.ts'

export const latePolicies = ['settle', 'refund'] as const
export type LatePolicy = (typeof latePolicies)[number]

export const paymentUses = ['counted', 'excess', 'late', 'wrong_asset', 'wrong_chain'] as const
export type PaymentUse = (typeof paymentUses)[number]

export const refundReasons = [
  'underpaid',
  'excess',
  'late',
  'canceled',
  'unsettleable',
  'wrong_asset',
  'wrong_chain',
  'merchant_request',
  'returned_by_rail',
  'returned_by_others',
] as const
export type RefundReason = (typeof refundReasons)[number]

/** Why a rail carries a leg. `direct`: the money goes as it is. `others_out`: a better one was in trouble. */
export const routeReasons = ['only', 'direct', 'cheapest', 'others_out'] as const
export type RouteReason = (typeof routeReasons)[number]

/** Why a rail that could carry it does not. */
export const passedOver = [
  'converts',
  'dearer',
  'slower',
  'in_trouble',
  'custody_not_allowed',
  'no_real_money',
] as const
export type PassedOver = (typeof passedOver)[number]

/** `third-party`: somebody else holds the money for some minutes on its way. */
export const custodies = ['none', 'third-party'] as const
export type Custody = (typeof custodies)[number]

/** How the money of a leg goes, and why so. */
export interface Route {
  custody: Custody
  reason: RouteReason
  /** What the payer pays in all, fees and the way's own costs in it; dollars, a decimal string. */
  total_usd: string
  /** Seconds from the payment's confirmation to the merchant's money; null: its rail did not say. */
  expected_s: number | null
  /** What sending money back takes of it, in smallest units of what is paid with; missing: nothing, or it is not known. */
  refund_fee?: string
  /** The rails that could carry it and do not. */
  passed_over: { rail: string; why: PassedOver }[]
}

/** What the payer sends and where. */
export interface PayLeg {
  id: string
  rail: string
  /** null: opened before there was a choice. */
  route: Route | null
  chain: string
  asset: string
  contract: string | null
  decimals: number
  address: string
  memo: string | null
  /** null: nothing is left to pay. */
  uri: string | null
  amount_due: string
  amount_received: string
  amount_remaining: string
  /** USD for one whole unit of the asset, a decimal string. */
  rate: string
  rate_source: string
  rate_expires_at: string
  /** Moves the money without Florin; null where the leg is on no chain. */
  proof: Proof | null
}

export interface Payment {
  id: string
  pay_leg: string
  tx_hash: string
  output_index: number
  chain: string
  asset: string
  contract: string | null
  decimals: number
  amount: string
  /** 1; more where one row stands for many small transfers: then the transaction is that of the newest. */
  transfers: number
  from: string | null
  confirmations: number
  confirmations_required: number
  status: PaymentStatus
  use: PaymentUse
  /** When Florin first saw it. */
  detected_at: string
  /** The time of the block that it is in; null: in none yet, or Florin does not know which one. */
  mined_at: string | null
}

export interface Refund {
  id: string
  /** `merchant`: paid from an own wallet after the settlement, and no part of the balance. */
  by: 'florin' | 'merchant'
  status: RefundStatus
  amount: string
  asset: string
  chain: string
  address: string | null
  tx_hash: string | null
  reason: RefundReason
  created_at: string
}

/** A refund that the merchant pays from an own wallet, of money that was settled (contract.md 5.2). */
export interface MerchantRefund {
  id: string
  order_no: string
  /** `recorded`: its transfer is on the chain, final, and as it was asked for. */
  status: 'requested' | 'recorded' | 'canceled'
  amount: string
  asset: string
  chain: string
  contract: string | null
  decimals: number
  address: string
  reason: string | null
  /** What a wallet opens: EIP-681 on EVM chains. */
  uri: string
  /** The transaction for a wallet of the browser; null where the chain has none such. */
  transaction: { chain_id: number; to: string; data: string; value: string } | null
  tx_hash: string | null
  /** Where the recorded transfer came from; null before, and in the sandbox. */
  sender: string | null
  /** `own`: the chain shows coins of the receiving address or account. `word`: only the merchant says that it is his. */
  sent_from: 'own' | 'word' | null
  /** Why the transaction that was named last does not count. */
  failure: string | null
  created_at: string
  recorded_at: string | null
}

/** What came in on one asset and where it is: received = settled + fee + refunded + held. */
export interface BalanceLine {
  chain: string
  asset: string
  received: string
  settled: string
  fee: string
  refunded: string
  held: string
  /** The part of `held` that stays because sending it back costs more. */
  held_below_cost: string
}

/** The answer of POST /v1/orders/{order_no}/look-again. */
export interface OrderLook {
  order_no: string
  asked_at: string
  /** When every chain had been read; null: it is under way. What was found is in the order. */
  looked_at: string | null
  /** Why a chain was left out, or is tried again. */
  failure: string | null
}

/** The order object: the same in create, read, list and webhook. */
export interface Order {
  order_no: string
  livemode: boolean
  external_id: string | null
  status: OrderStatus
  status_detail: StatusDetail
  /** What the merchant asked for, with the currency's own number of decimals: "49.90". Never converted back. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** The same in the currency's smallest unit, whose decimals are `exponent`. */
  amount_minor: string
  exponent: number
  /** The rate that made dollars of it; null: it was asked for in dollars. */
  fx: Fx | null
  amount_usd: number
  fee_bps: number
  amount_out: string | null
  amount_out_expected: string | null
  settle_chain: string
  settle_asset: string
  settle_decimals: number
  settle_address: string
  settle_tx_hash: string | null
  /** Only where a third party paid the settlement out: whether somebody else saw it. */
  settlement_proven?: boolean
  pay: PayLeg | null
  payments: Payment[]
  payments_total: number
  refunds: Refund[]
  balance: BalanceLine[]
  /** Where money of `pay` goes back to, once it is sure: bound by the payer's browser, or approved by the merchant. */
  refund_address: string | null
  /** What was given with the order; nothing goes there before the payer confirms it. */
  refund_address_proposed: string | null
  checkout_url: string
  webhook_url: string | null
  success_url: string | null
  cancel_url: string | null
  title: string | null
  description: string | null
  metadata: Record<string, string>
  /** The payment link or invoice whose page it was started from. */
  payment_link_id: string | null
  invoice_id: string | null
  /** How many of what a payment link sells. */
  quantity: number | null
  /** What is known of the payer. On a link or an invoice a stranger typed it. */
  payer_email: string | null
  /** Language tag, such as `pt-BR`: mails to the payer are in its language. `null`: not known. */
  payer_locale: string | null
  payer_name: string | null
  payer_note: string | null
  /** Shown to the payer once it is paid. */
  success_text: string | null
  version: number
  created_at: string
  updated_at: string
  expires_at: string
  settled_at: string | null
}

/** The steps of `POST /v1/test/orders/{order_no}/simulate` (contract.md 4.4). */
export const simulateActions = [
  'pay',
  'underpay',
  'overpay',
  'confirm',
  'settle',
  'fail',
  'refund',
  'reorg',
  'expire',
  'pay_late',
] as const
export type SimulateAction = (typeof simulateActions)[number]

/** What the chain shows of an order beside its payments; worked out when it is read. */
export interface OrderOnChain {
  order_no: string
  payments: {
    chain: string
    asset: string
    decimals: number
    tx_hash: string
    output_index: number
    /** Satoshi for a virtual byte, a decimal string. */
    fee_rate: string | null
    /** Transactions in no block that it needs first. */
    unconfirmed_parents: number | null
    /** The transaction that took its money. */
    replaced_by: string | null
    /** Blocks until the receiving wallet can spend it. */
    spendable_in: number
    source: 'plain' | 'coinbase' | 'mweb'
  }[]
  /** What the merchant owes the operator: `fee_bps` of money that went straight to the wallet. */
  fee_owed: { chain: string; asset: string; decimals: number; amount: string }[]
}
