// Archives by itself what closed longer than ARCHIVE_AFTER ago, a file at a time and a quarter of the time, so that nobody
// notices. One process does it, whichever has the lease; between two files it is free for whoever erases or restores.
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { Counter, Gauge } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { idTime } from '../../platform/ids.ts'
import { metrics } from '../../platform/metrics.ts'
import type { Job, Log } from '../../platform/worker/job.ts'
import type { Config } from '../../settings.ts'
import { ArchiveBusy, archiveOrders } from './archive.ts'

const SHARE = 0.25

const moved = new Counter({
  name: 'florin_archived_orders_total',
  help: 'Orders that were moved to files of the archive',
  registers: [metrics],
})

const behind = new Gauge({
  name: 'florin_archive_behind_seconds',
  help: 'By how much the oldest order that was to be archived was older than ARCHIVE_AFTER; 0: none was left',
  registers: [metrics],
})

type JobDeps = { sql: Sql; clock: Clock; config: Config; log: Log }

export function archiveJob(deps: JobDeps): Job {
  let restsUntil = 0
  const run = async (signal: AbortSignal): Promise<number> => {
    if (performance.now() < restsUntil) return 0
    const moved = await archiveSome(deps, { signal })
    restsUntil = performance.now() + (moved > 0 ? 0 : HOUR_MS)
    return 0
  }
  return { name: 'archive-orders', everyMs: MINUTE_MS, run }
}

/** @returns how many were moved. @param a.share as of archiveOrders. */
export async function archiveSome(
  { config, ...deps }: JobDeps,
  a: { signal: AbortSignal; share?: number },
): Promise<number> {
  if (!config.archive) return 0
  const before = new Date(deps.clock.now().getTime() - config.archiveAfterMs)
  try {
    const done = await archiveOrders(deps, { dir: config.archiveDir, before, share: SHARE, files: 1, ...a })
    moved.inc(done.orders)
    const [file] = done.files
    behind.set(file === undefined ? 0 : Math.max(0, (before.getTime() - idTime(file.first).getTime()) / 1000))
    if (done.orders > 0) deps.log.info({ orders: done.orders, file: file?.file }, 'closed orders were archived')
    return done.orders
  } catch (error) {
    if (error instanceof ArchiveBusy || a.signal.aborted) return 0
    throw error
  }
}
