// What keeps ways to pay from being offered now: rails that are in trouble, and accounts of wallets that give out no address.
// It only keeps a payer from choosing in vain: whether an address is given out is decided where it is.
import type { Db } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import { listRouteTroubles } from '@florin/rail-kit/condition.store'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rails } from '@florin/rail-kit/registry'
import { type CountedAccount, listCounted } from '../../addresses/accounts/counter.store.ts'
import { hasRoom, hasRoomForStrangers, isReady, isStrangersFull } from '../../addresses/accounts/rules.ts'
import { findRoute, noConditions, type PayRoute, type RouteConditions, type RoutedOrder } from './route.ts'
import { defaultTarget, noRoute, type SettlementTarget } from './target.ts'

/** Whose order it is, and whether a payer started it from a page of the shop's. */
type Asked = SettlementTarget & { merchantId: string; paymentLinkId?: string | null; invoiceId?: string | null }

export async function readConditions(db: Db, order: Asked, now: Date): Promise<RouteConditions> {
  const [troubles, fullAccounts] = await Promise.all([listRouteTroubles(db, now), listFullAccounts(db, order, now)])
  return { troubles, fullAccounts }
}

/** @returns their references. */
async function listFullAccounts(db: Db, order: Asked, now: Date): Promise<ReadonlySet<string>> {
  const places = [defaultTarget(order).settleAddress, ...Object.values(order.open?.addresses ?? {})]
  const asked = places.filter(isAccountRef)
  if (asked.length === 0) return new Set()
  const accounts = await listCounted(db, { merchantId: order.merchantId, places: asked, now })
  const isStranger = order.paymentLinkId != null || order.invoiceId != null
  const isFull = (row: CountedAccount): boolean =>
    !isReady(row) || !(isStranger ? hasForStranger(row) : hasForShop(row))
  return new Set([...accounts.values()].filter(isFull).map(({ id }) => id))
}

const hasForShop = (row: CountedAccount): boolean => hasRoom(row) || row.canReuse

const hasForStranger = (row: CountedAccount): boolean =>
  hasRoomForStrangers(row) || (isStrangersFull(row) ? row.canReuseFromStrangers : row.canReuse)

/** @throws AppError no_rail: nothing carries it at all; rail_unavailable: what does is in trouble. */
export function getRoute(
  rails: Rails,
  order: RoutedOrder,
  a: { pay: AssetRef; conditions: RouteConditions; isMerchant: boolean },
): PayRoute {
  const { pay, conditions } = a
  // An account that gives out no address says itself why, where there is no other way.
  const route =
    findRoute(rails, order, pay, conditions) ??
    findRoute(rails, order, pay, { ...conditions, fullAccounts: noConditions.fullAccounts })
  if (route !== null) return route
  if (findRoute(rails, order, pay) === null) throw noRoute(rails, order, pay, a.isMerchant)
  throw new AppError('rail_unavailable', {
    message: `${pay.asset} on ${pay.chain} cannot be paid right now. It comes back by itself: try again soon, or pay another way.`,
    retryAfterS: 30,
  })
}
