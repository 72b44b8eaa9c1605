// Requests "at the same moment" are so only where each has a connection at once: on a cold pool the first is done
// before the second has connected, and a lock that is missing is not missed.
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'

/** Opens this many connections of a pool: so many transactions begin before the first of them ends. */
export async function warmed(sql: Sql, connections = 8): Promise<void> {
  const all = Promise.withResolvers<void>()
  let begun = 0
  await Promise.all(
    Array.from({ length: connections }, () =>
      withTx(sql, async (tx) => {
        await tx`select 1`
        if (++begun === connections) all.resolve()
        await all.promise
      }),
    ),
  )
}
