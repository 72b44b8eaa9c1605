// Wakes between processes: the committing process notifies the others through pg_notify, after the commit and on a
// separate connection, at most every 50 ms. They only shorten waiting: any failure here costs one polling interval.
import { notify } from '@florin/platform/db/calls'
import type { Sql } from '@florin/platform/db/pool'
import type { Log } from '@florin/platform/worker/job'
import type { Wake } from '@florin/platform/worker/wake'
import type { Wakes } from '../wakes.ts'

/** Each calls the wake of its name. */
export type Channel = 'florin_deliveries' | 'florin_orders' | 'florin_positions'

const DEBOUNCE_MS = 50

/**
 * Runs in every process that serves requests: forwards its own wakes to workers in other processes.
 * @returns a function that stops it.
 */
export function passWakesOn(deps: { sql: Sql; wake: Wakes; log: Log }): () => void {
  const ends = [
    passOn(deps, deps.wake.deliveries, 'florin_deliveries'),
    passOn(deps, deps.wake.orders, 'florin_orders'),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function passOn(deps: { sql: Sql; log: Log }, wake: Wake, channel: Channel): () => void {
  let timer: NodeJS.Timeout | null = null
  let isDue = false
  const pass = (): void => {
    isDue = false
    timer = setTimeout(() => {
      timer = null
      if (isDue) pass()
    }, DEBOUNCE_MS)
    tell(deps, channel)
  }
  const off = wake.on(() => {
    isDue = true
    // The first one is sent at once.
    if (timer === null) pass()
  })
  return () => {
    off()
    if (timer !== null) clearTimeout(timer)
  }
}

/** Notifies listeners in every process. It never fails and need not be awaited. */
export function tell(deps: { sql: Sql; log: Log }, channel: Channel): void {
  notify(deps.sql, channel).catch((error: unknown) => {
    deps.log.debug({ err: error }, 'other processes could not be notified; they will poll')
  })
}

/** @returns a function that stops listening. */
export function listenForWakes(deps: { sql: Sql; log: Log }, channel: Channel, wake: () => void): () => Promise<void> {
  const listener = deps.sql.listen(channel, wake, (error) => {
    deps.log.info({ reason: error.message }, 'notifications from other processes are unavailable; polling')
  })
  return () => listener.unlisten()
}
