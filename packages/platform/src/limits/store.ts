// Limits that are counted in the database, over all processes: how often something may happen within a window of time. A count that
// cannot be read is an error of its caller, so nothing passes uncounted.
import type { Sql } from '../db/pool.ts'
import type { Db } from '../db/tx.ts'

export interface Limit {
  /** What is counted, and of whom: `start client 192.0.2.1`. */
  scope: string
  max: number
  windowMs: number
  /**
   * `clock`: windows begin with the minute, hour or day. `sliding`: no window of this length holds more than `max`, wherever it
   * begins; it ends up to a twelfth later. Default: clock.
   */
  kind?: 'clock' | 'sliding'
}

const PARTS = 12

/** The part of a window that counts now, the oldest part that counts with it, and when it counts no more. */
function partOf({ windowMs, kind = 'clock' }: Pick<Limit, 'windowMs' | 'kind'>, now: Date) {
  const isSliding = kind === 'sliding'
  const partMs = isSliding ? windowMs / PARTS : windowMs
  const part = Math.floor(now.getTime() / partMs) * partMs
  const from = isSliding ? part - windowMs : part
  return { part: new Date(part), from: new Date(from), endsAt: new Date(part + partMs + (isSliding ? windowMs : 0)) }
}

/** When a clock window is over. */
export const endOfWindow = (windowMs: number, now: Date): Date => partOf({ windowMs }, now).endsAt

/**
 * Counts one more where the window has room for it: judged and counted in one statement, so that no number of processes passes
 * the limit. In a transaction the count is rolled back with it.
 * @returns how many there are with it; null: there is no room, and nothing was counted.
 */
export async function countWithin(db: Db, limit: Limit, now: Date): Promise<number | null> {
  const { part, from, endsAt } = partOf(limit, now)
  const earlier = db`
    (select coalesce(sum(e.n), 0)::int from limits e where e.scope = ${limit.scope} and e.part >= ${from} and e.part < ${part})`
  const [row] = await db<{ n: number }[]>`
    insert into limits as l (scope, part, n, ends_at)
    select ${limit.scope}, ${part}, 1, ${endsAt} where ${earlier} < ${limit.max}::int
    on conflict (scope, part) do update set n = l.n + 1 where l.n + ${earlier} < ${limit.max}::int
    returning n + ${earlier} as n`
  return row?.n ?? null
}

/** Adds what one process counted in a clock window. @returns what all of them did. */
export function addCounts(
  sql: Sql,
  window: { windowMs: number; now: Date },
  counts: readonly { scope: string; n: number }[],
): Promise<{ scope: string; n: number }[]> {
  const { part, endsAt } = partOf(window, window.now)
  // Sorted, so that two processes lock rows in one order.
  const sorted = [...counts].sort((a, b) => (a.scope < b.scope ? -1 : 1))
  return sql<{ scope: string; n: number }[]>`
    insert into limits as l (scope, part, n, ends_at)
    select scope, ${part}, n, ${endsAt}
    from unnest(${sorted.map(({ scope }) => scope)}::text[], ${sorted.map(({ n }) => n)}::int[]) counted(scope, n)
    on conflict (scope, part) do update set n = l.n + excluded.n
    returning scope, n`
}

/** Deletes what no limit counts any more. @returns how many, at most 1000. */
export async function forgetCounts(sql: Sql, now: Date): Promise<number> {
  const rows = await sql`
    delete from limits where (scope, part) in (select scope, part from limits where ends_at <= ${now} order by ends_at limit 1000)
    returning 1`
  return rows.length
}
