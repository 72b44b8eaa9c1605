// The records that Florin keeps of an attempt (delivery_attempts, deliveries), written in batches by one statement, for
// the queues that are compared with it.
import type { Sql } from '../../packages/platform/src/db/pool.ts'
import type { Answered } from './post-one.ts'

export interface Attempt extends Answered {
  id: string
  n: number
}

export const isSuccess = (attempt: Answered): boolean =>
  attempt.status !== null && attempt.status >= 200 && attempt.status < 300

export async function writeAttempts(sql: Sql, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`
    with r as (
      select * from unnest(
        ${attempts.map((a) => a.id)}::text[], ${attempts.map((a) => a.n)}::smallint[],
        ${attempts.map((a) => a.startedAt.toISOString())}::timestamptz[], ${attempts.map((a) => a.latencyMs)}::int[],
        ${attempts.map((a) => a.status)}::smallint[],
        ${attempts.map((a) => (isSuccess(a) ? null : 'timeout_headers'))}::text[], ${attempts.map((a) => a.excerpt)}::text[],
        ${attempts.map((a) => (isSuccess(a) ? 'succeeded' : a.n < 5 ? 'retrying' : 'dead'))}::text[]
      ) as r(id, n, started_at, latency_ms, http_status, error, excerpt, status)
    ), logged as (
      insert into delivery_attempts (delivery_id, started_at, n, http_status, latency_ms, error, response_excerpt)
      select id, started_at, n, http_status, latency_ms, error, excerpt from r on conflict do nothing
    )
    update deliveries d set status = r.status, attempt_count = r.n from r where d.id = r.id`
}

/** Gathers what comes one by one; each caller waits until its attempt is written. One write at a time. */
export function makeGatherer(sql: Sql, batchMax: number, lingerMs: number): (attempt: Attempt) => Promise<void> {
  let waiting: { attempt: Attempt; resolve: () => void; reject: (error: unknown) => void }[] = []
  let isWriting = false
  let timer: NodeJS.Timeout | null = null
  const write = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await writeAttempts(
        sql,
        batch.map((each) => each.attempt),
      ).then(
        () => batch.forEach((each) => void each.resolve()),
        (error) => batch.forEach((each) => void each.reject(error)),
      )
    }
    isWriting = false
  }
  return (attempt) =>
    new Promise((resolve, reject) => {
      waiting.push({ attempt, resolve, reject })
      if (waiting.length >= batchMax) void write()
      else timer ??= setTimeout(write, lingerMs)
    })
}
