// The list of background jobs and their pace.
import { resealJob } from '@florin/platform/db/reseal'
import { digestJob } from '@florin/platform/mail/notices'
import { payerMailJob } from '@florin/platform/mail/payers'
import { mailJob } from '@florin/platform/mail/send'
import { forgetTracesJob } from '@florin/platform/trace/subjects'
import type { Job } from '@florin/platform/worker/job'
import { accountJobs } from './addresses/accounts/jobs.ts'
import { ripenJob } from './addresses/ripen-job.ts'
import { attentionJob } from './attention/lapse.ts'
import type { Deps } from './deps.ts'
import { emailChangeJob } from './login/accounts/email.routes.ts'
import { loginSweepJob } from './login/sweep.ts'
import { orderJobs } from './orders/jobs.ts'
import { gatherJob } from './prices/gather.ts'
import { standingJob } from './reports/standing/standing.ts'
import { sumsJobs } from './reports/stats/sums/job.ts'
import { weeklyJob } from './reports/weekly.ts'
import { sealedTables } from './sealed.ts'
import { sellingJob } from './selling/jobs.ts'
import { webhookJobs } from './webhooks/jobs.ts'

export function listJobs(deps: Deps): Job[] {
  return [
    mailJob(deps),
    payerMailJob(deps),
    digestJob(deps),
    resealJob(deps, sealedTables),
    ripenJob(deps),
    ...accountJobs(deps),
    emailChangeJob(deps),
    loginSweepJob(deps),
    ...orderJobs(deps),
    attentionJob(deps),
    sellingJob(deps),
    gatherJob(deps),
    weeklyJob(deps),
    ...sumsJobs(deps),
    standingJob(deps),
    forgetTracesJob(deps),
    ...webhookJobs(deps),
    ...deps.railJobs,
  ]
}
