// The wake between processes: the one that committed tells the workers through pg_notify, after the commit and on a
// connection of its own, at most every 50 ms. It only shortens waiting: whatever fails here costs one polling interval.
import type { Deps } from '../deps.ts'
import { notify } from '../platform/db/calls.ts'

const CHANNEL = 'florin_deliveries'
const DEBOUNCE_MS = 50

/**
 * In every process that serves requests: passes its own wakes on to the workers elsewhere.
 * @returns a function that ends it.
 */
export function passWakesOn(deps: Pick<Deps, 'sql' | 'wake' | 'log'>): () => void {
  let timer: NodeJS.Timeout | null = null
  let isDue = false
  const tell = (): void => {
    isDue = false
    timer = setTimeout(() => {
      timer = null
      if (isDue) tell()
    }, DEBOUNCE_MS)
    notify(deps.sql, CHANNEL).catch((error: unknown) => {
      deps.log.debug({ err: error }, 'workers could not be woken; they look by themselves')
    })
  }
  const off = deps.wake.deliveries.on(() => {
    isDue = true
    // The first one goes out at once.
    if (timer === null) tell()
  })
  return () => {
    off()
    if (timer !== null) clearTimeout(timer)
  }
}

/** @returns a function that ends the listening. */
export function listenForWakes(deps: Pick<Deps, 'sql' | 'log'>, wake: () => void): () => Promise<void> {
  const listener = deps.sql.listen(CHANNEL, wake, (error) => {
    deps.log.info({ reason: error.message }, 'this worker hears no wakes from other processes for now; it polls')
  })
  return () => listener.unlisten()
}
