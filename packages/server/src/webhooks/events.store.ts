// SQL of the rows of events: one for each version of an order, with the frozen body where webhooks tell of it.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import { eventKinds, type WebhookKind } from '@florin/protocol'

/** The order as its event names it. */
export interface EventOrder {
  orderNo: string
  merchantId: string
  apiKeyId: string | null
  livemode: boolean
  status: string
  detail: string
  version: number
}

export interface EventRow {
  id: string
  event: WebhookKind | null
  /** The bytes that will be signed and sent; null where there is no event. */
  body: Uint8Array | null
}

/** Sent when it is called, so what is called after it sees its row. @param condition when it is written. */
export function insertEvent(
  tx: Tx,
  order: EventOrder,
  row: EventRow,
  now: Date,
  condition = tx`true`,
): Promise<unknown> {
  return tx`
    insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version,
      body, created_at)
    select ${row.id}, ${order.orderNo}, ${order.merchantId}, ${order.apiKeyId}, ${order.livemode}, ${row.event},
      ${order.status}, ${order.detail}, ${order.version}::int, ${row.body}::bytea, ${now}::timestamptz
    where ${condition}`.execute()
}

/** The first row of a timeline, as a part of the statement that makes the order. @param made the part that made it. */
export const insertFirstEvent = (
  db: Db,
  order: EventOrder & { createdAt: Date },
  id: string,
  made: string,
): Query<Row[]> => db`
  insert into order_events (id, order_no, merchant_id, api_key_id, livemode, status, status_detail, version, created_at)
  select ${id}, ${db.unsafe(made)}.order_no, ${order.merchantId}, ${order.apiKeyId}, ${order.livemode}::boolean, ${order.status},
    ${order.detail}, ${order.version}::int, ${order.createdAt}::timestamptz
  from ${db.unsafe(made)}`

export interface TimelineRow {
  id: string
  event: string | null
  status: string
  statusDetail: string
  version: number
  createdAt: Date
}

/**
 * Oldest first, bounded: an order changes a few dozen times at most. The times allow partitions to be skipped. Every
 * version has a row; those that changed neither status nor detail are left out, as are
 * the updates that an endpoint chose to hear of.
 */
export async function listTimeline(
  db: Db,
  order: { orderNo: string; createdAt: Date; updatedAt: Date },
): Promise<TimelineRow[]> {
  const rows = await db<TimelineRow[]>`
    select id, event, status, status_detail as "statusDetail", version, created_at as "createdAt"
    from order_events
    where order_no = ${order.orderNo} and (event is null or event = any(${[...eventKinds]})) and created_at between ${order.createdAt} and ${order.updatedAt}
    order by version, id limit 1000`
  return rows.filter((row, n) => {
    const before = rows[n - 1]
    return row.event !== null || row.status !== before?.status || row.statusDetail !== before.statusDetail
  })
}

/** Writes the bodies of an order's events anew, and empties what its receivers answered. */
export async function rewriteBodies(tx: Tx, orderNo: string, rewrite: (body: Uint8Array) => Uint8Array): Promise<void> {
  const bodies = await tx<{ id: string; createdAt: Date; body: Uint8Array }[]>`
    select id, created_at as "createdAt", body from order_events where order_no = ${orderNo} and body is not null`
  for (const { id, createdAt, body } of bodies)
    await tx`update order_events set body = ${rewrite(body)} where id = ${id} and created_at = ${createdAt}`
  await tx`
    update delivery_attempts set response_excerpt = null, detail = null
    where delivery_id in (select id from deliveries where order_no = ${orderNo})`
}

/** The position of the newest event that has one; 0 where none has. */
export const lastPosition = (db: Db): Query<Row[]> => db`coalesce((select last_position from event_sequence), 0)`

/**
 * Events above a position, as rows of the stream of changes, for the accounts in the part `who` of the statement.
 * @param a.notBefore order_events is partitioned by time; a row is written within a day of its time.
 */
export const eventChanges = (db: Db, a: { position: bigint; notBefore: Date; limit: number }): Query<Row[]> => db`
  select 'order' as kind, e.merchant_id, e.livemode, e.order_no, e.id, e.position as mark
  from who cross join (values (true), (false)) as mode (livemode)
  join order_events e on e.merchant_id = who.id and e.livemode = mode.livemode
  where e.position > ${`${a.position}`}::bigint and e.created_at >= ${a.notBefore} limit ${a.limit}`
