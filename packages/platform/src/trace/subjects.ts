// One trace from the request that made something to whatever is done about it later, by any process: the trace is
// remembered under its id. Losing one loses a picture and nothing else, so no failure here is anybody's failure.
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import type { Job } from '../worker/job.ts'
import { scopeNow } from './scope.ts'
import { deleteTraces, findTraces, insertTrace } from './store.ts'
import { isTracing, traced } from './tracing.ts'

/** Longer than an order waits for its payer, and its webhooks for their receiver. */
const KEPT_MS = 7 * DAY_MS
const BATCH = 5_000

export async function rememberTrace({ sql, clock }: { sql: Sql; clock: Clock }, subject: string): Promise<void> {
  const traceparent = scopeNow()?.traceparent ?? null
  if (!isTracing() || traceparent === null) return
  await insertTrace(sql, { subject, traceparent, now: clock.now() }).catch(() => undefined)
}

/** What is known of these; nothing is asked where nobody wants traces. */
export async function tracesOf(sql: Sql, subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (!isTracing() || subjects.length === 0) return new Map()
  return findTraces(sql, subjects).catch(() => new Map())
}

/** Runs as a part of the trace of `subject`; without one, of the trace at hand. */
export async function tracedAbout<T>(sql: Sql, subject: string, name: string, run: () => Promise<T>): Promise<T> {
  if (!isTracing()) return run()
  const parent = (await tracesOf(sql, [subject])).get(subject) ?? scopeNow()?.traceparent ?? null
  return traced({ name, kind: 'internal', parent, attributes: { 'florin.order': subject } }, run)
}

export function forgetTracesJob({ sql, clock }: { sql: Sql; clock: Clock }): Job {
  return {
    name: 'forget-traces',
    everyMs: HOUR_MS,
    run: () => deleteTraces(sql, new Date(clock.now().getTime() - KEPT_MS), BATCH),
  }
}
