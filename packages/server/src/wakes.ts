// The short-cuts between a commit and what waits for it, one for each thing that a commit can leave behind.
import { makeWake, type Wake } from '@florin/platform/worker/wake'

export interface Wakes {
  /** Mail lies in the outbox. */
  mail: Wake
  /** A rail reported facts that no order has taken yet. */
  facts: Wake
  /** The factory's log has entries that orders have not been told of. */
  factoryLogs: Wake
  /** Settlements or refunds wait to be handed to their rail. */
  handOvers: Wake
  /** An order changed: for those who look at it. */
  orders: Wake
  /** Deliveries wait to be sent. */
  deliveries: Wake
  /** Events got their positions and can be read. */
  positions: Wake
}

export function makeWakes(): Wakes {
  return {
    mail: makeWake(),
    facts: makeWake(),
    factoryLogs: makeWake(),
    handOvers: makeWake(),
    orders: makeWake(),
    deliveries: makeWake(),
    positions: makeWake(),
  }
}
