// Writes results: queue, attempt log and delivery in one statement, so that none can be lost without the others. Every
// write is fenced by the token of the claim; what comes too late is logged but decides nothing.
import type { Db, Tx } from '@florin/platform/db/tx'
import { addTasksFrom } from '@florin/platform/tasks/store'
import { countDeliveries } from '../../sums/changes.store.ts'
import { DELIVERY_DEATH } from '../rules.ts'
import type { Verdict } from './schedule.ts'

export interface Result {
  no: bigint
  id: string
  token: bigint
  /** 1 to 5. */
  n: number
  startedAt: Date
  latencyMs: number
  httpStatus: number | null
  /** null: a 2xx. */
  error: string | null
  excerpt: string | null
  detail: string | null
  verdict: Verdict
}

/**
 * Writes a batch; in one statement whatever its size.
 * `state = 3` must not stand in the predicates, though it would be true: with it the planner takes
 * delivery_queue_leased, whose statistics say "nearly empty", and walks all its dead entries (measured: 100 ms for 200
 * rows instead of 3).
 * @returns the numbers of the deliveries that were still leased under their token.
 */
export async function writeResults(db: Db, results: readonly Result[]): Promise<Set<bigint>> {
  // In key order, so that concurrent writers cannot deadlock.
  const rows = results.toSorted((a, b) => (a.no < b.no ? -1 : a.no > b.no ? 1 : 0))
  const kept = await db<{ no: bigint }[]>`
    with r as materialized (
      select * from unnest(
        ${rows.map((r) => String(r.no))}::bigint[], ${rows.map((r) => r.id)}::text[],
        ${rows.map((r) => String(r.token))}::bigint[], ${rows.map((r) => r.n)}::smallint[],
        ${rows.map((r) => r.verdict.kind)}::text[],
        ${rows.map((r) => (r.verdict.kind === 'retry' ? r.verdict.at.toISOString() : null))}::timestamptz[],
        ${rows.map((r) => r.startedAt.toISOString())}::timestamptz[], ${rows.map((r) => r.latencyMs)}::int[],
        ${rows.map((r) => r.httpStatus)}::smallint[], ${rows.map((r) => r.error)}::text[],
        ${rows.map((r) => r.excerpt)}::text[], ${rows.map((r) => r.detail)}::text[]
      ) as r(no, id, token, n, verdict, next_at, started_at, latency_ms, http_status, error, excerpt, detail)
    ), gone as (
      delete from delivery_queue q using r
      where q.delivery_no = r.no and q.lease_token = r.token and r.verdict <> 'retry'
      returning r.no, r.id, r.n, r.verdict, r.next_at, r.started_at
    ), again as (
      update delivery_queue q
      set state = 2, class = 1, attempt = r.n, claims = 0, run_at = r.next_at, lease_until = null, lease_token = null
      from r
      where q.delivery_no = r.no and q.lease_token = r.token and r.verdict = 'retry'
      returning r.no, r.id, r.n, 'retrying', r.next_at, r.started_at
    ), kept as (select * from gone union all select * from again), logged as (
      insert into delivery_attempts (delivery_id, started_at, n, http_status, latency_ms, error, response_excerpt, detail)
      select id, started_at, n, http_status, latency_ms, error, excerpt, detail from r
      on conflict do nothing
    ), shown as (
      update deliveries d
      set status = kept.verdict, attempt_count = kept.n, next_attempt_at = kept.next_at, xid = pg_current_xact_id()
      from kept where d.id = kept.id
      returning d.merchant_no, d.livemode, d.created_at, d.status
    ), counted as (${countDeliveries(db, 'shown', 1)}), died as (
      ${addTasksFrom(db, DELIVERY_DEATH, db`select id, started_at from kept where verdict = 'dead'`)}
    )
    select no from kept`
  return new Set(kept.map((row) => row.no))
}

/**
 * A success that came after its lease had ended still counts: the receiver has the event. It removes the row from the
 * queue, unless another worker is sending it again right now; then that attempt decides.
 */
export async function writeLateSuccess(tx: Tx, late: Pick<Result, 'no' | 'id' | 'n'>): Promise<boolean> {
  const rows = await tx`
    with gone as (
      delete from delivery_queue where delivery_no = ${late.no} and state <> 3 returning delivery_id
    ), shown as (
      update deliveries d
      set status = 'succeeded', attempt_count = greatest(d.attempt_count, ${late.n}::smallint), next_attempt_at = null,
        xid = pg_current_xact_id()
      from gone where d.id = gone.delivery_id
      returning d.merchant_no, d.livemode, d.created_at, d.status
    ), counted as (${countDeliveries(tx, 'shown', 1)})
    select from shown`
  return rows.length > 0
}
