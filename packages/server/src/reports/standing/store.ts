// SQL of what stands in the queues. Each counts at most so many rows, by an index that holds only what is under way, so
// that counting costs the same however much was done before.
import type { Db } from '@florin/platform/db/tx'

/** A queue longer than this is long enough to be looked at. */
export const COUNTED_MAX = 20_000

export interface OpenOrders {
  status: 'pending' | 'processing'
  livemode: boolean
  age: string
  count: number
}

/** By how long ago they were made. */
export function countOpenOrders(db: Db, now: Date): Promise<OpenOrders[]> {
  return db<OpenOrders[]>`
    select status, livemode, case when age < interval '10 minutes' then 'under_10m' when age < interval '1 hour' then 'under_1h'
        when age < interval '1 day' then 'under_1d' else 'over_1d' end as age, count(*)::int as count
    from (
      (select status, livemode, ${now}::timestamptz - created_at as age from orders
        where status = 'processing' order by created_at limit ${COUNTED_MAX})
      union all
      (select status, livemode, ${now}::timestamptz - created_at from orders
        where look_at is not null and status = 'pending' order by look_at limit ${COUNTED_MAX})
    ) open group by 1, 2, 3 order by 1, 2, 3`
}

/** A queue: how many wait, and since when the one that is due longest. */
export interface Queue {
  queue: string
  count: number
  since: Date | null
}

export function countQueues(db: Db, now: Date): Promise<Queue[]> {
  return db<Queue[]>`
    select 'facts' as queue, count(*)::int as count, min(due_at) as since
      from (select due_at from rail_facts order by due_at, id limit ${COUNTED_MAX}) q
    union all
    select 'hand_overs', count(*)::int, min(hand_over_at) from (
      (select hand_over_at from settlements where handed_over_at is null and status = 'wanted'
        order by hand_over_at limit ${COUNTED_MAX})
      union all
      (select hand_over_at from refunds where handed_over_at is null and status = 'sending'
        order by hand_over_at limit ${COUNTED_MAX})) q
    union all
    select 'settlements', count(*)::int, min(created_at) from (
      select created_at from settlements where status in ('wanted', 'broadcast') and hold is null limit ${COUNTED_MAX}) q
    union all
    select 'refunds', count(*)::int, min(created_at) from (
      select created_at from refunds where status in ('sending', 'proposed') limit ${COUNTED_MAX}) q
    union all
    select 'deliveries', count(*)::int, min(run_at) from (
      select run_at from delivery_queue where state = 1 limit ${COUNTED_MAX}) q
    union all
    select 'mails', count(*)::int, min(created_at) filter (where attempts > 0 or due_at < ${now}) from (
      select created_at, attempts, due_at from mail_outbox limit ${COUNTED_MAX}) q`
}
