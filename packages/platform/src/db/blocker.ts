// Finds the session that keeps others waiting for a lock, for the log line of a call that gave up.
import { SECOND_MS } from '@florin/protocol'
import { stopwatch } from '../clock.ts'
import type { Sql } from './pool.ts'

export interface Blocker {
  /** For `pg_terminate_backend`. */
  pid: number
  /** The connection's application name; empty where our role may not see it. */
  name: string
  /** How long its transaction is open; null where our role may not see it. */
  seconds: number | null
  /** The table that it locked as a whole; null: it holds rows. */
  table: string | null
}

/**
 * The oldest of the sessions that somebody waits for, else of those that hold a whole table against writers. The one who asks has
 * given up waiting, so it is not among those who wait.
 */
function findBlocker(sql: Sql): Promise<Blocker[]> {
  return sql<Blocker[]>`
    with holders as materialized (
      select unnest(pg_blocking_pids(pid)) as pid, null::oid as relation, 0 as rank
      from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      union all
      select pid, relation, 1 from pg_locks
      where granted and locktype = 'relation' and relation >= 16384
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        and database = (select oid from pg_database where datname = current_database())
    )
    select a.pid, coalesce(a.application_name, '') as name, extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds,
      (select max(l.relation::regclass::text) from holders l where l.pid = a.pid) as table
    from holders h join pg_stat_activity a on a.pid = h.pid
    where a.pid <> pg_backend_pid() and a.wait_event_type is distinct from 'Lock'
    order by h.rank, a.xact_start limit 1`
}

/** Many who ask within a second get one answer. @returns null: none was found, or nobody could be asked. */
export function blockerFinder(sql: Sql): () => Promise<Blocker | null> {
  let asked: { sinceMs: () => number; answer: Promise<Blocker | null> } | null = null
  return () => {
    if (asked === null || asked.sinceMs() > SECOND_MS) {
      const answer = findBlocker(sql).then(
        ([row]) =>
          row === undefined ? null : { ...row, seconds: row.seconds === null ? null : Math.round(row.seconds) },
        () => null,
      )
      asked = { sinceMs: stopwatch(), answer }
    }
    return asked.answer
  }
}
