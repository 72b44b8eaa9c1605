// The engine's numbers and the one inequality that must hold between them: a lease may not end while its holder can
// still be sending or writing, or two workers would send the same delivery. Checked at start; a violation stops it.
import { SECOND_MS } from '@florin/protocol'

export interface Tuning {
  /** Requests a process has open at once. */
  readonly slots: number
  readonly leaseMs: number
  /** A claimed row that could not be started within this time is left to the reaper. */
  readonly startWithinMs: number
  /** How long results are collected before they are written. A batch costs 1 ms, and nothing waits for it. */
  readonly lingerMs: number
  /** How long a failing write is retried. */
  readonly flushBudgetMs: number
  /** How much two clocks that follow the same database may differ. */
  readonly slopMs: number
  /** Polling interval of an idle queue, which holds even when every wake is lost. */
  readonly pollMs: number
  /** Shortest time between two claims while slots are in use: collects freed slots into one claim. */
  readonly paceMs: number
  /** The same while more is waiting than there are slots, unless most of what was claimed last is over before. */
  readonly fullPaceMs: number
}

export const tuning: Tuning = {
  slots: 512,
  leaseMs: 30 * SECOND_MS,
  startWithinMs: 2 * SECOND_MS,
  lingerMs: 50,
  flushBudgetMs: 8 * SECOND_MS,
  slopMs: SECOND_MS,
  pollMs: 500,
  paceMs: 10,
  fullPaceMs: 25,
}

/** @throws RangeError when a lease could end before the work under it. */
export function checkLease(t: Tuning, timeoutMs: number): void {
  const needsMs = t.startWithinMs + timeoutMs + t.lingerMs + t.flushBudgetMs + t.slopMs
  if (t.leaseMs >= needsMs) return
  throw new RangeError(
    `A delivery is leased for ${t.leaseMs} ms, but starting (${t.startWithinMs}), sending (${timeoutMs}), gathering ` +
      `(${t.lingerMs}) and writing (${t.flushBudgetMs}) it with ${t.slopMs} ms of clock difference may take ${needsMs} ms.`,
  )
}
