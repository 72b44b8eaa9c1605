// Reads events by position (api.md 4.4). One sequencer gives out positions after the commit and in commit order, so
// nothing is ever added below a position that can already be read.
import type { Sql } from '@florin/platform/db/pool'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import { eventKinds } from '@florin/protocol'

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

/** A range of positions and the partitions that hold all of them. */
export interface Window {
  from: bigint
  until: bigint
  fromTime: Date
  untilTime: Date
}

/** The last position given out. */
export async function lastPosition(db: Db): Promise<bigint> {
  const [row] = await db<{ last: bigint }[]>`select last_position as last from event_sequence`
  return row?.last ?? 0n
}

/**
 * The next range from position `from` on, limited to a few partitions: the positions up to the last one of the
 * partition that comes first, with every partition that has one of them. Null: there is nothing after it.
 * @param a.since earlier events are not wanted, so the range begins with the first that can be later.
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

/** At most `limit` events of a range, in order. */
export async function eventsWithin(
  tx: Tx,
  a: Reader & { window: Window; since: Date; limit: number },
): Promise<FeedEvent[]> {
  const { window } = a
  return tx<FeedEvent[]>`
    select id, position, event, body from order_events
    where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and event = any(${[...eventKinds]})
      and position between ${window.from.toString()}::bigint and ${window.until.toString()}::bigint
      and created_at >= greatest(${window.fromTime}::timestamptz, ${a.since}::timestamptz)
      and created_at < ${window.untilTime}
    order by position limit ${a.limit}`
}

/**
 * The position of an event, null where it has none yet.
 * @param a.around the time of its id, which selects the partitions.
 * @returns undefined when it is not this reader's, or was deleted.
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
 * A transaction whose statements use indexes, row by row and in index order. A plan cached while the tables were small
 * would read all of a large one, or sort a merchant's whole week for a page. Before PostgreSQL 18 a plan against these
 * settings has so high a cost that the statement would be compiled at each use (jit).
 */
export function byIndex<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(sql, async (tx) => {
    // Sent ahead of the first statement and in the same packet.
    const settings = tx`
      select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_sort', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config('enable_hashjoin', 'off', true), set_config('jit', 'off', true)`.execute()
    const [, result] = await Promise.all([settings, work(tx)])
    return result
  })
}
