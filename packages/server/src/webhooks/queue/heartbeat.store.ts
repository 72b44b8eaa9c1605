// SQL of live workers: each sends a heartbeat every few seconds, and so learns how many share the work.
import type { Sql } from '@florin/platform/db/pool'
import { MINUTE_MS } from '@florin/protocol'

/** A worker that was silent for this long no longer counts. */
const LIVE_MS = 15_000

export interface Beat {
  id: string
  now: Date
  slots: number
  inFlight: number
}

/** @returns how many workers are live, this one included. */
export async function beat(sql: Sql, b: Beat): Promise<number> {
  const [row] = await sql<{ live: number }[]>`
    with mine as (
      insert into delivery_workers (id, beat_at, slots, in_flight)
      values (${b.id}, ${b.now}, ${b.slots}, ${b.inFlight})
      on conflict (id) do update set beat_at = excluded.beat_at, in_flight = excluded.in_flight
    ), gone as (
      delete from delivery_workers where beat_at < ${new Date(b.now.getTime() - 10 * MINUTE_MS)} and id <> ${b.id}
    )
    select count(*)::int + 1 as live from delivery_workers
    where id <> ${b.id} and beat_at > ${new Date(b.now.getTime() - LIVE_MS)}`
  return row?.live ?? 1
}

/** A stopping worker removes itself: the others take over its share at once. */
export async function lastBeat(sql: Sql, id: string): Promise<void> {
  await sql`delete from delivery_workers where id = ${id}`
}
