// Owns the list of background jobs and their pace.
import type { Deps } from './deps.ts'
import type { Job } from './platform/worker/loop.ts'

export function listJobs(_deps: Deps): Job[] {
  return []
}
