// Creates time partitions ahead of need. A row whose partition is missing cannot be written, so they are created at
// every start and daily by a job, two weeks ahead.
import { DAY_MS } from '@florin/protocol'
import type { Sql } from './pool.ts'

export interface PartitionedTable {
  name: string
  widthDays: number
}

export const PARTITIONS_AHEAD_DAYS = 14

/** Creates missing partitions from yesterday until two weeks ahead; safe to run concurrently. @returns how many. */
export async function makePartitions(sql: Sql, tables: readonly PartitionedTable[], now: Date): Promise<number> {
  const from = new Date(now.getTime() - DAY_MS)
  const until = new Date(now.getTime() + PARTITIONS_AHEAD_DAYS * DAY_MS)
  let made = 0
  for (const table of tables) {
    // Concurrent starters would both find a partition missing; the lock makes the second one see it.
    const rows = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7046029255)`
      return tx<{ made: number }[]>`
        select make_partitions(${table.name}, (${from}::timestamptz at time zone 'UTC')::date,
                               (${until}::timestamptz at time zone 'UTC')::date, ${table.widthDays}) as made`
    })
    made += rows[0]?.made ?? 0
  }
  return made
}

/**
 * Drops the partitions whose rows are all older than `before`. Gives up at once where a reader holds one: the next run
 * comes soon, and a waiting drop would block all writers.
 * @returns the names of the dropped partitions.
 */
export async function dropPartitions(sql: Sql, table: PartitionedTable, before: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const { name } of await oldPartitions(sql, table, before)) {
    await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', '1s', true)`
      await tx`drop table if exists ${tx(name)}`
    })
    dropped.push(name)
  }
  return dropped
}

/**
 * A partition is named for its first day: order_events_20261116. MATERIALIZED, or the planner may parse the names of
 * all tables as dates before it filters by parent.
 */
function oldPartitions(sql: Sql, table: PartitionedTable, before: Date): Promise<{ name: string }[]> {
  return sql<{ name: string }[]>`
    with partitions as materialized (
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table.name}::regclass
    )
    select name from partitions
    where to_date(right(name, 8), 'YYYYMMDD') + ${table.widthDays}::int <= (${before}::timestamptz at time zone 'UTC')::date
    order by name limit 100`
}

/** Whole days from `now` until the last partition ends; 0 where there is none. */
export async function daysAhead(sql: Sql, table: PartitionedTable, now: Date): Promise<number> {
  const [row] = await sql<{ days: number | null }[]>`
    select max(to_date(right(c.relname, 8), 'YYYYMMDD')) + ${table.widthDays}::int
           - (${now}::timestamptz at time zone 'UTC')::date as days
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(${table.name})`
  return row?.days ?? 0
}
