// The steps of the set-up guide: which are done, and which one is next. Pure.
import type { Delivery, Order } from '@florin/protocol'

export interface SetupFacts {
  /** The shop's name. */
  name: string | null
  key: { id: string; name: string; prefix: string; last4: string } | null
  address: { chain: string; address: string } | null
  order: Pick<Order, 'order_no' | 'status' | 'webhook_url' | 'checkout_url' | 'settle_chain'> | null
  /** A test order has settled. */
  hasSettled: boolean
  newestDelivery: Pick<Delivery, 'id' | 'status' | 'url' | 'attempts'> | null
  hasDelivered: boolean
}

/** The first three need no developer; the others are for shops with a server of their own. */
export const setupSteps = ['name', 'address', 'order', 'key', 'webhook'] as const
export type SetupStep = (typeof setupSteps)[number]
export const neededSteps = ['name', 'address', 'order'] as const satisfies readonly SetupStep[]

export interface Setup extends SetupFacts {
  done: Readonly<Record<SetupStep, boolean>>
  /** Null when all that is needed is done. */
  next: SetupStep | null
}

export function setupOf(facts: SetupFacts): Setup {
  const done = {
    name: facts.name !== null,
    address: facts.address !== null,
    order: facts.hasSettled,
    key: facts.key !== null,
    webhook: facts.hasDelivered,
  }
  return { ...facts, done, next: neededSteps.find((step) => !done[step]) ?? null }
}

export const isSetUp = (setup: Setup): boolean => setup.next === null

/** What the newest delivery says about the receiver, while none has arrived. */
export function webhookTrouble(setup: Setup): 'no_url' | 'waiting' | 'failing' | null {
  if (setup.done.webhook || setup.order === null) return null
  const delivery = setup.newestDelivery
  if (delivery === null) return setup.order.webhook_url === null ? 'no_url' : 'waiting'
  return delivery.attempts.length === 0 ? 'waiting' : 'failing'
}
