// Statements about the database itself: liveness, its time, and NOTIFY.
import type { Sql } from './pool.ts'
import { withTx } from './tx.ts'

export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`
}

/**
 * Writes a megabyte that nobody keeps: room that has to be there. A table of its own, since rows of others may find room in
 * pages that exist.
 */
export async function tryWriting(sql: Sql): Promise<void> {
  await withTx(
    sql,
    (tx) => tx`
      create temporary table florin_write_probe on commit drop as
      select repeat('x', 500) as filler from generate_series(1, 2000)`,
  )
}

export interface Connections {
  inUse: number
  /** How many there may be, without those that PostgreSQL keeps for its administrators. */
  usable: number
}

/** Of the whole server. What kind a session of another role is stays hidden; workers of PostgreSQL have no user or no database. */
export async function countConnections(sql: Sql): Promise<Connections> {
  const [row] = await sql<Connections[]>`
    select (select count(*)::int from pg_stat_activity where datid is not null and usesysid is not null
        and coalesce(backend_type, 'client backend') = 'client backend') as "inUse",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as usable`
  if (row === undefined) throw new Error('the database did not say how many connections it has')
  return row
}

/** The database's time in milliseconds. */
export async function readTime(sql: Sql): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.ms
}

/** Notifies the sessions that listen on a channel. */
export async function notify(sql: Sql, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`
}
