// The list of background jobs and their pace.
import type { Deps } from './deps.ts'
import { loginSweepJob } from './login/sweep.ts'
import { orderJobs } from './orders/jobs.ts'
import { mailJob } from './platform/mail/send.ts'
import type { Job } from './platform/worker/loop.ts'
import { webhookJobs } from './webhooks/jobs.ts'

export function listJobs(deps: Deps): Job[] {
  return [mailJob(deps), loginSweepJob(deps), ...orderJobs(deps), ...webhookJobs(deps), ...deps.railJobs]
}
