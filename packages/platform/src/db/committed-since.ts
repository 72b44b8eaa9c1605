// A place in the order of transactions, to read what was committed since: no row is missed, whatever order they commit in.
import type { Db } from './tx.ts'

/**
 * Called before the rows are read: what commits in between is read now and once more the next time.
 * @param before what the last call gave as `next`; null: everything is wanted.
 * @returns rows with `xid >= since` are to be read; `next` is the oldest transaction that still runs.
 */
export async function committedSince(db: Db, before: string | null): Promise<{ since: string; next: string }> {
  const [mark] = await db<{ next: string; isSetBack: boolean }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as next,
      pg_snapshot_xmax(pg_current_snapshot()) < ${before ?? '0'}::text::xid8 as "isSetBack"`
  // A restored cluster counts its transactions from a lower number: nothing of it would come after `before`.
  const since = mark?.isSetBack === false && before !== null ? before : '0'
  return { since, next: mark?.next ?? before ?? '0' }
}
