// The event kinds and the webhook payload (contract.md 6).
import type { Order, OrderStatus, StatusDetail } from './order.ts'

export const eventKinds = [
  'order.processing',
  'order.success',
  'order.failed',
  'order.refunded',
  'order.expired',
] as const
export type EventKind = (typeof eventKinds)[number]

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
  event: EventKind
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
  event: EventKind
  order_no: string
  livemode: boolean
  url: string
  status: DeliveryStatus
  attempt_count: number
  next_attempt_at: string | null
  attempts: Attempt[]
  created_at: string
  resent_from: string | null
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
