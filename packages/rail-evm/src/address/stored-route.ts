// A route's form as JSON: every field a text, so that no number is rounded on its way through a database or an API.
import type { Route } from '@florin/contracts'

export type StoredRoute = Readonly<Record<keyof Route, string>>

export function writeRoute(route: Route): StoredRoute {
  return {
    ...route,
    chainId: route.chainId.toString(),
    feeBps: String(route.feeBps),
    minAmount: route.minAmount.toString(),
    openAfter: String(route.openAfter),
  }
}

/** @param stored what `writeRoute` gave. */
export function readRoute(stored: StoredRoute): Route {
  return {
    ...(stored as StoredRoute & Pick<Route, 'ref' | 'token' | 'merchant' | 'collector' | 'refundTo'>),
    chainId: BigInt(stored.chainId),
    feeBps: Number(stored.feeBps),
    minAmount: BigInt(stored.minAmount),
    openAfter: Number(stored.openAfter),
  }
}
