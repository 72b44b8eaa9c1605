// The SQL of deliveries that were given up, and of endpoints that fail.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'

export interface Death {
  deliveryId: string
  at: Date
  orderNo: string
  merchantId: string
  merchantEmail: string
  livemode: boolean
  url: string
  /** null: the order's own receiver. */
  endpointId: string | null
  /** The endpoint was disabled or deleted: its deliveries end because the merchant wants it. */
  isClosed: boolean
  error: string | null
}

/** @param tasks each names a delivery that was given up. Oldest first. */
export function listDeaths(tx: Tx, tasks: readonly { subject: string; createdAt: Date }[]): Promise<Death[]> {
  return tx<Death[]>`
    select t.delivery_id as "deliveryId", t.at, d.order_no as "orderNo", m.id as "merchantId", m.email as "merchantEmail",
           d.livemode, d.url, d.endpoint_id as "endpointId",
           coalesce(w.disabled_at is not null or w.deleted_at is not null, false) as "isClosed",
           (select a.error from delivery_attempts a where a.delivery_id = d.id and a.started_at >= d.created_at - interval '1 minute'
            order by a.started_at desc limit 1) as error
    from unnest(${tasks.map(({ subject }) => subject)}::text[],
      ${tasks.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[]) as t(delivery_id, at)
    join deliveries d on d.id = t.delivery_id
    join merchant_accounts m on m.no = d.merchant_no
    left join webhook_endpoints w on w.id = d.endpoint_id
    order by t.at`
}

/** The first time counts. */
export function markFailing(tx: Tx, id: string, since: Date): Promise<unknown> {
  return tx`update webhook_endpoints set failing_since = ${since} where id = ${id} and failing_since is null`
}

export interface Failing {
  id: string
  merchantId: string
  merchantEmail: string
  livemode: boolean
  url: string
  failingSince: Date
}

/** Bounded by what fails; most installs have none. */
export function listFailing(sql: Sql): Promise<Failing[]> {
  return sql<Failing[]>`
    select w.id, w.merchant_id as "merchantId", m.email as "merchantEmail", w.livemode, w.url,
           w.failing_since as "failingSince"
    from webhook_endpoints w join merchant_accounts m on m.id = w.merchant_id
    where w.failing_since is not null and w.disabled_at is null and w.deleted_at is null order by w.failing_since limit 500`
}

/** @returns whether it was still failing since then. */
export async function endFailing(tx: Tx, a: Failing): Promise<boolean> {
  const rows = await tx`
    update webhook_endpoints set failing_since = null
    where id = ${a.id} and failing_since = ${a.failingSince} and disabled_at is null returning 1`
  return rows.length === 1
}

/** @returns whether this call did it. */
export async function disableFailing(tx: Tx, a: Failing, now: Date): Promise<boolean> {
  const rows = await tx`
    update webhook_endpoints set disabled_at = ${now}, disabled_by = 'failures', updated_at = ${now}
    where id = ${a.id} and failing_since = ${a.failingSince} and disabled_at is null and deleted_at is null returning 1`
  return rows.length === 1
}

/** Deliveries to it that were given up since then; counted up to `max`. */
export async function countDead(db: Db, a: { id: string; from: string; max: number }): Promise<number> {
  const rows = await db`
    select 1 from deliveries where endpoint_id = ${a.id} and status = 'dead' and id >= ${a.from} limit ${a.max}`
  return rows.length
}
