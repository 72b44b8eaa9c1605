// SQL that reads deliveries and their attempts, for lists and single views.
import { type DeliveryStatus, deliveryStatuses, MINUTE_MS, type WebhookKind, webhookKinds } from '@florin/protocol'
import type { Db } from '../../platform/db/tx.ts'

export interface DeliveryRow {
  no: bigint
  id: string
  eventId: string
  eventCreatedAt: Date
  event: WebhookKind
  orderNo: string
  merchantNo: number
  /** The account's endpoint; null: the order's own receiver. */
  endpointId: string | null
  livemode: boolean
  url: string
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  createdAt: Date
  resentFrom: string | null
}

export interface AttemptRow {
  deliveryId: string
  n: number
  startedAt: Date
  httpStatus: number | null
  latencyMs: number | null
  error: string | null
  responseExcerpt: string | null
}

/** Whose deliveries: a key sees its mode, the console one mode or both. */
export interface Owner {
  merchantNo: number
  /** null: both */
  livemode: boolean | null
}

export const deliveryColumns = (db: Db) => db`
  d.no, d.id, d.event_id as "eventId", d.event_created_at as "eventCreatedAt", d.event, d.order_no as "orderNo",
  d.merchant_no as "merchantNo", d.endpoint_id as "endpointId", d.livemode, d.url, d.status,
  d.attempt_count as "attemptCount", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  d.resent_from as "resentFrom"`

export async function findDelivery(db: Db, id: string, owner: Owner): Promise<DeliveryRow | null> {
  const [row] = await db<DeliveryRow[]>`
    select ${deliveryColumns(db)} from deliveries d
    where d.id = ${id} and d.merchant_no = ${owner.merchantNo}
      and (${owner.livemode}::boolean is null or d.livemode = ${owner.livemode})`
  return row ?? null
}

export interface DeliveryFilter extends Owner {
  status: DeliveryStatus | null
  event: WebhookKind | null
  below: string | null
  limit: number
}

/** The values that an omitted filter stands for: the columns before the id in the index deliveries_listed. */
export const prefixesOf = (a: Pick<DeliveryFilter, 'livemode' | 'status' | 'event'>) => ({
  modes: (a.livemode === null ? [true, false] : [a.livemode]).map(String),
  statuses: a.status === null ? [...deliveryStatuses] : [a.status],
  events: a.event === null ? [...webhookKinds] : [a.event],
})

/**
 * Newest first. One short scan of deliveries_listed for each mode, status and event requested, so a page costs the same
 * however rare the matches are.
 */
export function listDeliveries(db: Db, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { modes, statuses, events } = prefixesOf(filter)
  return db<DeliveryRow[]>`
    select d.* from unnest(${modes}::text[]) m(livemode), unnest(${statuses}::text[]) s(status),
                    unnest(${events}::text[]) e(event)
    cross join lateral (
      select ${deliveryColumns(db)} from deliveries d
      where d.merchant_no = ${filter.merchantNo} and d.livemode = m.livemode::boolean and d.status = s.status
        and d.event = e.event and d.id < coalesce(${filter.below}::text, 'e')
      order by d.id desc limit ${filter.limit}
    ) d
    order by d.id desc limit ${filter.limit}`
}

/** Of one order: few, so the other filters may scan all of them. */
export function listDeliveriesOfOrder(db: Db, orderNo: string, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { modes, statuses, events } = prefixesOf(filter)
  return db<DeliveryRow[]>`
    select ${deliveryColumns(db)} from deliveries d
    where d.order_no = ${orderNo} and d.merchant_no = ${filter.merchantNo} and d.livemode::text = any (${modes})
      and d.status = any (${statuses}) and d.event = any (${events}) and d.id < coalesce(${filter.below}::text, 'e')
    order by d.id desc limit ${filter.limit}`
}

/** Of one endpoint, newest first: one short scan of deliveries_of_endpoint for each status. */
export function listDeliveriesOfEndpoint(db: Db, endpointId: string, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { modes, statuses, events } = prefixesOf(filter)
  return db<DeliveryRow[]>`
    select d.* from unnest(${statuses}::text[]) s(status)
    cross join lateral (
      select ${deliveryColumns(db)} from deliveries d
      where d.endpoint_id = ${endpointId} and d.status = s.status and d.id < coalesce(${filter.below}::text, 'e')
        and d.merchant_no = ${filter.merchantNo} and d.livemode::text = any (${modes}) and d.event = any (${events})
      order by d.id desc limit ${filter.limit}
    ) d
    order by d.id desc limit ${filter.limit}`
}

const ATTEMPTS_SHOWN_MAX = 20

/** The newest attempts of each, oldest first. Partitions before the first delivery are skipped. */
export async function listAttempts(
  db: Db,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'createdAt'>[],
): Promise<AttemptRow[]> {
  if (deliveries.length === 0) return []
  const since = Math.min(...deliveries.map((row) => row.createdAt.getTime())) - MINUTE_MS
  return db<AttemptRow[]>`
    select a.* from unnest(${deliveries.map((row) => row.id)}::text[]) d(id)
    cross join lateral (
      select delivery_id as "deliveryId", n, started_at as "startedAt", http_status as "httpStatus",
             latency_ms as "latencyMs", error, response_excerpt as "responseExcerpt"
      from delivery_attempts where delivery_id = d.id and started_at >= ${new Date(since)}
      order by started_at desc limit ${ATTEMPTS_SHOWN_MAX}
    ) a
    order by a."startedAt"`
}
