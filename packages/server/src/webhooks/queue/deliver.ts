// The delivery worker: scans the queue whenever there may be work and a free slot, sends, and hands results on. It
// starts what it claimed at once, so nothing waits in memory on a running lease. Stopping waits for requests under way.

import { type Clock, stopwatch } from '@florin/platform/clock'
import { failureFields } from '@florin/platform/db/failures'
import type { Sql } from '@florin/platform/db/pool'
import type { Secrets } from '@florin/platform/secrets'
import { tracesOf } from '@florin/platform/trace/subjects'
import { startSpan } from '@florin/platform/trace/tracing'
import type { Job, Log } from '@florin/platform/worker/job'
import { makeWake } from '@florin/platform/worker/wake'
import { openWebhookSecrets } from '../../keys/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import * as metrics from '../metrics.ts'
import { listenForWakes } from '../notify.ts'
import { type Connections, makeConnections } from '../send/connections.ts'
import { outgoing } from '../send/post.ts'
import { type Outcome, send, toClosed, unsigned } from '../send/send.ts'
import { diallerOf } from '../send/target.ts'
import { makeCaps, type Pace, QUICK_MS, SLOW_MS } from './caps.ts'
import { listEndpointsNow, markStarted, moveDeliveries, releaseRows } from './claim.ts'
import { classNames, SUSPECT } from './classes.ts'
import { indexed } from './indexed.store.ts'
import { makeResults } from './results.ts'
import { type Claimed, makeRounds } from './round.ts'
import { afterAttempt } from './schedule.ts'
import { checkLease, type Tuning } from './tuning.ts'

/** Results that cannot be written for this long make the job fail, and with it /readyz. */
const STUCK_MS = 30_000
/** Signing and writing one request takes 50 µs. */
const STARTED_AT_ONCE = 16
/** The part of a round after which the next may begin early. */
const MOST = 0.75
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Whether nothing is wanted there any more, and the trace that the delivery belongs to. */
interface Circumstances {
  isClosed: boolean
  trace: string | null
}

export type DeliverDeps = { sql: Sql; clock: Clock; log: Log; secrets: Secrets; config: Config; wake: Wakes }

export interface DeliveryWorker extends Job {
  /** Requests open now. */
  inFlight(): number
  /** Sets how many workers share the receivers' caps. */
  setWorkers(live: number): void
  /** Updates the gauges. */
  observe(): void
}

/**
 * The delivery worker as a job: one run is one scan of the queue. A process runs one worker.
 * @throws RangeError when the settings are inconsistent (tuning.ts, policy.ts).
 */
