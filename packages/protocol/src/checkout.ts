// What a payer may see (contract.md 4.5): the JSON of GET /checkout/{token} and of its event stream. It never holds
// external_id, metadata or webhook_url.
import type { Fx } from './order/fx.ts'
import type { Custody, LatePolicy, PayLeg, Payment, Refund, SimulateAction } from './order/order.ts'
import type { OrderStatus, StatusDetail } from './order/statuses.ts'

/** One way to pay. Chain and asset name it: an asset's name stands once on a chain. */
export interface PayChoice {
  chain: string
  chain_name: string
  family: string
  asset: string
  /** What people call the coin. */
  name: string
  contract: string | null
  decimals: number
  is_stable: boolean
  rail: string
  /** `third-party`: the money passes through somebody else's hands for some minutes. */
  custody: Custody
  /** What the payer pays in all, about, in dollars; null: known once it is chosen. */
  total_usd: string | null
  /** Seconds until the shop has the money, about; null: not known. */
  expected_s: number | null
  /** Whether the rail cannot open a leg without a refund address. */
  refund_address: 'required' | 'optional' | 'unused'
}

export interface Checkout {
  /** Shown as the reference; knowing it opens nothing. */
  order_no: string
  livemode: boolean
  status: OrderStatus
  status_detail: StatusDetail
  version: number
  /** Who is paid, as the merchant wants to be seen and asked. */
  merchant: {
    name: string | null
    logo: { url: string; width: number; height: number } | null
    support_email: string | null
    support_url: string | null
  }
  title: string | null
  description: string | null
  /** As of the order: what the merchant asked for, and the rate that made dollars of it. */
  amount: string
  currency: string
  exponent: number
  fx: Fx | null
  amount_usd: number
  /** The current leg; null until the payer chose. */
  pay: PayLeg | null
  /** The chain of `pay` for people: name, family and page templates with `{tx}` and `{address}`. */
  pay_chain: {
    name: string
    family: string
    explorer_tx: string | null
    explorer_address: string | null
    evm_chain_id: number | null
  } | null
  /** What most payers look for; empty once nothing can be chosen any more. `GET /checkout/{token}/choices` has all. */
  choices: PayChoice[]
  /** How many ways there are in all. */
  choices_total: number
  payments: Payment[]
  payments_total: number
  /**
   * What was paid can be spent by the shop only so many blocks later: a miner's reward, or coins out of Litecoin's extension
   * block. The order does not wait for that; a refund may. null: nothing waits.
   */
  maturing: { source: 'coinbase' | 'mweb'; blocks: number } | null
  refunds: Refund[]
  /** Where money of `pay` goes back to: bound into it by this browser, or approved by the merchant. */
  refund_address: string | null
  /** What the merchant's server gave with the order; it counts once the payer sends it as the refund address. */
  refund_address_proposed: string | null
  /**
   * `wanted`: money waits for it. `asked`: one was sent and waits for the merchant's approval. `possible`: it may be given
   * now. `no`: it is set, or nothing asks for it.
   */
  refund_address_state: 'wanted' | 'asked' | 'possible' | 'no'
  /**
   * What giving one does. `bind`: a new pay address is made that is bound to it and shown in this browser alone; it may be
   * given anew until money is seen. `name`: it counts at once. `ask`: without a wallet's signature it waits for the merchant.
   */
  refund_address_way: 'bind' | 'name' | 'ask' | 'none'
  /** Payments that a wallet's signature can take back, where the chain of the order can judge one. */
  refund_signers: { service: string; order_no: string; pay_leg: string; chain: string; from: string }[]
  /** `holder`: this browser holds a pay address of its own. `other`: another one does, this one does not. */
  browser: 'holder' | 'other' | 'any'
  /** The name of the chain that a refund address is to be one of; null where the payer may still choose. */
  refund_chain: string | null
  late_policy: LatePolicy
  settle_tx_hash: string | null
  success_url: string | null
  /** The shop's words once it is paid. */
  success_text: string | null
  cancel_url: string | null
  created_at: string
  expires_at: string
  settled_at: string | null
  /** The server's time of this answer: countdowns are counted against it, not against the payer's clock. */
  server_time: string
  /** Steps of the test panel; empty on live orders. */
  simulate: SimulateAction[]
}

/** The answer of GET /checkout/{token}/choices. */
export interface PayChoices {
  data: PayChoice[]
  /** Of the words that were searched, or in all. */
  total: number
}

/** The stream sends `event: checkout` with this JSON, at once and after each change, and comments in between. */
export const CHECKOUT_EVENT = 'checkout'
