// Deletes codes, wrong tries and sessions once no limit counts them and nothing reads them.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { sweepLinks } from '@florin/platform/mail/links.store'
import type { Job } from '@florin/platform/worker/job'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { sweepBrowsers } from './browser.store.ts'
import { BROWSER_KEPT_MS } from './browser.ts'
import { sweepConfirmations } from './confirmation.store.ts'
import { sweepLogin } from './store.ts'

/** Ended sessions stay for this long, for investigating who had access. */
const SESSIONS_KEPT_MS = 30 * DAY_MS

export function loginSweepJob(deps: { sql: Sql; clock: Clock }): Job {
  return {
    name: 'forget-logins',
    everyMs: 10 * MINUTE_MS,
    async run() {
      const now = deps.clock.now()
      const ago = (ms: number): Date => new Date(now.getTime() - ms)
      const gone = await Promise.all([
        sweepLogin(deps.sql, {
          now,
          codes: ago(HOUR_MS),
          wrongTries: ago(DAY_MS),
          sessions: ago(SESSIONS_KEPT_MS),
        }),
        sweepConfirmations(deps.sql, ago(HOUR_MS)),
        sweepBrowsers(deps.sql, ago(BROWSER_KEPT_MS)),
        sweepLinks(deps.sql, ago(0)),
      ])
      return gone.reduce((sum, n) => sum + n, 0)
    },
  }
}
