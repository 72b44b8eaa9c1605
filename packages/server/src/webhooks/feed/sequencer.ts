// Gives events their positions: after their commit, in commit order. Any worker may do it, under a lease. Every batch
// locks the lease first, so a process that lost it cannot commit, and of two that both think they hold it the second
// begins after the first has committed. Deliveries do not wait for positions.

import { setTimeout as wait } from 'node:timers/promises'
import { type Check, warning } from '@florin/platform/check'
import { type Clock, stopwatch } from '@florin/platform/clock'
import { claimLease, holdLease, type Lease, LeaseLost, releaseLease } from '@florin/platform/db/lease'
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { Job, Log } from '@florin/platform/worker/job'
import { SECOND_MS } from '@florin/protocol'
import type { Wakes } from '../../wakes.ts'
import * as metrics from '../metrics.ts'
import { listenForWakes, tell } from '../notify.ts'
import { byIndex } from './feed.store.ts'
import { oldestWaiting, placeNext } from './sequencer.store.ts'

type SequencerDeps = { sql: Sql; clock: Clock; log: Log; wake: Wakes }

const LEASE_MS = 5 * SECOND_MS
const BATCH = 1_000
/** Delay before a batch: the delivery of the same commit goes first, and later commits join the batch. */
const GATHER_MS = 10
/** From here on /readyz notes it. */
const BEHIND_S = 10
/** When the first in line has not changed for this long the job fails, and with it /readyz. */
const STALLED_MS = 30 * SECOND_MS

export interface Sequencer {
  /** Gives positions to at most BATCH waiting events. @returns how many; 0 also while another process has the lease. */
  step(): Promise<number>
  /** Whether another process had the lease when this one last asked. */
  isElsewhere(): boolean
  /** Releases the lease. */
  end(): Promise<void>
}

export function makeSequencer(deps: SequencerDeps): Sequencer {
  const holder = newId('seq', deps.clock.now())
  const terms = () => ({ now: deps.clock.now(), leaseMs: LEASE_MS })
  let lease: Lease | null = null
  let isElsewhere = false

  /** One transaction under the lease. @returns null while another process has it. */
  async function held<T>(work: (tx: Tx) => Promise<T>): Promise<T | null> {
    // Retries once, for a lease that lapsed, was taken and has lapsed again.
    for (let attempt = 1; attempt <= 2; attempt++) {
      const own = lease ?? (await claimLease(deps.sql, { name: 'event positions', holder, ...terms() }))
      lease = null
      if (own === null) return null
      try {
        const result = await byIndex(deps.sql, async (tx) => {
          await holdLease(tx, own, terms())
          return work(tx)
        })
        lease = own
        return result
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error
      }
    }
    return null
  }

  return {
    async step() {
      const given = await held((tx) => placeNext(tx, BATCH))
      isElsewhere = given === null
      const placed = given ?? 0
      if (placed > 0) {
        deps.wake.positions.fire()
        tell(deps, 'florin_positions')
      }
      return placed
    },
    isElsewhere: () => isElsewhere,
    async end() {
      if (lease !== null) await releaseLease(deps.sql, lease, deps.clock.now())
    },
  }
}

export function sequencerJob(deps: SequencerDeps): Job {
  const sequencer = makeSequencer(deps)
  let isMore = false
  let checks: readonly Check[] = []
  let head: bigint | undefined
  let sinceMoved = stopwatch()
  return {
    name: 'give-positions',
    everyMs: SECOND_MS,
    checks: () => checks,
    // A commit wakes the one process that has the lease. The others poll, which is how a lease that is free is noticed.
    wakeOn(wake) {
      const wakeHolder = (): void => {
        if (!sequencer.isElsewhere()) wake()
      }
      const off = deps.wake.orders.on(wakeHolder)
      const stopListening = listenForWakes(deps, 'florin_orders', wakeHolder)
      return () => {
        off()
        void stopListening()
      }
    },
    async run() {
      const oldest = await oldestWaiting(deps.sql)
      const waitsS = oldest?.seconds ?? 0
      metrics.positionLag.set(waitsS)
      const summary = `An event has waited ${Math.round(waitsS)} s for its position: /v1/events and the streams are behind.`
      checks = waitsS < BEHIND_S ? [] : [warning('positions', summary, 'docs/operations.md#florineventslate')]
      if (oldest === null) return 0
      if (oldest.n !== head) sinceMoved = stopwatch()
      head = oldest.n
      if (!isMore) await wait(GATHER_MS)
      const placed = await sequencer.step()
      isMore = placed === BATCH
      if (placed === 0 && sinceMoved() > STALLED_MS)
        throw new Error('events get no position: /v1/events and the streams stand still')
      return isMore ? placed : 0
    },
    end: () => sequencer.end(),
  }
}
