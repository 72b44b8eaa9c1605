// How the queue's statements are planned. The queue is empty one minute and holds a million rows the next; a plan cached
// while it was one page long would read all of it. So sequential scans are disabled, which leaves one plan for all
// sizes, made once: by default PostgreSQL would plan the scan again for each claim (0.5 ms).
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'

const onePlan = {
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  enable_hashjoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/**
 * One connection for claims alone and one for results alone: at full load there is a statement of each all the time, and
 * a transaction around it would cost as much again. Claims need not reach the disk before they are answered: one that is
 * lost in a crash of the database is a redelivery, which the contract allows.
 */
export const forClaims = (sql: Sql): Sql => sql.apart({ max: 1, settings: { ...onePlan, synchronous_commit: 'off' } })
export const forResults = (sql: Sql): Sql => sql.apart({ max: 1, settings: onePlan })

/** The same in a transaction on any connection, for what is seldom done. */
export function indexed<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(sql, async (tx) => {
    // Local to the transaction, so it is safe behind a pooler. execute() sends it now, ahead of the first statement and
    // in the same packet; otherwise it would be sent when it is awaited, after that statement.
    const settings = tx`
      select set_config(name, value, true) from jsonb_each_text(${tx.json(onePlan)}::jsonb) as each (name, value)`.execute()
    const [, result] = await Promise.all([settings, work(tx)])
    return result
  })
}
