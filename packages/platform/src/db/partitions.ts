// Creates time partitions ahead of need. A row whose partition is missing cannot be written, so they are created at
// every start and daily by a job, two weeks ahead.
import { DAY_MS } from '@florin/protocol'
import { OperatorError } from '../errors.ts'
import { isConflict, isDuplicate, isLockTimeout } from './failures.ts'
import type { Say } from './locks/turn.ts'
import { asOwner } from './owner.ts'
import type { Sql } from './pool.ts'
import { withTx } from './tx.ts'

export interface PartitionedTable {
  name: string
  widthDays: number
}

export const PARTITIONS_AHEAD_DAYS = 14

/** So long the maker of a partition waits for its table, and whoever needs the table behind it. */
const LOCK_WITHIN = '2s'
const TRIES = 5

/**
 * Creates missing partitions from yesterday until two weeks ahead. Of processes that do it at once one creates a partition, and
 * the others wait for that and look again.
 * @returns how many.
 * @throws the timeout of the lock where a session keeps the table for longer than two seconds.
 */
export async function makePartitions(sql: Sql, tables: readonly PartitionedTable[], now: Date): Promise<number> {
  const from = new Date(now.getTime() - DAY_MS)
  const until = new Date(now.getTime() + PARTITIONS_AHEAD_DAYS * DAY_MS)
  let made = 0
  for (const table of tables) {
    made += await makeOf(sql, table, { from, until })
  }
  return made
}

async function makeOf(
  sql: Sql,
  table: PartitionedTable,
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const rows = await withTx(sql, async (tx) => {
        await tx`select set_config('lock_timeout', ${LOCK_WITHIN}, true)`
        return tx<{ made: number }[]>`
          select make_partitions(${table.name}, (${from}::timestamptz at time zone 'UTC')::date,
                                 (${until}::timestamptz at time zone 'UTC')::date, ${table.widthDays}) as made`
      })
      return rows[0]?.made ?? 0
    } catch (error) {
      if (!isDuplicate(error) || attempt === TRIES) throw error
    }
  }
}

/**
 * For a start, which waits for nobody where today's rows have their partitions: the job makes the others later.
 * @throws OperatorError where they have none and a session keeps the table locked, and where another role owns it.
 */
export async function preparePartitions(
  sql: Sql,
  tables: readonly PartitionedTable[],
  now: Date,
  say: Say,
): Promise<void> {
  try {
    await asOwner(() => makePartitions(sql, tables, now))
  } catch (error) {
    if (!isLockTimeout(error) && !isConflict(error)) throw error
    for (const table of tables) {
      const days = await daysAhead(sql, table, now)
      if (days < 1)
        throw new OperatorError(
          `${table.name} has no partition for today, and another session keeps the table locked, so none can be made. ` +
            'Find it with: select pid, application_name, xact_start, query from pg_stat_activity order by xact_start. Then start this again.',
          { cause: error },
        )
      say(
        `partitions of ${table.name} could not be made, since another session keeps it locked; ${days} days are there`,
      )
    }
  }
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
