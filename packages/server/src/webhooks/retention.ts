// What is kept and for how long. Events and attempts are dropped by whole partitions; deliveries outlive them, so that
// a merchant still sees that something was sent, and resending it answers 410 instead of 404.

import type { Clock } from '@florin/platform/clock'
import { failureFields } from '@florin/platform/db/failures'
import { daysAhead, dropPartitions, makePartitions } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import { newId } from '@florin/platform/ids'
import type { Job, Log } from '@florin/platform/worker/job'
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import { partitionedTables } from '../partitions.ts'
import type { Config } from '../settings.ts'
import { dropOldSpans } from './feed/sequencer.store.ts'
import * as metrics from './metrics.ts'
import { deleteOldDeliveries } from './retention.store.ts'

type RetentionDeps = { sql: Sql; clock: Clock; log: Log; config: Config }

/** Pages show 30 days of events. */
const SPANS_KEPT_MS = 31 * DAY_MS
const DELIVERIES_KEPT_MS = 400 * DAY_MS
const DELETED_AT_ONCE = 2_000
const AHEAD_ALARM_DAYS = 7

export function retentionJobs(deps: RetentionDeps): Job[] {
  // The names tell /readyz that these do not run every minute.
  return [
    { name: 'forget-partitions', everyMs: HOUR_MS, run: () => tendPartitions(deps) },
    { name: 'forget-deliveries', everyMs: HOUR_MS, run: () => forgetDeliveries(deps) },
  ]
}

/** Creates partitions ahead, drops old ones, and logs a warning when too few are ahead. */
export async function tendPartitions(deps: RetentionDeps): Promise<number> {
  const { sql, clock, config, log } = deps
  const now = clock.now()
  // A failure here also shows in the warning below, which must still be checked.
  await makePartitions(sql, partitionedTables, now).catch((error: unknown) =>
    log.error(failureFields(error), 'partitions could not be made'),
  )
  await dropOldSpans(sql, new Date(now.getTime() - SPANS_KEPT_MS))
  for (const table of partitionedTables) {
    const keptMs = table.name === 'order_events' ? config.retentionEventsMs : config.retentionAttemptsMs
    // A reader may hold one: the next run drops it.
    const dropped = await dropPartitions(sql, table, new Date(now.getTime() - keptMs)).catch((error: unknown) => {
      log.warn({ ...failureFields(error), table: table.name }, 'partitions past their retention could not be dropped')
      return []
    })
    if (dropped.length > 0) log.info({ partitions: dropped }, 'partitions past their retention were dropped')
    const days = await daysAhead(sql, table, now)
    metrics.partitionsAhead.set({ table: table.name }, days)
    if (days < AHEAD_ALARM_DAYS) {
      log.warn({ table: table.name, days }, 'too few partitions exist ahead; when they run out nothing can be written')
    }
  }
  return 0
}

export function forgetDeliveries(deps: RetentionDeps): Promise<number> {
  const oldest = new Date(deps.clock.now().getTime() - DELIVERIES_KEPT_MS)
  return deleteOldDeliveries(deps.sql, newId('dlv', oldest), DELETED_AT_ONCE)
}
