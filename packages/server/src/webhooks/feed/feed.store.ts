// Reading events by position (api.md 4.4). Positions are given after the commit and in its order, by one sequencer, so
// whatever lies behind a position that can be read could be read before it.
import type { Sql } from '../../platform/db/pool.ts'
import { type Db, type Tx, withTx } from '../../platform/db/tx.ts'

export interface FeedEvent {
  id: string
  position: bigint
  event: string
  body: Uint8Array
}

export interface Reader {
  merchantId: string
  livemode: boolean
}

/** A stretch of positions and the partitions in which all of them are. */
export interface Window {
  from: bigint
  until: bigint
  fromTime: Date
  untilTime: Date
}

/** The last position that was given. */
export async function lastPosition(db: Db): Promise<bigint> {
  const [row] = await db<{ last: bigint }[]>`select last_position as last from event_sequence`
  return row?.last ?? 0n
}

/**
 * The next stretch from position `from` on, as long as few partitions hold it: the positions up to the last one of the
 * partition that comes first, with every partition that has one of them. Null: there is nothing behind.
 * @param a.since events before it are not wanted, so the stretch begins with the first that can be later.
 */
export async function nextWindow(db: Db, a: { from: bigint; since: Date }): Promise<Window | null> {
  const [row] = await db<Window[]>`
    with weeks as (
      select date_bin('7 days', from_at, '2001-01-01Z') as week, min(first_position) as first, max(last_position) as last
      from event_spans where until_at > ${a.since} and last_position >= ${a.from.toString()}::bigint group by 1
    ), nearest as (
      select first, last from weeks order by first limit 1
    )
    select greatest(nearest.first, ${a.from.toString()}::bigint) as from, nearest.last as until,
      min(week) as "fromTime", max(week) + interval '7 days' as "untilTime"
    from weeks join nearest on weeks.first <= nearest.last
    group by nearest.first, nearest.last`
  return row ?? null
}

/** At most `limit` events of a window, in order. */
export function eventsWithin(tx: Tx, a: Reader & { window: Window; since: Date; limit: number }): Promise<FeedEvent[]> {
  const { window } = a
  return tx<FeedEvent[]>`
    select id, position, event, body from order_events
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and event is not null
      and position between ${window.from.toString()}::bigint and ${window.until.toString()}::bigint
      and created_at >= greatest(${window.fromTime}::timestamptz, ${a.since}::timestamptz)
      and created_at < ${window.untilTime}
    order by position limit ${a.limit}`
}

/**
 * Where an event stands, null where it has no position yet.
 * @param a.around the time of its id, by which the partitions are chosen.
 * @returns undefined when it is not this reader's, or is no more.
 */
export async function positionOf(
  db: Db,
  a: Reader & { eventId: string; around: Date },
): Promise<bigint | null | undefined> {
  const [row] = await db<{ position: bigint | null }[]>`
    select position from order_events
    where id = ${a.eventId} and merchant_id = ${a.merchantId} and livemode = ${a.livemode}
      and created_at between ${a.around}::timestamptz - interval '1 day' and ${a.around}::timestamptz + interval '1 day'
    limit 1`
  return row?.position ?? (row === undefined ? undefined : null)
}

/**
 * A transaction whose statements are carried out by index, row by row and in its order. A plan made and kept while the
 * tables were small would read all of a large one, or sort a merchant's whole week for a page.
 */
export function byIndex<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(sql, async (tx) => {
    await tx`
      select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_sort', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config('enable_hashjoin', 'off', true)`
    return work(tx)
  })
}
