// The transaction that the queue's statements run in. The queue is empty one minute and holds a million rows the next;
// a plan cached while it was one page long would read all of it. So sequential scans are disabled, which leaves one
// plan for all sizes, made once: by default PostgreSQL would plan the scan again for each claim (0.5 ms).
import type { Sql } from '../../platform/db/pool.ts'
import { type Tx, withTx } from '../../platform/db/tx.ts'

/**
 * @param durable false: the commit need not reach the disk before it is answered. For claims only: one that is lost in
 * a crash of the database is a redelivery, which the contract allows.
 */
export function indexed<T>(sql: Sql, durable: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTx(sql, async (tx) => {
    // Local to the transaction, so it is safe behind a pooler. execute() sends it now, ahead of the first statement and
    // in the same packet; otherwise it would be sent when it is awaited, after that statement.
    const settings = tx`
      select set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config('enable_hashjoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
             set_config('synchronous_commit', coalesce(${durable ? null : 'off'}, current_setting('synchronous_commit')), true)`.execute()
    const [, result] = await Promise.all([settings, work(tx)])
    return result
  })
}
