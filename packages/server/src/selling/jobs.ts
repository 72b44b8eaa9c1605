// The background job of selling: what limits no longer need is forgotten.
import { HOUR_MS } from '@florin/protocol'
import type { Clock } from '../platform/clock.ts'
import type { Sql } from '../platform/db/pool.ts'
import type { Job } from '../platform/worker/job.ts'
import { forgetStarts } from './limits/limits.ts'

export function sellingJob(deps: { sql: Sql; clock: Clock }): Job {
  return { name: 'forget-starts', everyMs: HOUR_MS, run: () => forgetStarts(deps) }
}
