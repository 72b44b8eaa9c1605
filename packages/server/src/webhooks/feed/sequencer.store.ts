// SQL that gives out positions. All of it runs under the sequencer's lease, so that each statement begins after the one
// before it was committed; that alone makes positions follow commit order.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'

/** Spans begin at a whole multiple of this from a Monday on, so that none crosses a partition boundary. */
const SPAN = '6 hours'

export interface Waiting {
  /** Its place in the waiting line. */
  n: bigint
  /** Seconds since its commit, by the database's clock. */
  seconds: number
}

/** The event that has been without a position for longest, or null. */
export async function oldestWaiting(sql: Sql): Promise<Waiting | null> {
  const [row] = await sql<Waiting[]>`
    select n, extract(epoch from clock_timestamp() - arrived_at)::float8 as seconds
    from event_arrivals order by n limit 1`
  return row ?? null
}

/** Gives the next positions to at most `limit` events. @returns how many were waiting. */
export async function placeNext(tx: Tx, limit: number): Promise<number> {
  // Planned for what waits now, and each event looked up, whatever the statistics say: by those of a moment at which nothing waited
  // the planner reads all that waits anew for each event, three million rows for a step of a thousand. `= any (array[…])` leaves
  // it the index or a sequential scan, where a plain `=` leaves it reading the index through as well.
  await tx`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`
  // A row that is queued twice, as after a restore into tables that had their triggers, keeps its first position. A condition
  // "position is null" would say the same, but the planner takes it for rare and then reads the table instead of looking up.
  const [row] = await tx<{ count: number }[]>`
    with taken as materialized (
      select n, event_id, event_created_at, row_number() over (order by n, event_id) as nth
      from (select n, event_id, event_created_at from event_arrivals order by n, event_id limit ${limit}) as next
    ), gone as (
      delete from event_arrivals a using taken where a.n = any (array[taken.n]) and a.event_id = taken.event_id
    ), placed as (
      update order_events e
      set position = coalesce(e.position, coalesce((select last_position from event_sequence), 0) + taken.nth)
      from taken
      where e.id = any (array[taken.event_id]) and e.created_at = taken.event_created_at
      returning e.position, e.created_at
    ), spans as (
      insert into event_spans as known (from_at, until_at, first_position, last_position)
      select from_at, from_at + ${SPAN}::interval, min(position), max(position)
      from (select position, date_bin(${SPAN}::interval, created_at, '2001-01-01Z') as from_at from placed) as each
      group by from_at
      on conflict (from_at) do update set first_position = least(known.first_position, excluded.first_position),
        last_position = greatest(known.last_position, excluded.last_position)
    ), moved as (
      insert into event_sequence (last_position) select max(position) from placed having count(*) > 0
      on conflict (only_row) do update set last_position = greatest(event_sequence.last_position, excluded.last_position)
    )
    select count(*)::int as count from taken`
  return row?.count ?? 0
}

/** Spans that no page reads any more. */
export async function dropOldSpans(sql: Sql, before: Date): Promise<void> {
  await sql`delete from event_spans where until_at < ${before}`
}
