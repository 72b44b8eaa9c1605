// Owns the making of time partitions ahead of need. A row whose partition is missing cannot be written, so they are
// made at every start and daily by a job, two weeks ahead.
import { DAY_MS } from '@florin/protocol'
import type { Sql } from './pool.ts'

export interface PartitionedTable {
  name: string
  widthDays: number
}

export const PARTITIONS_AHEAD_DAYS = 14

/** Makes what is missing from yesterday until two weeks ahead; two processes may try at once. @returns how many. */
export async function makePartitions(sql: Sql, tables: readonly PartitionedTable[], now: Date): Promise<number> {
  const from = new Date(now.getTime() - DAY_MS)
  const until = new Date(now.getTime() + PARTITIONS_AHEAD_DAYS * DAY_MS)
  let made = 0
  for (const table of tables) {
    // Concurrent starters would both find a partition missing; the lock makes the second one find it made.
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
