// SQL that reads deliveries and their attempts, for lists and single views.
import type { Db } from '@florin/platform/db/tx'
import {
  DAY_MS,
  type DeliveryStatus,
  deliveryStatuses,
  HOUR_MS,
  MINUTE_MS,
  type WebhookKind,
  webhookKinds,
} from '@florin/protocol'

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
 * however rare the matches are. Event and id are compared as a row and sorted by: with equal events too, a plan that is kept
 * reads all deliveries backwards by their ids. Before PostgreSQL 18 a scan stops by the first column of a row alone, so the
 * columns before the event are equal and the event has a bound of its own.
 */
export function listDeliveries(db: Db, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { modes, statuses, events } = prefixesOf(filter)
  return db<DeliveryRow[]>`
    select d.* from unnest(${modes}::text[]) m(livemode), unnest(${statuses}::text[]) s(status),
                    unnest(${events}::text[]) e(event)
    cross join lateral (
      select ${deliveryColumns(db)} from deliveries d
      where d.merchant_no = ${filter.merchantNo} and d.livemode = m.livemode::boolean and d.status = s.status
        and (d.event, d.id) < (e.event, coalesce(${filter.below}::text, 'e')) and d.event >= e.event
      order by d.event desc, d.id desc limit ${filter.limit}
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
      where d.endpoint_id = ${endpointId}
        and (d.status, d.id) < (s.status, coalesce(${filter.below}::text, 'e')) and d.status >= s.status
        and d.merchant_no = ${filter.merchantNo} and d.livemode::text = any (${modes}) and d.event = any (${events})
      order by d.status desc, d.id desc limit ${filter.limit}
    ) d
    order by d.id desc limit ${filter.limit}`
}

const ATTEMPTS_SHOWN_MAX = 20

/** A first attempt follows at once; then three hours of retries, and as long as they may have had to wait. A partition is a day. */
const WITHIN_MS = [30 * MINUTE_MS, 12 * HOUR_MS, 1_000 * DAY_MS] as const

/**
 * The newest attempts of each, oldest first. Partitions that can hold none are skipped, and those of long after a delivery was made, or
 * was to be tried again, unless its last attempt was not found before.
 */
export async function listAttempts(db: Db, deliveries: readonly Tried[]): Promise<AttemptRow[]> {
  let late = deliveries
  const found: AttemptRow[] = []
  for (const withinMs of WITHIN_MS) {
    const rows = await attemptsOf(db, late, withinMs)
    const last = new Map(rows.map((row) => [row.deliveryId, row.n]))
    const isLast = withinMs === WITHIN_MS.at(-1)
    const whole = late.filter((row) => isLast || (last.get(row.id) ?? 0) >= row.attemptCount)
    const ids = new Set(whole.map((row) => row.id))
    found.push(...rows.filter((row) => ids.has(row.deliveryId)))
    late = late.filter((row) => !ids.has(row.id))
  }
  return found
}

type Tried = Pick<DeliveryRow, 'id' | 'createdAt' | 'nextAttemptAt' | 'attemptCount'>

/**
 * Deliveries of a day are looked for together, in the order of their ids, so that neighbours share the pages of an index. One JSON: an
 * array's length would be part of the plan, which is then made anew each time, over a hundred partitions.
 */
async function attemptsOf(db: Db, deliveries: readonly Tried[], withinMs: number): Promise<AttemptRow[]> {
  if (deliveries.length === 0) return []
  const days = Map.groupBy(deliveries, ({ createdAt }) => Math.floor(createdAt.getTime() / DAY_MS))
  const around = [...days.values()].map((some) => ({
    ids: some.map((row) => row.id),
    from: new Date(Math.min(...some.map((row) => row.createdAt.getTime())) - MINUTE_MS),
    until: new Date(Math.max(...some.map((row) => (row.nextAttemptAt ?? row.createdAt).getTime())) + withinMs),
  }))
  return db<AttemptRow[]>`
    select "deliveryId", n, "startedAt", "httpStatus", "latencyMs", error, "responseExcerpt" from (
      select a.*, row_number() over (partition by "deliveryId" order by "startedAt" desc) as newest
      from json_to_recordset(${JSON.stringify(around)}::text::json) d(ids json, "from" timestamptz, until timestamptz)
      cross join lateral (
        select delivery_id as "deliveryId", n, started_at as "startedAt", http_status as "httpStatus",
               latency_ms as "latencyMs", error, response_excerpt as "responseExcerpt"
        from delivery_attempts
        where delivery_id = any(array(select json_array_elements_text(d.ids))) and started_at >= d."from" and started_at < d.until
      ) a
    ) attempts
    where newest <= ${ATTEMPTS_SHOWN_MAX} order by "startedAt"`
}
