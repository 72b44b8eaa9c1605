// The wakes between processes: the one that committed tells the others through pg_notify, after the commit and on a
// connection of its own, at most every 50 ms. They only shorten waiting: whatever fails here costs one polling interval.
import type { Deps } from '../deps.ts'
import { notify } from '../platform/db/calls.ts'
import type { Wake } from '../platform/worker/wake.ts'

/** Each for the wake of its name. */
export type Channel = 'florin_deliveries' | 'florin_orders' | 'florin_positions'

const DEBOUNCE_MS = 50

/**
 * In every process that serves requests: passes its own wakes on to the workers elsewhere.
 * @returns a function that ends it.
 */
export function passWakesOn(deps: Pick<Deps, 'sql' | 'wake' | 'log'>): () => void {
  const ends = [
    passOn(deps, deps.wake.deliveries, 'florin_deliveries'),
    passOn(deps, deps.wake.orders, 'florin_orders'),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function passOn(deps: Pick<Deps, 'sql' | 'log'>, wake: Wake, channel: Channel): () => void {
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
    // The first one goes out at once.
    if (timer === null) pass()
  })
  return () => {
    off()
    if (timer !== null) clearTimeout(timer)
  }
}

/** Wakes whoever listens, in any process. It never fails and need not be waited for. */
export function tell(deps: Pick<Deps, 'sql' | 'log'>, channel: Channel): void {
  notify(deps.sql, channel).catch((error: unknown) => {
    deps.log.debug({ err: error }, 'other processes could not be woken; they look by themselves')
  })
}

/** @returns a function that ends the listening. */
export function listenForWakes(
  deps: Pick<Deps, 'sql' | 'log'>,
  channel: Channel,
  wake: () => void,
): () => Promise<void> {
  const listener = deps.sql.listen(channel, wake, (error) => {
    deps.log.info({ reason: error.message }, 'this process hears no wakes from others for now; it polls')
  })
  return () => listener.unlisten()
}
