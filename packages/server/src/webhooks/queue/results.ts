// Buffers results between the receiver's answer and the database: collected for a few milliseconds, written in batches,
// one write at a time. A failed write is retried until its lease ends; then the delivery is sent again.
import { type Clock, stopwatch } from '@florin/platform/clock'
import { failureFields, isDatabaseDown } from '@florin/platform/db/failures'
import { makePartitions } from '@florin/platform/db/partitions'
import type { Sql } from '@florin/platform/db/pool'
import { untilNoConflict } from '@florin/platform/db/tx'
import { within } from '@florin/platform/trace/scope'
import type { Log } from '@florin/platform/worker/job'
import { partitionedTables } from '../../partitions.ts'
import * as metrics from '../metrics.ts'
import { forResults, indexed } from './indexed.store.ts'
import { type Result, writeLateSuccess, writeResults } from './record.store.ts'
import type { Tuning } from './tuning.ts'

/** What the log says of a delivery. */
export interface Story {
  order: string
  /** null: not known any more. */
  merchant: string | null
  event: string
  traceparent: string | null
}

export interface Leased extends Result {
  leaseUntil: Date
  about: Story
}

export interface Results {
  add(result: Leased): void
  /** Too much is waiting, or writing has become slow: nothing more should be claimed. */
  isCongested(): boolean
  /** How long writes have been failing; 0 when all is well. */
  stuckMs(): number
  /** Writes what there is; resolves when nothing waits any more, or its leases have ended. */
  drain(): Promise<void>
}

const BATCH_MAX = 500
const WAITING_MAX = 2_000
const SLOW_FLUSH_MS = 2_000
const RETRY_MS = 200

/** @param onRelief is called when congestion ends. */
export function makeResults(
  deps: { sql: Sql; clock: Clock; log: Log },
  tuning: Pick<Tuning, 'lingerMs'>,
  onRelief: () => void,
): Results {
  const durable = forResults(deps.sql)
  let waiting: Leased[] = []
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let isSlow = false
  let stuckForMs: (() => number) | null = null
  /** A caller asked while it was congested and has to be notified when that ends. */
  let wasRefused = false

  /** @returns the results that are done; the others are to be retried. */
  const write = async (batch: readonly Leased[]): Promise<Set<Leased>> => {
    try {
      const kept = await untilNoConflict(() => writeResults(durable, batch))
      for (const result of batch) await settle(deps, result, kept.has(result.no))
      return new Set(batch)
    } catch (error) {
      // Before anything is awaited: from here on nothing more is claimed.
      isSlow = true
      deps.log.warn(
        { ...failureFields(error), results: batch.length },
        'delivery results could not be written; will retry',
      )
      if (isNoPartition(error)) await makePartitions(deps.sql, partitionedTables, deps.clock.now()).catch(() => 0)
      if (isNoPartition(error) || isDatabaseDown(error) || batch.length === 1) return new Set()
      // One row that the database refuses must not hold up the others; it is dropped when its lease ends, and reaped.
      const written = new Set<Leased>()
      for (const result of batch) for (const each of await write([result])) written.add(each)
      return written
    }
  }

  const writeAll = async (): Promise<void> => {
    do {
      const batch = waiting.slice(0, BATCH_MAX)
      const elapsedMs = stopwatch()
      const written = await write(batch)
      waiting = waiting.filter((result) => !written.has(result))
      isSlow = written.size < batch.length || elapsedMs() > SLOW_FLUSH_MS
      stuckForMs = written.size > 0 ? null : (stuckForMs ?? stopwatch())
      metrics.flushSeconds.observe(elapsedMs() / 1000)
      if (written.size < batch.length) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      waiting = dropExpired(deps, waiting)
    } while (waiting.length >= BATCH_MAX || (isSlow && waiting.length > 0))
    isSlow = false
    stuckForMs = null
    if (wasRefused) onRelief()
    wasRefused = false
  }

  const start = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing ??= writeAll().finally(() => {
      writing = null
      // What came while the last batch was being written is collected like any other.
      if (waiting.length > 0) schedule()
    })
  }
  const schedule = (): void => {
    if (waiting.length >= BATCH_MAX) start()
    else if (writing === null) timer ??= setTimeout(start, tuning.lingerMs)
  }

  return {
    isCongested() {
      const isFull = isSlow || waiting.length >= WAITING_MAX
      wasRefused ||= isFull
      return isFull
    },
    stuckMs: () => stuckForMs?.() ?? 0,
    add(result) {
      waiting.push(result)
      schedule()
    },
    async drain() {
      while (waiting.length > 0 || writing !== null) {
        start()
        await writing
      }
    },
  }
}

async function settle(deps: { sql: Sql; log: Log }, result: Leased, wasLeased: boolean): Promise<void> {
  if (result.verdict.kind === 'dead' && wasLeased) metrics.dead.inc()
  if (wasLeased) tellOf(deps.log, result)
  if (wasLeased) return
  metrics.late.inc()
  if (result.verdict.kind === 'succeeded') await indexed(deps.sql, (tx) => writeLateSuccess(tx, result))
}

/** One line when it is over; what is tried again stands in the delivery log. */
function tellOf(log: Log, { verdict, about, id, n, httpStatus, error }: Leased): void {
  const { traceparent, ...fields } = about
  if (verdict.kind === 'retry') return
  const line = { ...fields, delivery: id, status: verdict.kind, attempts: n, http_status: httpStatus, error }
  within({ requestId: null, traceparent }, () => {
    if (verdict.kind === 'dead') log.warn(line, 'delivery dead')
    else log.info(line, 'delivery succeeded')
  })
}

function dropExpired(deps: { clock: Clock; log: Log }, waiting: Leased[]): Leased[] {
  const now = deps.clock.now()
  const held = waiting.filter((result) => result.leaseUntil > now)
  const lost = waiting.length - held.length
  if (lost > 0) {
    metrics.dropped.inc(lost)
    deps.log.error(
      { results: lost },
      'delivery results were not written before their leases ended; the deliveries are sent again',
    )
  }
  return held
}

function isNoPartition(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514' && /partition/.test(error.message)
}
