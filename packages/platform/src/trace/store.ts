// SQL of which trace belongs to what. Written and read only where traces are wanted.
import type { Db } from '../db/tx.ts'

export function insertTrace(db: Db, a: { subject: string; traceparent: string; now: Date }): Promise<unknown> {
  return db`
    insert into traces (subject, traceparent, created_at) values (${a.subject}, ${a.traceparent}, ${a.now})
    on conflict (subject) do nothing`
}

export async function findTraces(db: Db, subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ subject: string; traceparent: string }[]>`
    select subject, traceparent from traces where subject = any(${[...new Set(subjects)]}::text[])`
  return new Map(rows.map((row) => [row.subject, row.traceparent]))
}

/** A batch. @returns how many. */
export async function deleteTraces(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await db`
    delete from traces where subject = any(array(
      select subject from traces where created_at < ${before} order by created_at limit ${limit}
    )) returning 1`
  return rows.length
}
