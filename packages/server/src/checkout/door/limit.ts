// Rate limit of one checkout, per process: a first defence against a runaway page. Limits that protect money are in the
// database: what each browser can open of an order is bounded.
import { isHeldBy, type Viewer } from '@florin/order-model/shown'
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import { AppError } from '@florin/platform/errors'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'

export const ACTS_PER_MINUTE = 30

/** Searches of the network, which ask nodes. */
export const LOOKS_PER_MINUTE = 2

/** Browsers of one client that bind a refund address to one order; an order takes more than so many. */
export const BROWSERS_PER_HOUR = 3

/** Checkouts remembered; when there are more, those of the oldest minute are evicted. */
const REMEMBERED_MAX = 10_000

/** How much all who hold no leg of an order can do, in shares of one of them. */
export const STRANGERS_SHARES = 4

/** @returns a function that counts an act by its key. @throws AppError rate_limited */
export function makeActLimit(clock: Clock, max = ACTS_PER_MINUTE): (key: string) => void {
  const counts = new Map<string, { since: number; acts: number }>()
  return (key) => {
    const now = clock.now().getTime()
    const known = counts.get(key)
    const isFresh = known === undefined || now - known.since >= MINUTE_MS
    const count = isFresh ? { since: now, acts: 0 } : known
    if (count.acts >= max) {
      throw new AppError('rate_limited', { retryAfterS: (count.since + MINUTE_MS - now) / 1000 })
    }
    count.acts++
    // Moved to the end: the map is ordered by when counting began.
    if (isFresh) counts.delete(key)
    counts.set(key, count)
    for (const oldest of counts.keys()) {
      if (counts.size <= REMEMBERED_MAX) break
      counts.delete(oldest)
    }
  }
}

/** Who acts: the browser, if it has a secret of this order, and where it comes from. */
export interface Actor {
  viewer: Viewer
  client: string
}

/**
 * Each browser that holds a leg of the order has a share of its own, and so has each client without one; those together
 * have some. So nobody with the link alone uses up what the payer has who chose.
 * @throws AppError rate_limited
 */
export function makeShares(clock: Clock, max: number): (order: OrderState, actor: Actor) => void {
  const own = makeActLimit(clock, max)
  const strangers = makeActLimit(clock, STRANGERS_SHARES * max)
  return ({ orderNo, legs }, { viewer, client }) => {
    const isHolder = legs.some((leg) => isHeldBy(leg, viewer))
    own(`${orderNo} ${isHolder ? `browser ${viewer}` : client}`)
    if (!isHolder) strangers(orderNo)
  }
}

/**
 * An order has room for so many browsers that bind a refund address, and one client does not take all of it.
 * @throws AppError rate_limited
 */
export function makeBrowserLimit(clock: Clock): (order: Pick<OrderState, 'orderNo' | 'legs'>, actor: Actor) => void {
  const known = new Map<string, { since: number; browsers: Set<string> }>()
  return ({ orderNo, legs }, { viewer, client }) => {
    if (viewer === null || legs.some((leg) => isHeldBy(leg, viewer))) return
    const now = clock.now().getTime()
    const key = `${orderNo} ${client}`
    const last = known.get(key)
    const entry = last !== undefined && now - last.since < HOUR_MS ? last : { since: now, browsers: new Set<string>() }
    if (!entry.browsers.has(viewer) && entry.browsers.size >= BROWSERS_PER_HOUR)
      throw new AppError('rate_limited', { retryAfterS: (entry.since + HOUR_MS - now) / 1000 })
    entry.browsers.add(viewer)
    known.delete(key)
    known.set(key, entry)
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED_MAX) break
      known.delete(oldest)
    }
  }
}
