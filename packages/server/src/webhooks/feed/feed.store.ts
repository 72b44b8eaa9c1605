// Reading events in the order in which they were committed (contract.md 4.4). A row carries the number of its
// transaction; a page serves only what is below the oldest transaction still running, so nothing that commits later can
// appear behind a cursor.
import type { Db } from '../../platform/db/tx.ts'

export interface FeedEvent {
  id: string
  /** Transaction number, as text: the driver knows no xid8. */
  xid: string
  event: string
  body: Uint8Array
}

export interface FeedCursor {
  xid: string
  id: string
}

export interface Reader {
  merchantId: string
  livemode: boolean
}

/** At most `limit` events behind the cursor; partitions before `since` are not looked at. */
export function eventsAfter(
  db: Db,
  a: Reader & { after: FeedCursor; since: Date; limit: number },
): Promise<FeedEvent[]> {
  return db<FeedEvent[]>`
    select id, xid::text as xid, event, body from order_events
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and event is not null and created_at >= ${a.since}
      and (xid, id) > (${a.after.xid}::text::xid8, ${a.after.id}) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by xid, id limit ${a.limit}`
}

/** Behind everything that is committed now. */
export async function feedEnd(db: Db): Promise<FeedCursor> {
  const [row] = await db<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
  return { xid: row?.xid ?? '0', id: '' }
}

/** Where an event stands in the order, or null when it is not this reader's or is no more. */
export async function placeOf(db: Db, reader: Reader, eventId: string): Promise<FeedCursor | null> {
  const [row] = await db<FeedCursor[]>`
    select xid::text as xid, id from order_events
    where id = ${eventId} and merchant_id = ${reader.merchantId} and livemode = ${reader.livemode} limit 1`
  return row ?? null
}
