// What the page knows: the newest checkout, when the server told it, and whether the server can be reached.
import type { Checkout } from '@florin/protocol'
import type { ServerTime } from './clock.ts'
import { isNewer, type LinkState } from './live.ts'

export interface Known {
  readonly checkout: Checkout
  readonly told: ServerTime
  readonly link: LinkState
}

export interface Store {
  get(): Known
  subscribe(onChange: () => void): () => void
  /** Takes an answer over unless a newer one is known. @param pageMs the page's monotonic clock at its arrival */
  accept(checkout: Checkout, pageMs: number): void
  setLink(link: LinkState): void
}

export function makeStore(first: Checkout, pageMs: number): Store {
  const at = (checkout: Checkout, ms: number): ServerTime => ({
    serverMs: Date.parse(checkout.server_time),
    pageMs: ms,
  })
  let known: Known = { checkout: first, told: at(first, pageMs), link: 'live' }
  const listeners = new Set<() => void>()
  const change = (next: Known): void => {
    known = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => known,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    accept(checkout, ms) {
      if (isNewer(known.checkout, checkout)) change({ ...known, checkout, told: at(checkout, ms) })
    },
    setLink(link) {
      if (link !== known.link) change({ ...known, link })
    },
  }
}
