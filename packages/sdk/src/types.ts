// What the calls of the client take and answer, beyond the words that cross the wire in @florin/protocol.
// Names are those of the wire (snake_case), so the API reference, the webhooks and this library read alike.
import type {
  DeliveryStatus,
  LatePolicy,
  Order,
  OrderStatus,
  SimulateAction,
  UpdateKind,
  WebhookEvent,
  WebhookKind,
} from '@florin/protocol'

/** How much: in dollars, or in a currency of your own. A string such as "19.99" is never rounded on the way. */
export type OrderAmount =
  | {
      /** Above 0, at most 1000000, at most 6 decimals. */
      amount_usd: number | string
      amount?: undefined
      currency?: undefined
    }
  | {
      /** Above 0, worth at most 1000000 dollars, at most as many decimals as the currency has. */
      amount: number | string
      /** ISO 4217. @example 'EUR' */
      currency: string
      amount_usd?: undefined
    }

/** contract.md 4.1. Chain amounts are strings of digits. */
export type CreateOrderParams = OrderAmount & CreateOrderFields

interface CreateOrderFields {
  external_id?: string | undefined
  /** Where the signed webhooks of this order go. */
  webhook_url?: string | undefined
  /** Left out, the payer may pay on any chain that you have a receiving address on and a rail runs on. */
  settle_chain?: string | undefined
  /** Without `settle_chain` it fixes the symbol, not the chain. */
  settle_asset?: string | undefined
  pay_chain?: string | undefined
  pay_asset?: string | undefined
  /** A proposal: it is offered on the checkout, and refunds go there only once the payer has confirmed it. */
  refund_address?: string | undefined
  /** Seconds: 300 to 86400; 1800 where left out. */
  expires_in?: number | undefined
  /** 0 to 1000; 50 where left out. */
  underpay_tolerance_bps?: number | undefined
  late_policy?: LatePolicy | undefined
  /** Where the payer's receipt goes. */
  payer_email?: string | undefined
  /** Language tag of the payer, such as `pt-BR`: mails to the payer are in that language. */
  payer_locale?: string | undefined
  title?: string | undefined
  description?: string | undefined
  success_url?: string | undefined
  cancel_url?: string | undefined
  metadata?: Record<string, string> | undefined
}

export interface ListOrdersParams {
  status?: OrderStatus | readonly OrderStatus[] | undefined
  external_id?: string | undefined
  payment_link_id?: string | undefined
  invoice_id?: string | undefined
  created_from?: Date | string | undefined
  created_to?: Date | string | undefined
  /** Those whose metadata has these values: up to 5 keys, all of which must fit. */
  metadata?: Record<string, string> | undefined
  settle_chain?: string | undefined
  /** Those asked for in it, such as `EUR`. */
  currency?: string | undefined
  /** In dollars, such as `49.90`; the same twice is an exact amount. */
  amount_usd_from?: string | undefined
  amount_usd_to?: string | undefined
  /** Which come first; `newest` where left out. */
  sort?: 'newest' | 'oldest' | undefined
  /** Orders on a page: 1 to 100; 20 where left out. */
  limit?: number | undefined
  /** `next_cursor` of an earlier page. */
  cursor?: string | undefined
}

export interface ListEventsParams {
  /** The cursor behind which to begin. */
  after?: string | undefined
  limit?: number | undefined
}

export interface ListDeliveriesParams {
  order_no?: string | undefined
  status?: DeliveryStatus | undefined
  event?: WebhookKind | undefined
  /** Those to one endpoint of the account. */
  endpoint_id?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export interface SimulateParams {
  action: SimulateAction
  /** In the smallest unit of the leg's asset; for `underpay` and the like. */
  amount?: string | bigint | undefined
}

/** A chain of the catalogue. Only what every version gives is named; the rest is there under its own name. */
export interface Chain {
  id: string
  name: string
  aliases: string[]
  family: string
  [field: string]: unknown
}

/** Whether orders that settle on a chain may be carried by a rail of a third party. */
export interface ThirdPartyChain {
  chain: string
  livemode: boolean
  on: boolean
  /** A payout counts on the provider's word alone where nobody else can be asked. */
  takes_unproven: boolean
  /** A change that counts from `effective_at` on; null: none waits. */
  waiting: { on: boolean; takes_unproven: boolean; effective_at: string } | null
  updated_at: string | null
}

interface Typed<Kind extends WebhookKind, Fields> extends WebhookEvent {
  event: Kind
  order: Order & Fields
}
/** Enough money was seen in a block. */
export type OrderProcessingEvent = Typed<'order.processing', { status: 'processing' }>
/** The money is on the receiving address, and final. */
export type OrderSuccessEvent = Typed<'order.success', { status: 'success'; amount_out: string; settled_at: string }>
export type OrderFailedEvent = Typed<'order.failed', { status: 'failed' }>
/** All that came in went back to the payer. */
export type OrderRefundedEvent = Typed<'order.refunded', { status: 'refunded' }>
export type OrderExpiredEvent = Typed<'order.expired', { status: 'expired' }>

/** Only to endpoints that chose it: something about an order was seen, and its status may be any. */
export type OrderUpdatedEvent = Typed<UpdateKind, unknown>

/** An event that reports a status; `event` tells the members apart. */
export type FlorinEvent =
  | OrderProcessingEvent
  | OrderSuccessEvent
  | OrderFailedEvent
  | OrderRefundedEvent
  | OrderExpiredEvent

/** What an endpoint that chose updates is sent: `verifyWebhook<FlorinWebhook>(…)`. */
export type FlorinWebhook = FlorinEvent | OrderUpdatedEvent

export interface ReconciliationParams {
  status?: 'open' | 'resolved' | undefined
  /** 1 to 100; 20 where left out. */
  limit?: number | undefined
  cursor?: string | undefined
}

export interface CreateWebhookEndpointParams {
  url: string
  description?: string | null | undefined
  /** The five that report a status, where left out. */
  events?: readonly WebhookKind[] | undefined
}

/** What came back of a sample. */
export interface WebhookEndpointSample {
  ok: boolean
  http_status: number | null
  latency_ms: number
  error: string | null
  /** In a sentence. */
  message: string
  response_excerpt: string | null
  sent: { url: string; headers: Record<string, string>; body: string }
}

export interface UpdateWebhookEndpointParams extends Omit<CreateWebhookEndpointParams, 'url'> {
  url?: string | undefined
  enabled?: boolean | undefined
}

export interface CreateMerchantRefundParams {
  /** In the settle asset's smallest unit; all that is left, where left out. */
  amount?: string | bigint | undefined
  reason?: string | undefined
  /** It may be more than the receiving address got. */
  allow_over?: boolean | undefined
}
