// Effects of a change of an order: what features write in its commit. They register in `effects.ts` of the server, and orders knows none.
import type { NewAttention } from '@florin/order-model/attention/item'
import type { Fact } from '@florin/order-model/facts'
import type { Step } from '@florin/order-model/rules'
import type { OrderState } from '@florin/order-model/state'
import type { Tx } from '@florin/platform/db/tx'
import type { Secrets } from '@florin/platform/secrets'
import type { Config } from '../settings.ts'

export interface OrderChange {
  /** Holds the lock of the order, whose new state was sent before. */
  tx: Tx
  /** Equal to `after` where the facts changed nothing. */
  before: OrderState
  after: OrderState
  /** In the sequence in which they were applied. */
  facts: readonly Fact[]
  /** The versions that the facts led through, in sequence. */
  steps: readonly Step[]
  /** Items that the rules ask for. */
  attention: readonly NewAttention[]
  now: Date
  /** Fires the wake of the webhook queue after the commit. */
  wakeDeliveries(): void
}

export interface EffectDeps {
  config: Config
  secrets: Secrets
}

/**
 * Statements, each of which begins when its function is called. Those of all effects are sent together, in the sequence in which the effects
 * are registered, so that they share their round trips. A function that throws rolls the change back.
 */
export type OrderEffect = (deps: EffectDeps, change: OrderChange) => readonly (() => Promise<unknown>)[]
