// What a start's statements wait for: locks of other sessions, and for an index the snapshots of older transactions. Such a wait has
// no limit, since the work is lost that was done until then, so the log names who is waited for.
import { openPool, type Sql } from '../pool.ts'
import { SAY_AFTER_MS, type Say } from './turn.ts'

interface Wait {
  pid: number
  seconds: number
  statement: string
  blockers: string
}

/** The same wait is said again after this many looks. */
const SAY_EVERY = 12

/** Looks every five seconds at the sessions of this name, on a connection of its own that is opened at the first look. */
export function watchWaits(url: string, applicationName: string, say: Say): { end(): Promise<void> } {
  const sql = openPool({ url, max: 1, applicationName: 'florin waits' })
  const looks = new Map<number, number>()

  async function look(): Promise<void> {
    const waits = await listWaits(sql, applicationName)
    for (const pid of looks.keys()) if (!waits.some((wait) => wait.pid === pid)) looks.delete(pid)
    for (const { pid, seconds, statement, blockers } of waits) {
      const seen = looks.get(pid) ?? 0
      looks.set(pid, seen + 1)
      if (seen % SAY_EVERY === 0) say(`waiting for ${blockers} for ${seconds} s, to go on with: ${statement}`)
    }
  }

  const timer = setInterval(() => void look().catch(() => undefined), SAY_AFTER_MS)
  return {
    async end() {
      clearInterval(timer)
      await sql.end({ timeout: 1 })
    },
  }
}

/** Of sessions of other roles only number and name are visible. */
function listWaits(sql: Sql, applicationName: string): Promise<Wait[]> {
  return sql<Wait[]>`
    select w.pid, extract(epoch from clock_timestamp() - w.query_start)::int as seconds,
      left(regexp_replace(w.query, '\\s+', ' ', 'g'), 100) as statement,
      string_agg(format('pid %s (%s)', b.pid, coalesce(a.application_name, '')), ', ') as blockers
    from pg_stat_activity w
      cross join lateral (select distinct unnest(pg_blocking_pids(w.pid)) as pid) b
      left join pg_stat_activity a on a.pid = b.pid
    where w.datname = current_database() and w.application_name = ${applicationName}
      and w.wait_event_type = 'Lock' and w.query_start < clock_timestamp() - interval '4 seconds'
    group by w.pid, w.query_start, w.query limit 10`
}
