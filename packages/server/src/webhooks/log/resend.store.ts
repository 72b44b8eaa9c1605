// SQL that sends an event again: bringing a retry forward, and new deliveries of old events.
import type { Db, Tx } from '@florin/platform/db/tx'

/** `hurried`: it is due now. `leased`: a worker is sending it. `finished`: it has left the queue. */
export type Expedited = 'hurried' | 'leased' | 'finished'

/** Makes the next attempt of an unfinished delivery due now. */
export async function expedite(tx: Tx, no: bigint, now: Date): Promise<Expedited> {
  const [row] = await tx<{ state: number }[]>`
    with moved as (
      update delivery_queue set state = 1, run_at = ${now} where delivery_no = ${no} and state = 2
      returning delivery_id
    ), shown as (
      update deliveries d set next_attempt_at = ${now}, xid = pg_current_xact_id() from moved where d.id = moved.delivery_id
    )
    select state from delivery_queue where delivery_no = ${no}`
  // The select sees the row as it was before: scheduled or ready means that it is ready now.
  if (row === undefined) return 'finished'
  return row.state === 3 ? 'leased' : 'hurried'
}

/** Whether the frozen body still exists. */
export async function hasBody(db: Db, event: { eventId: string; eventCreatedAt: Date }): Promise<boolean> {
  const rows = await db`
    select 1 from order_events where id = ${event.eventId} and created_at = ${event.eventCreatedAt} and body is not null`
  return rows.length > 0
}

export interface Resend {
  id: string
  /** The delivery to send again. */
  from: string
  lane: bigint
}

/**
 * New deliveries of the events of old ones, each with five attempts of its own and a queue entry. Old ones whose body
 * was deleted are skipped. Those of an endpoint go where it is now, in its lane.
 * @returns the ids of the new deliveries.
 */
export async function insertResends(
  tx: Tx,
  a: { resends: readonly Resend[]; class: 1 | 2; now: Date },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    with made as (
      insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, endpoint_id, livemode, url,
                              next_attempt_at, created_at, resent_from)
      select n.id, d.event_id, d.event_created_at, d.event, d.order_no, d.merchant_no, d.api_key_id, d.endpoint_id,
             d.livemode, coalesce(w.url, d.url),
             ${a.now}, ${a.now}, d.id
      from unnest(${a.resends.map((r) => r.id)}::text[], ${a.resends.map((r) => r.from)}::text[]) with ordinality
             as n(id, old, place)
      join deliveries d on d.id = n.old
      left join webhook_endpoints w on w.id = d.endpoint_id
      where exists (select 1 from order_events e
                    where e.id = d.event_id and e.created_at = d.event_created_at and e.body is not null)
      order by n.place
      returning no, id, merchant_no, endpoint_id
    ), queued as (
      insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
      select made.no, made.id, ${a.class}, made.merchant_no, coalesce(w.lane, l.lane), 1, ${a.now}
      from made
      join unnest(${a.resends.map((r) => r.id)}::text[], ${a.resends.map((r) => String(r.lane))}::bigint[]) l(id, lane)
        on l.id = made.id
      left join webhook_endpoints w on w.id = made.endpoint_id
    )
    select id from made`
  return rows.map((row) => row.id)
}
