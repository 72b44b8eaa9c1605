// The background job of selling: what limits no longer need is forgotten.
import { HOUR_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import type { Job } from '../platform/worker/loop.ts'
import { forgetStarts } from './limits/limits.ts'

export function sellingJob(deps: Pick<Deps, 'sql' | 'clock'>): Job {
  return { name: 'forget-starts', everyMs: HOUR_MS, run: () => forgetStarts(deps) }
}
