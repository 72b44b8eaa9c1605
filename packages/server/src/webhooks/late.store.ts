// SQL of webhooks that are late: due for more than a minute, and no request has been made. One definition for operators (the
// queue, all merchants) and one for a merchant (its own deliveries); every page, metric, alert and check reads one of the two.
import type { Sql } from '@florin/platform/db/pool'
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db } from '@florin/platform/db/tx'
import { MINUTE_MS } from '@florin/protocol'
import { indexed } from './queue/indexed.store.ts'

const LATE_AFTER_MS = MINUTE_MS
/** Lanes looked at, and rows counted: an operator acts long before either. */
const LANES_MAX = 5_000
const COUNTED_MAX = 20_000
const SHOWN_MAX = 1_000

/** What was due before this is late. */
export const dueBefore = (now: Date): Date => new Date(now.getTime() - LATE_AFTER_MS)

export interface LateQueue {
  count: number
  /** When the oldest of them was due; null: none is late. */
  since: Date | null
  /** Late ones of merchants that no request is being made for. */
  untouched: number
  /** Live workers, the requests that they may have open, and those that they have. */
  workers: number
  slots: number
  inFlight: number
}

/**
 * Counts what is ready, what should have become ready, and what a dead worker holds. The first row of each lane is its
 * oldest, so the walk from lane to lane costs one probe each, whatever else waits.
 */
export function readLateQueue(sql: Sql, now: Date): Promise<LateQueue> {
  return indexed(sql, async (tx) => {
    const [row] = await tx<LateQueue[]>`
      with recursive lanes(class, tenant, lane, run_at) as (
        (select class, tenant, lane, run_at from delivery_queue where state = 1
         order by class, tenant, lane, run_at, delivery_no limit 1)
        union all
        select next.* from lanes l cross join lateral (
          select q.class, q.tenant, q.lane, q.run_at from delivery_queue q
          where q.state = 1 and (q.class, q.tenant, q.lane) > (l.class, l.tenant, l.lane)
          order by q.class, q.tenant, q.lane, q.run_at, q.delivery_no limit 1) next
      ), late as (
        (select r.tenant, r.run_at from (select * from lanes limit ${LANES_MAX}) l cross join lateral (
           select q.tenant, q.run_at from delivery_queue q
           where q.state = 1 and q.class = l.class and q.tenant = l.tenant and q.lane = l.lane and q.run_at < ${dueBefore(now)}
           order by q.run_at limit ${COUNTED_MAX}) r
         where l.run_at < ${dueBefore(now)} limit ${COUNTED_MAX})
        union all
        (select tenant, run_at from delivery_queue where state = 2 and run_at < ${dueBefore(now)} limit ${COUNTED_MAX})
        union all
        (select tenant, lease_until from delivery_queue
         where state = 3 and lease_until < ${dueBefore(now)} limit ${COUNTED_MAX})
      ), served as materialized (
        select distinct tenant from delivery_queue where state = 3 and lease_until >= ${now}
      )
      select count(late.run_at)::int as count, min(late.run_at) as since,
        (count(late.run_at) filter (where late.tenant not in (select tenant from served)))::int as untouched,
        w.workers, w.slots, w.in_flight as "inFlight"
      from (
        select count(*)::int as workers, coalesce(sum(slots), 0)::int as slots, coalesce(sum(in_flight), 0)::int as in_flight
        from delivery_workers where beat_at > ${new Date(now.getTime() - LATE_AFTER_MS)}
      ) w left join late on true group by w.workers, w.slots, w.in_flight`
    return row ?? { count: 0, since: null, untouched: 0, workers: 0, slots: 0, inFlight: 0 }
  })
}

/** Those of a merchant in one mode: how many, at most 1,000, and when the oldest of them was due. */
export async function readLateOf(
  db: Db,
  a: { merchantNo: number; livemode: boolean; now: Date },
): Promise<{ count: number; since: Date | null }> {
  const [row] = await db<{ count: number; since: Date | null }[]>`
    select count(*)::int as count, min(next_attempt_at) as since from (
      select next_attempt_at from deliveries
      where merchant_no = ${a.merchantNo} and livemode = ${a.livemode} and status in ('pending', 'retrying')
        and next_attempt_at < ${dueBefore(a.now)} limit ${SHOWN_MAX}) late`
  return row ?? { count: 0, since: null }
}

/** How many deliveries wait, and since when. */
export const deliveryQueue = (db: Db, max: number): Query<Row[]> => db`
  select 'deliveries' as queue, count(*)::int as count, min(run_at) as since from (
    select run_at from delivery_queue where state = 1 limit ${max}) q`
