// SQL of requests counted over all processes.
import type { Sql } from '../db/pool.ts'

/** Adds what one process counted. @returns what all of them did in this minute. */
export function addCounts(
  sql: Sql,
  minute: Date,
  counts: readonly { holder: string; n: number }[],
): Promise<{ holder: string; n: number }[]> {
  // Sorted, so that two processes lock rows in one order.
  const sorted = [...counts].sort((a, b) => (a.holder < b.holder ? -1 : 1))
  return sql<{ holder: string; n: number }[]>`
    insert into request_counts as known (holder, minute, n)
    select holder, ${minute}::timestamptz, n
    from unnest(${sorted.map(({ holder }) => holder)}::text[], ${sorted.map(({ n }) => n)}::int[]) counted(holder, n)
    on conflict (holder, minute) do update set n = known.n + excluded.n
    returning holder, n`
}

export const forgetCounts = (sql: Sql, before: Date): Promise<unknown> =>
  sql`delete from request_counts where minute < ${before}`
