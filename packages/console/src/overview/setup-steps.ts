// The steps of the set-up guide: which are done, and which one is next. Pure.
import type { Delivery, Order } from '@florin/protocol'

export interface SetupFacts {
  key: { id: string; name: string; prefix: string; last4: string } | null
  address: { chain: string; address: string } | null
  order: Pick<Order, 'order_no' | 'status' | 'webhook_url' | 'checkout_url'> | null
  newestDelivery: Pick<Delivery, 'id' | 'status' | 'url' | 'attempts'> | null
  hasDelivered: boolean
}

export const setupSteps = ['key', 'address', 'order', 'webhook'] as const
export type SetupStep = (typeof setupSteps)[number]

export interface Setup extends SetupFacts {
  done: Readonly<Record<SetupStep, boolean>>
  /** Null when all is done. */
  next: SetupStep | null
}

export function setupOf(facts: SetupFacts): Setup {
  const done = {
    key: facts.key !== null,
    address: facts.address !== null,
    order: facts.order !== null,
    webhook: facts.hasDelivered,
  }
  return { ...facts, done, next: setupSteps.find((step) => !done[step]) ?? null }
}

export const isSetUp = (setup: Setup): boolean => setup.next === null

/** What the newest delivery says about the receiver, while none has arrived. */
export function webhookTrouble(setup: Setup): 'no_url' | 'waiting' | 'failing' | null {
  if (setup.done.webhook || setup.order === null) return null
  const delivery = setup.newestDelivery
  if (delivery === null) return setup.order.webhook_url === null ? 'no_url' : 'waiting'
  return delivery.attempts.length === 0 ? 'waiting' : 'failing'
}
