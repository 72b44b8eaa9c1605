// The steps from sign-in to the first real dollar: which are done, and which one is next. Pure.

export interface GoLiveFacts {
  name: string | null
  /** Where real money can settle on this service. */
  liveChains: readonly string[]
  /** Where the merchant has an address. */
  addressChains: readonly string[]
  /** A live order was made. */
  hasOrder: boolean
  /** A live order was settled. */
  hasSettled: boolean
}

export const goLiveSteps = ['chain', 'name', 'address', 'order', 'paid'] as const
export type GoLiveStep = (typeof goLiveSteps)[number]

export interface GoLive {
  done: Readonly<Record<GoLiveStep, boolean>>
  next: GoLiveStep | null
}

export function goLiveOf(facts: GoLiveFacts): GoLive {
  const done = {
    chain: facts.liveChains.length > 0,
    name: facts.name !== null,
    address: facts.addressChains.some((chain) => facts.liveChains.includes(chain)),
    order: facts.hasOrder,
    paid: facts.hasSettled,
  }
  return { done, next: goLiveSteps.find((step) => !done[step]) ?? null }
}
