// The one loop of a process that polls for changes while anything subscribes to them. Changes are found in the
// database, whichever process made them; a wake of this process only shortens the wait.
import type { Clock } from '../clock.ts'
import type { Log } from './job.ts'
import { type RunningJobs, startJobs } from './loop.ts'
import type { Wake } from './wake.ts'

/** Polling interval without wakes: the longest that a change of another process goes unnoticed. */
export const POLL_MS = 1_000
/** Shortest time between two polls, however often it is woken: many commits a second are one poll for all of them. */
const BREATHER_MS = 50

export interface Poller {
  /** The loop runs from here until the returned function is called; with several holders the last one stops it. */
  hold(): () => void
  /** Stops it for good; resolves when the current poll has ended. */
  close(): Promise<void>
}

export function makePoller(
  parts: { clock: Clock; log: Log },
  a: { name: string; look(): Promise<void>; wakes: readonly Wake[]; everyMs?: number },
): Poller {
  let holders = 0
  let running: RunningJobs | null = null
  const stopping = new Set<Promise<void>>()
  let isClosed = false

  const stop = (): void => {
    if (running === null) return
    const stopped = running.stop().finally(() => stopping.delete(stopped))
    stopping.add(stopped)
    running = null
  }
  const start = (): void => {
    const job = {
      name: a.name,
      everyMs: a.everyMs ?? POLL_MS,
      async run(signal: AbortSignal) {
        await a.look()
        await parts.clock.sleep(BREATHER_MS, signal)
        return 0
      },
      wakeOn(wake: () => void) {
        const offs = a.wakes.map((one) => one.on(wake))
        return () => {
          for (const off of offs) off()
        }
      },
    }
    running = startJobs([job], parts)
  }

  return {
    hold() {
      holders++
      if (running === null && !isClosed) start()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holders--
        if (holders === 0) stop()
      }
    },
    async close() {
      isClosed = true
      stop()
      await Promise.all(stopping)
    },
  }
}
