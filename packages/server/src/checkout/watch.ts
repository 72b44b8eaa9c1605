// Notices order changes while payers view them: one query for the versions of all orders on show, whichever process
// changed them, and one read of each that did. Confirmations and deadlines change no version; they are checked here.
import { canChooseLeg } from '@florin/order-model/commands'
import type { OrderState } from '@florin/order-model/state'
import { chunksOf } from '@florin/platform/chunks'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Log } from '@florin/platform/worker/job'
import { makePoller } from '@florin/platform/worker/poller'
import type { Rails } from '@florin/rail-kit/registry'
import { getOrder, listVersions } from '../orders/store.ts'
import { type ChainTipOf, paymentView } from '../orders/view.ts'
import type { Wakes } from '../wakes.ts'
import { attendTo } from './attend.ts'
import { isAsked } from './view.ts'

export type WatchDeps = { sql: Sql; clock: Clock; log: Log; wake: Wakes; rails: Rails; tips: ChainTipOf }

export type Listener = (order: OrderState) => void

export interface Watch {
  /**
   * Calls the listener at once, with the order as last known, and after each change.
   * @param order as it was just read, so that no later change is missed.
   * @returns a function that stops it.
   */
  follow(order: OrderState, listener: Listener): () => void
  close(): Promise<void>
}

interface Watched {
  order: OrderState
  /** What changes with time or with the height of a chain. */
  moving: string
  listeners: Set<Listener>
}

/** Maximum orders per statement. */
const LOOK_AT_ONCE = 1_000

export function watchOrders(deps: WatchDeps): Watch {
  const watched = new Map<string, Watched>()
  const poller = makePoller(deps, {
    name: 'watch orders on show',
    wakes: [deps.wake.orders],
    look,
  })

  function movingOf(order: OrderState): string {
    const counts = order.payments.map(
      (payment) => paymentView(payment, deps.tips(payment.chain, order.livemode)).confirmations,
    )
    const now = deps.clock.now()
    return `${canChooseLeg(order, now)} ${isAsked(order, now)} ${counts.join(' ')}`
  }

  function tell(entry: Watched, order: OrderState): void {
    entry.order = order
    entry.moving = movingOf(order)
    for (const listener of entry.listeners) listener(order)
  }

  async function look(): Promise<void> {
    for (const some of chunksOf([...watched.keys()], LOOK_AT_ONCE)) {
      for (const { orderNo, version } of await listVersions(deps.sql, some)) {
        const entry = watched.get(orderNo)
        if (entry !== undefined && entry.order.version < version) tell(entry, await getOrder(deps.sql, orderNo))
      }
    }
    for (const entry of watched.values()) attendTo(deps.rails, entry.order)
    for (const entry of watched.values()) if (entry.moving !== movingOf(entry.order)) tell(entry, entry.order)
  }

  return {
    follow(order, listener) {
      let entry = watched.get(order.orderNo)
      if (entry === undefined) {
        entry = { order, moving: movingOf(order), listeners: new Set() }
        watched.set(order.orderNo, entry)
      } else if (entry.order.version < order.version) tell(entry, order)
      const { listeners } = entry
      listeners.add(listener)
      listener(entry.order)
      const release = poller.hold()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watched.get(order.orderNo)?.listeners === listeners) watched.delete(order.orderNo)
        release()
      }
    },
    close: () => poller.close(),
  }
}
