// Florin's own engine, with all its jobs, as a worker process has it.
import { pino } from 'pino'
import { databaseClock } from '../../packages/platform/src/clock.ts'
import { openPool } from '../../packages/platform/src/db/pool.ts'
import { makeSecrets } from '../../packages/platform/src/secrets.ts'
import { startJobs } from '../../packages/platform/src/worker/loop.ts'
import { makeWakes } from '../../packages/server/src/wakes.ts'
import { webhookJobs } from '../../packages/server/src/webhooks/jobs.ts'
import * as metrics from '../../packages/server/src/webhooks/metrics.ts'
import { tuning } from '../../packages/server/src/webhooks/queue/tuning.ts'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { testConfig } from '../../packages/server/test/harness.ts'
import { succeeded } from './database.ts'
import { serveSide } from './side.ts'

await serveSide(async (orders) => {
  const sql = openPool({ url: orders.databaseUrl, max: 10, applicationName: 'florin' })
  const clock = await databaseClock(sql)
  const config = testConfig({ webhookAllowPrivate: true })
  const deps = {
    ...{ config, sql, clock, log: pino({ level: 'error' }), secrets: makeSecrets(MASTER_KEY) },
    wake: makeWakes(),
  }
  process.once('SIGTERM', () => process.exit(0))
  return () => {
    startJobs(webhookJobs(deps, tuning), deps)
    return { done: untilDone() }
  }

  /** Counts in memory while it goes, and in the database at the end, so that the look costs nothing. */
  async function untilDone(): Promise<void> {
    let sent = 0
    while (sent < orders.healthy) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      sent = (await metrics.attempts.get()).values.find((value) => value.labels.outcome === 'ok')?.value ?? 0
    }
    while ((await succeeded(sql)) < orders.healthy);
  }
})
