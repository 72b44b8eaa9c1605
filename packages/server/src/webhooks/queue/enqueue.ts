// Puts the deliveries of an event into the queue, inside the transaction that commits the event, so what was committed is
// delivered and what was rolled back never is. No NOTIFY here: at commit it takes a lock that all writers share.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import { type UpdateKind, updateKinds, WEBHOOK_ENDPOINTS_MAX, type WebhookKind } from '@florin/protocol'
import { laneOf } from '../rules.ts'

export interface EventToDeliver {
  eventId: string
  eventCreatedAt: Date
  event: WebhookKind
  orderNo: string
  /** Small integer: the tenant for fair scheduling. */
  merchantNo: number
  livemode: boolean
  /** The order's own receiver, beside the account's endpoints. */
  own: OwnReceiver | null
}

export interface OwnReceiver {
  /** As returned by parseWebhookUrl. */
  url: string
  /** Whose secret signs it. */
  apiKeyId: string
}

const isUpdate = (event: WebhookKind): event is UpdateKind => (updateKinds as readonly string[]).includes(event)

/** The account's endpoints that take this event now. */
const takers = (db: Db, e: Pick<EventToDeliver, 'event' | 'merchantNo' | 'livemode'>): Query<Row[]> => db`
  webhook_endpoints w where w.merchant_no = ${e.merchantNo} and w.livemode = ${e.livemode}::boolean
    and w.deleted_at is null and w.disabled_at is null and ${e.event}::text = any(w.events)`

/** Whether somebody chose to hear of it: a condition for the row of an update, which is written for no one else. */
export const isChosen = (db: Db, e: Pick<EventToDeliver, 'event' | 'merchantNo' | 'livemode'>): Query<Row[]> =>
  db`exists (select from ${takers(db, e)})`

/**
 * Writes a delivery to the order's own receiver and one to each endpoint of the account that chose the event, with their
 * queue entries, due at once, in one statement. After the commit, and only then, fire `deps.wake.deliveries`; a lost wake
 * costs one polling interval.
 * @returns how many.
 */
export async function enqueueDeliveries(tx: Tx, e: EventToDeliver, now: Date): Promise<number> {
  const { merchantNo, own } = e
  const ids = Array.from({ length: WEBHOOK_ENDPOINTS_MAX + 1 }, () => newId('dlv', now))
  const lane = own === null ? null : laneOf(merchantNo, own.url)
  // An endpoint that chose an update after its row was passed over has nothing to be sent.
  const isWritten = isUpdate(e.event)
    ? tx`and exists (select from order_events o where o.id = ${e.eventId} and o.created_at = ${e.eventCreatedAt})`
    : tx``
  const rows = await tx`
    with targets as (
      select ${own?.url ?? null}::text as url, ${lane === null ? null : String(lane)}::bigint as lane,
             ${own?.apiKeyId ?? null}::text as api_key_id, null::text as endpoint_id
      where ${own !== null}::boolean
      union all
      select w.url, w.lane, null, w.id from ${takers(tx, e)} ${isWritten}
    ), numbered as (
      select t.*, row_number() over (order by t.endpoint_id nulls first) as place from targets t
    ), named as (
      select ids.id, n.url, n.lane, n.api_key_id, n.endpoint_id
      from numbered n join unnest(${ids}::text[]) with ordinality as ids(id, place) on ids.place = n.place
    ), made as (
      insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, endpoint_id, livemode,
                              url, next_attempt_at, created_at)
      select id, ${e.eventId}, ${e.eventCreatedAt}::timestamptz, ${e.event}, ${e.orderNo}, ${merchantNo}::int, api_key_id,
             endpoint_id, ${e.livemode}::boolean, url, ${now}::timestamptz, ${now}::timestamptz
      from named order by id
      returning no, id
    )
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select made.no, made.id, 0, ${merchantNo}::int, named.lane, 1, ${now}::timestamptz from made join named on named.id = made.id
    returning 1`
  return rows.length
}
