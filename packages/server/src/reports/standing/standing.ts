// Counts what is under way, for the metrics: at its own pace, so that who reads them never waits for the database.
import type { Check } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import { readInstallation } from '@florin/platform/db/installation'
import type { Sql } from '@florin/platform/db/pool'
import type { Job } from '@florin/platform/worker/job'
import { SECOND_MS } from '@florin/protocol'
import { newestBackup } from '../../backup/newest.ts'
import { countOpenOrders } from '../../orders/figures.store.ts'
import type { Config } from '../../settings.ts'
import { readLateQueue } from '../../webhooks/late.store.ts'
import { judgeLateWebhooks } from '../late-webhooks.ts'
import { measureBackup, measureLateWebhooks, measureOrders, measureQueues } from './metrics.ts'
import { COUNTED_MAX, countQueues } from './store.ts'

const EVERY_MS = 15 * SECOND_MS

export function standingJob({ sql, clock, config }: { sql: Sql; clock: Clock; config: Config }): Job {
  let checks: readonly Check[] = []
  let installation: string | null = null
  return {
    name: 'count-what-stands',
    everyMs: EVERY_MS,
    checks: () => checks,
    async run() {
      const now = clock.now()
      measureOrders(await countOpenOrders(sql, { now, max: COUNTED_MAX }))
      measureQueues(await countQueues(sql, now), now)
      const late = await readLateQueue(sql, now)
      measureLateWebhooks(late, now)
      checks = [judgeLateWebhooks(late, now)]
      if (config.backupDir !== null) {
        installation ??= (await readInstallation(sql, now)).id
        measureBackup(await newestBackup(config.backupDir, installation).catch(() => null), now)
      }
      return 0
    },
  }
}
