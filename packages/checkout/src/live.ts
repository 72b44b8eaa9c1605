// Staying up to date: the server's event stream, and asking every few seconds where the stream does not come
// through. It resumes by itself after any outage; an older answer never replaces a newer one.
import type { Checkout } from '@florin/protocol'

/** `lost`: neither way works right now. */
export type LinkState = 'live' | 'polling' | 'lost'

/** What it needs from the browser, so that a test can be the browser. */
export interface LivePorts {
  /** Opens the stream; the answer closes it. `onDown` is called once, after which the stream is dead. */
  openStream(onCheckout: (checkout: Checkout) => void, onDown: () => void): () => void
  fetchCheckout(): Promise<Checkout>
  /** Runs `act` after a wait; the answer calls it off. */
  after(ms: number, act: () => void): () => void
}

export interface Live {
  /** Look again now: the page came to the front, the network came back. */
  refresh(): void
  /** Begins the stream anew: this browser is known by another cookie now. */
  reopen(): void
  /** The browser says that there is no network. */
  wentOffline(): void
  stop(): void
}

/** How often to ask while the stream is down. */
const POLL_MS = 4_000
/** A stream that said nothing for this long may be dead without knowing it: one question tells. */
const QUIET_MS = 30_000
/** Waits before the next try after failed ones. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Waits before the stream is opened again. */
const REOPEN_MS = [2_000, 10_000, 30_000, 60_000] as const

const step = (waits: readonly number[], n: number): number => waits[Math.min(n, waits.length - 1)] ?? 0

/**
 * Whether `next` tells more than `known`: confirmations change no version, so the server's time decides between equals. Once
 * this browser holds an address of its own, what was said to a browser without one is of a connection from before, also
 * where that one came first: it may have told of the very change that this browser made.
 */
export function isNewer(known: Checkout, next: Checkout): boolean {
  if ((known.browser === 'holder') !== (next.browser === 'holder')) return next.browser === 'holder'
  if (next.version !== known.version) return next.version > known.version
  return Date.parse(next.server_time) >= Date.parse(known.server_time)
}

export function watchCheckout(
  ports: LivePorts,
  on: { checkout(checkout: Checkout): void; link(state: LinkState): void },
): Live {
  let closeStream: (() => void) | null = null
  let isStreaming = false
  let failures = 0
  let reopenings = 0
  let isStopped = false
  let isAsking = false
  let cancelAsk = (): void => {}
  let cancelReopen = (): void => {}

  function open(): void {
    cancelReopen()
    closeStream = ports.openStream(
      (checkout) => {
        if (isStopped) return
        isStreaming = true
        failures = 0
        reopenings = 0
        on.link('live')
        on.checkout(checkout)
        askAfter(QUIET_MS)
      },
      () => {
        if (isStopped) return
        closeStream = null
        isStreaming = false
        cancelReopen = ports.after(step(REOPEN_MS, reopenings++), open)
        askAfter(0)
      },
    )
  }

  function askAfter(ms: number): void {
    cancelAsk()
    cancelAsk = ports.after(ms, () => void ask())
  }

  async function ask(): Promise<void> {
    if (isAsking || isStopped) return
    isAsking = true
    const checkout = await ports.fetchCheckout().catch(() => null)
    isAsking = false
    if (isStopped) return
    if (checkout === null) {
      failures += 1
      // One lost packet is not worth a banner.
      if (failures > 1) on.link('lost')
      askAfter(step(RETRY_MS, failures - 1))
      return
    }
    failures = 0
    on.link(isStreaming ? 'live' : 'polling')
    on.checkout(checkout)
    askAfter(isStreaming ? QUIET_MS : POLL_MS)
  }

  open()
  // Until the stream speaks, asking is the way.
  askAfter(POLL_MS)
  return {
    refresh() {
      if (closeStream === null) open()
      askAfter(0)
    },
    reopen() {
      closeStream?.()
      isStreaming = false
      open()
    },
    wentOffline() {
      failures += 1
      on.link('lost')
    },
    stop() {
      isStopped = true
      cancelAsk()
      cancelReopen()
      closeStream?.()
    },
  }
}
