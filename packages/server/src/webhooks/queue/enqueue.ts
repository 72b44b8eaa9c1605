// Puts a delivery into the queue, inside the transaction that commits the event, so what was committed is delivered and
// what was rolled back never is. No NOTIFY here: at commit it takes a lock that all writers share.
import type { EventKind } from '@florin/protocol'
import type { Tx } from '../../platform/db/tx.ts'
import { newId } from '../../platform/ids.ts'
import { laneOf } from '../rules.ts'

export interface EventToDeliver {
  eventId: string
  eventCreatedAt: Date
  event: EventKind
  orderNo: string
  merchantId: string
  /** Small integer: the tenant for fair scheduling. */
  merchantNo: number
  apiKeyId: string
  livemode: boolean
  /** As returned by parseWebhookUrl. */
  url: string
}

/**
 * Writes one delivery and its queue entry, due at once, in one statement. After the commit, and only then, fire
 * `deps.wake.deliveries`; a lost wake costs one polling interval.
 */
export async function enqueueDelivery(tx: Tx, e: EventToDeliver, now: Date): Promise<void> {
  await tx`
    with made as (
      insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url,
                              next_attempt_at, created_at)
      values (${newId('dlv', now)}, ${e.eventId}, ${e.eventCreatedAt}, ${e.event}, ${e.orderNo}, ${e.merchantNo},
              ${e.apiKeyId}, ${e.livemode}, ${e.url}, ${now}, ${now})
      returning no, id
    )
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select no, id, 0, ${e.merchantNo}, ${laneOf(e.merchantNo, e.url)}, 1, ${now} from made`
}
