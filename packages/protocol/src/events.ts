// The event kinds and the webhook payload (contract.md 6).
import type { KeyMode } from './keys.ts'
import type { Order } from './order/order.ts'
import type { OrderStatus, StatusDetail } from './order/statuses.ts'

export const eventKinds = [
  'order.processing',
  'order.success',
  'order.failed',
  'order.refunded',
  'order.expired',
] as const
export type EventKind = (typeof eventKinds)[number]

/**
 * What else may be told of an order, to endpoints that chose it and to nobody else (contract.md 6). Its status may be
 * any; the order in the body says.
 */
export const updateKinds = [
  'order.updated.payment_seen',
  'order.updated.partially_paid',
  'order.updated.refund_sent',
  'order.updated.refund_recorded',
  'order.updated.reorged',
] as const
export type UpdateKind = (typeof updateKinds)[number]

/** All that a webhook can be about. */
export const webhookKinds: readonly [...typeof eventKinds, ...typeof updateKinds] = [...eventKinds, ...updateKinds]
export type WebhookKind = EventKind | UpdateKind

/** The event that reports an arrival in a status; none reports the making of an order. */
export const eventOf: Readonly<Record<OrderStatus, EventKind | null>> = {
  pending: null,
  processing: 'order.processing',
  success: 'order.success',
  failed: 'order.failed',
  refunded: 'order.refunded',
  expired: 'order.expired',
}

/** The webhook body. Its bytes are frozen when the event is committed. */
export interface WebhookEvent {
  /** The event's id: stable over attempts and resends. */
  id: string
  /** One of `eventKinds`, unless an endpoint chose to hear of more. */
  event: WebhookKind
  /** ISO 8601 UTC. */
  created_at: string
  order: Order
}

export const deliveryStatuses = ['pending', 'retrying', 'succeeded', 'dead'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One try to hand an event to its receiver. */
export interface Attempt {
  n: number
  at: string
  http_status: number | null
  latency_ms: number | null
  error: string | null
  response_excerpt: string | null
}

/** One event on its way to one URL. */
export interface Delivery {
  id: string
  event_id: string
  event: WebhookKind
  order_no: string
  livemode: boolean
  url: string
  /** The account's endpoint that it goes to; null: the order's own `webhook_url`. */
  endpoint_id: string | null
  status: DeliveryStatus
  attempt_count: number
  next_attempt_at: string | null
  attempts: Attempt[]
  created_at: string
  resent_from: string | null
}

export const endpointStatuses = ['enabled', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** A receiver that is registered once and hears of every order of its mode (contract.md 6). */
export interface WebhookEndpoint {
  id: string
  mode: KeyMode
  url: string
  description: string | null
  events: WebhookKind[]
  status: EndpointStatus
  /** Who disabled it: the merchant, or five days in which nothing was taken; null: it is enabled. */
  disabled_by: 'merchant' | 'failures' | null
  disabled_at: string | null
  created_at: string
  updated_at: string
  health: {
    last_success_at: string | null
    last_failure_at: string | null
    /** Since when deliveries end as dead and none is taken; null: all is well. */
    failing_since: string | null
    /** Deliveries that wait for their next attempt, and those of the last seven days that were given up; at most 1000. */
    retrying: number
    dead: number
    /** Deliveries that are due for more than a minute and not sent; at most 1000. */
    late: number
  }
}

/** A row of an order's timeline: `event` is null where only the detail changed. */
export interface TimelineEntry {
  id: string
  event: EventKind | null
  status: OrderStatus
  status_detail: StatusDetail
  version: number
  created_at: string
}
