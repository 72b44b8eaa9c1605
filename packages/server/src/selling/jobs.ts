// The background job of selling: what limits no longer need is forgotten.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS } from '@florin/protocol'
import { forgetStarts } from './limits/limits.ts'

export function sellingJob(deps: { sql: Sql; clock: Clock }): Job {
  return { name: 'forget-starts', everyMs: HOUR_MS, run: () => forgetStarts(deps) }
}
