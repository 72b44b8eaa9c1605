// Finds the transaction that holds back vacuum: rows deleted after it began cannot be cleaned up while it is open, so
// every queue and every frequently changed table becomes slower.
import type { Sql } from './pool.ts'

export interface OldTransaction {
  began: Date
  /** The backend's process, or null: a prepared transaction, which has none. */
  pid: number | null
  /** The connection's application name, or the prepared transaction's name. */
  name: string
}

/**
 * The transaction that has been open for longest. Without the role `pg_read_all_stats` PostgreSQL shows only sessions
 * of our own role, and prepared transactions.
 */
export async function oldestTransaction(sql: Sql): Promise<OldTransaction | null> {
  const [row] = await sql<OldTransaction[]>`
    select xact_start as began, pid, application_name as name from pg_stat_activity
    where datname = current_database() and backend_xmin is not null and xact_start is not null
      and backend_type = 'client backend'
    union all
    select prepared, null, gid from pg_prepared_xacts where database = current_database()
    order by began limit 1`
  return row ?? null
}
