// Background work on accounts: learning which addresses were used before, deriving ahead, and the wallet's own change.
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { fillLookAhead } from './assign.ts'
import { tellLimits } from './tell.ts'
import { accountUseJob, type UseDeps } from './use.ts'
import { keepWallets } from './wallets.ts'

export function accountJobs(deps: UseDeps): Job[] {
  return [
    accountUseJob(deps),
    { name: 'account-limits', everyMs: MINUTE_MS, run: () => tellLimits(deps) },
    { name: 'account-look-ahead', everyMs: 5 * SECOND_MS, run: () => fillLookAhead(deps.sql) },
    { name: 'account-wallets', everyMs: 5 * SECOND_MS, run: () => keepWallets(deps.sql) },
  ]
}
