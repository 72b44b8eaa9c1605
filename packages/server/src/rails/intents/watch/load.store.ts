// SQL of how much there is to ask about, and of what nodes look at no more.
import type { Sql } from '../../../platform/db/pool.ts'
import type { Db } from '../../../platform/db/tx.ts'

export interface Load {
  /** Questions a second if each swap that nobody looks at were asked about once in the time that it has been quiet. */
  demand: number
  /** With a page open, or money under way. */
  moving: number
  /** That nodes look at, and of these where they saw something. */
  looked: number
  seen: number
}

/** Whether nodes look at a swap: on one of these chains, not past its time, and not told of too often. */
const isLookedAt = (db: Db, a: LookedAt) => db`
  (pay ->> 'chain' = any(${a.looked as string[]}::text[]) and returns_from > ${a.lookedFrom} and cardinality(seen) < ${a.seenMost})`

export interface LookedAt {
  looked: readonly string[]
  lookedFrom: Date
  seenMost: number
}

interface Quiet {
  now: Date
  hotForS: number
  quietFromS: number
}

/** Seconds since a swap's address was shown, or a page with it was open last, and a little more. */
const quietS = (db: Db, a: Quiet) => db`
  (${a.quietFromS}::float8 + greatest(0, extract(epoch from ${a.now}::timestamptz -
    greatest(created_at, hot_until - ${a.hotForS}::int * interval '1 second'))))`

/**
 * How much there is to ask about: of what is quiet, once in the time that it has been so; and how much is not. What has ended comes
 * behind all of it and takes nothing from it.
 */
export async function findLoad(sql: Sql, a: Quiet & LookedAt): Promise<Load> {
  const [row] = await sql<Load[]>`
    select coalesce(sum(1 / ${quietS(sql, a)}) filter (where rank > 1 and stage not in ('done', 'returned') and not ${isLookedAt(sql, a)}), 0) as demand,
      count(*) filter (where rank < 2)::int as moving,
      count(*) filter (where rank > 1 and ${isLookedAt(sql, a)})::int as looked,
      count(*) filter (where seen_due_at is not null)::int as seen
    from intents_legs where due_at is not null`
  return { demand: Number(row?.demand ?? 0), moving: row?.moving ?? 0, looked: row?.looked ?? 0, seen: row?.seen ?? 0 }
}

/** What no node looks at any more, and was left to them, is asked about as others that are as long quiet. */
export async function takeBack(
  sql: Sql,
  a: Quiet & LookedAt & { stretch: number; leastS: number; mostS: number },
): Promise<void> {
  await sql`
    update intents_legs set rank = 2, due_at = least(due_at, ${a.now}::timestamptz + interval '1 second' *
      least(${a.mostS}, greatest(${a.leastS}, ${a.stretch}::float8 * ${quietS(sql, a)})))
    where rank = 3 and due_at is not null and stage = 'waiting' and returns_from > ${a.lookedFrom}
      and not ${isLookedAt(sql, a)}`
}