export function deliveryWorker(deps: DeliverDeps, tuning: Tuning): DeliveryWorker {
  const { config, clock } = deps
  checkLease(tuning, config.webhookTimeoutMs)
  const caps = makeCaps(tuning.slots)
  const rounds = makeRounds(deps, { slots: tuning.slots, leaseMs: tuning.leaseMs, caps })
  const freed = makeWake()
  const results = makeResults(deps, tuning, () => freed.fire())
  const dialler = diallerOf(config)
  const connections = makeConnections(dialler, tuning.slots)
  // Rows between claim and start; requests under way.
  const starting = new Set<Promise<void>>()
  const sending = new Set<Promise<void>>()
  let sinceRoundMs = stopwatch()
  // What the last round claimed and is not over; who waits for most of it to be over.
  let claimed = 0
  let over = 0
  let onMostOver: (() => void) | null = null

  const deliver = async (row: Claimed, secrets: readonly string[], a: Circumstances): Promise<void> => {
    const { isClosed, trace } = a
    const startedAt = clock.now()
    const span = startSpan({
      ...{ name: 'webhook', kind: 'client', parent: trace },
      attributes: { 'florin.order': row.orderNo, 'florin.delivery': row.id, 'florin.event': row.event },
    })
    const outcome = isClosed
      ? toClosed
      : await attempt(
          connections,
          row,
          { secrets, trace: span?.traceparent ?? null },
          startedAt,
          config.webhookTimeoutMs,
        )
    const endedAt = clock.now()
    span?.end(outcome.error, outcome.httpStatus === null ? {} : { 'http.response.status_code': outcome.httpStatus })
    const n = row.attempt + 1
    const waitsMs = row.body === null || isClosed ? [] : config.webhookRetryWaitsMs
    const verdict = afterAttempt({ n, ok: outcome.error === null, endedAt, waitsMs })
    caps.give(row.ticket, paceOf(outcome), performance.now())
    metrics.attempts.inc({ outcome: outcome.error ?? 'ok' })
    if (outcome.error === null) metrics.latency.observe((endedAt.getTime() - row.createdAt.getTime()) / 1000)
    results.add({
      ...outcome,
      no: row.no,
      id: row.id,
      token: row.token,
      leaseUntil: row.leaseUntil,
      n,
      startedAt,
      verdict,
      about: {
        ...{ order: row.orderNo, merchant: row.merchantId, event: row.event },
        traceparent: span?.traceparent ?? trace,
      },
    })
    over += 1
    if (over >= claimed * MOST) onMostOver?.()
    if (rounds.leftWork()) freed.fire()
  }

  /** Starts a few at a time, so that the next claim is already on its way. Releases what may not start any more. */
  const start = async (rows: readonly Claimed[], signal: AbortSignal): Promise<void> => {
    let started = 0
    let failed = true
    try {
      const endpoints = rows.filter((row) => row.isOfEndpoint).map((row) => row.signer)
      const [secrets, current, traces] = await Promise.all([
        openWebhookSecrets(
          deps,
          rows.map((row) => row.signer),
        ),
        listEndpointsNow(deps.sql, endpoints),
        tracesOf(
          deps.sql,
          rows.map((row) => row.orderNo),
        ),
      ])
      const moved = rows.flatMap((row) => {
        const to = row.isOfEndpoint ? current.get(row.signer) : undefined
        return to === undefined || to.isClosed || to.url === row.url ? [] : [Object.assign(row, { url: to.url })]
      })
      if (moved.length > 0) await moveDeliveries(deps.sql, moved)
      for (const row of rows) {
        const now = clock.now().getTime()
        // Stopping, or the process was suspended: the lease might end during the request.
        if (signal.aborted || row.leaseUntil.getTime() - now < tuning.leaseMs - tuning.startWithinMs) break
        if (row.class === SUSPECT) await indexed(deps.sql, (tx) => markStarted(tx, row))
        metrics.lag.observe({ class: classNames[row.class] }, Math.max(0, now - row.runAt.getTime()) / 1000)
        const isClosed = row.isOfEndpoint && current.get(row.signer)?.isClosed === true
        const trace = traces.get(row.orderNo) ?? null
        const one: Promise<void> = deliver(row, secrets.get(row.signer) ?? [], { isClosed, trace }).finally(() =>
          sending.delete(one),
        )
        sending.add(one)
        started += 1
        if (started % STARTED_AT_ONCE === 0) await nextTurn()
      }
      failed = false
    } finally {
      await giveBack(rows.slice(started))
      // Nothing else signals that these are waiting. After a failure the next poll is soon enough: it would only fail
      // again.
      if (started < rows.length && !failed && !signal.aborted) freed.fire()
    }
  }

  const giveBack = async (rows: readonly Claimed[]): Promise<void> => {
    const [first] = rows
    if (first === undefined) return
    for (const row of rows) caps.give(row.ticket, null, 0)
    const nos = rows.map((row) => row.no)
    await indexed(deps.sql, (tx) => releaseRows(tx, { nos, token: first.token }))
  }

  /** So that one claim takes many rows: a claim and the write of its results cost 2 ms. An idle worker does not wait. */
  const slotsToAccumulate = async (): Promise<void> => {
    if (sending.size + starting.size === 0) return
    await pause(tuning.paceMs - sinceRoundMs())
    if (!rounds.leftWork() || over >= claimed * MOST) return
    await pause(tuning.fullPaceMs - sinceRoundMs(), (end) => {
      onMostOver = end
    })
    onMostOver = null
  }

  return {
    name: 'deliver',
    everyMs: tuning.pollMs,
    inFlight: () => sending.size,
    setWorkers: (live) => caps.setWorkers(live),
    observe() {
      classNames.forEach((name, kind) => {
        metrics.slotsInUse.set({ class: name }, caps.inUse()[kind] ?? 0)
      })
      const { lanes, slowLanes } = caps.stats()
      metrics.lanes.set({ kind: 'slow' }, slowLanes)
      metrics.lanes.set({ kind: 'other' }, lanes - slowLanes)
    },
    wakeOn(wake) {
      const offs = [deps.wake.deliveries.on(wake), freed.on(wake)]
      const stopListening = listenForWakes(deps, 'florin_deliveries', wake)
      return () => {
        for (const off of offs) off()
        void stopListening()
      }
    },
    async run(signal) {
      await slotsToAccumulate()
      if (results.stuckMs() > STUCK_MS) throw new Error('results of deliveries cannot be written')
      if (signal.aborted || results.isCongested()) return 0
      sinceRoundMs = stopwatch()
      const { rows, more } = await rounds.take()
      claimed = rows.length
      over = 0
      metrics.claimSeconds.observe(sinceRoundMs() / 1000)
      if (rows.length === 0) return more ? 1 : 0
      const batch: Promise<void> = start(rows, signal)
        .catch((error: unknown) => deps.log.error(failureFields(error), 'claimed deliveries could not be started'))
        .finally(() => starting.delete(batch))
      starting.add(batch)
      return 1
    },
    async end() {
      await Promise.all(starting)
      await Promise.all(sending)
      await results.drain()
      await connections.close()
    },
  }
}

async function attempt(
  connections: Connections,
  row: Claimed,
  { secrets, trace }: { secrets: readonly string[]; trace: string | null },
  now: Date,
  timeoutMs: number,
): Promise<Outcome> {
  const none = { httpStatus: null, latencyMs: 0, excerpt: null }
  if (row.body === null) return { ...none, error: 'body_expired', detail: null }
  if (secrets.length === 0) return unsigned
  try {
    const { url, event, id, body } = row
    const post = outgoing({ url, event, deliveryId: id, attempt: row.attempt + 1, body, secrets, trace, now })
    return await send(connections, post, timeoutMs)
  } catch (error) {
    // One row that cannot be prepared is a failed attempt, never the end of the worker.
    return { ...none, error: 'internal', detail: String(error).slice(0, 300) }
  }
}

function pause(ms: number, endEarly?: (end: () => void) => void): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    endEarly?.(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function paceOf(outcome: Outcome): Pace {
  if (outcome.httpStatus === null) {
    return outcome.latencyMs >= SLOW_MS || outcome.error?.startsWith('timeout_') ? 'hung' : 'plain'
  }
  if (outcome.latencyMs < QUICK_MS) return 'quick'
  return outcome.latencyMs >= SLOW_MS ? 'slow' : 'plain'
}
