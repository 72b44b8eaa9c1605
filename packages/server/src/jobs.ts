// Owns the list of background jobs and their pace.
import type { Deps } from './deps.ts'
import { loginSweepJob } from './login/sweep.ts'
import { mailJob } from './platform/mail/send.ts'
import type { Job } from './platform/worker/loop.ts'

export function listJobs(deps: Deps): Job[] {
  return [mailJob(deps), loginSweepJob(deps)]
}
