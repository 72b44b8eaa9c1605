// The ways an order can be paid with an asset, and the one that is taken. Pure but for asking the rails.
import { type Chain, chains } from '@florin/chains'
import type { OrderState, Target } from '@florin/order-model/state'
import { type RouteTrouble, stateOf } from '@florin/rail-kit/condition'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { RouteEstimate } from '@florin/rail-kit/interface/leg'
import type { Rail } from '@florin/rail-kit/interface/rail'
import type { Rails } from '@florin/rail-kit/registry'
import { parseAsset } from '../../parse-chain.ts'
import { chooseRoute, type RouteChoice, type RouteOption } from './choose-route.ts'
import { assetsOn, defaultTarget, isReal, isTaken, type SettlementTarget } from './target.ts'

/** What keeps ways from being offered now. */
export interface RouteConditions {
  troubles: readonly RouteTrouble[]
  /** Accounts of wallets that give out no address now. */
  fullAccounts: ReadonlySet<string>
}

export const noConditions: RouteConditions = { troubles: [], fullAccounts: new Set() }

/** An order as far as ways to pay depend on it; before there is one, it has neither amount nor legs. */
export type RoutedOrder = SettlementTarget & Partial<Pick<OrderState, 'amountUsdMicros' | 'feeBps' | 'legs'>>

/** A rail and the target that it settles to. */
export interface PayRoute extends Target {
  rail: Rail
  estimate: RouteEstimate | null
  reason: RouteChoice<RouteOption>['reason']
  /** The rails that could carry it and do not. */
  others: RouteChoice<RouteOption>['others']
}

interface Candidate extends RouteOption, Target {
  by: Rail
  estimate: RouteEstimate | null
}

/**
 * How an order can be paid with an asset; null: it cannot. To the order's target, or, where it is open, as it is to the
 * merchant's address on that chain; through a third party only where the merchant takes that.
 */
export function findRoute(
  rails: Rails,
  order: RoutedOrder,
  pay: AssetRef,
  conditions: RouteConditions = noConditions,
): PayRoute | null {
  const choice = chooseRoute(listCandidates(rails, order, pay, conditions))
  if (choice === null) return null
  const { by: rail, settle, settleAddress, estimate } = choice.option
  return { rail, settle, settleAddress, estimate, reason: choice.reason, others: choice.others }
}

function listCandidates(rails: Rails, order: RoutedOrder, pay: AssetRef, conditions: RouteConditions): Candidate[] {
  const { livemode, open } = order
  const target = defaultTarget(order)
  const candidate = (rail: Rail, { settle, settleAddress }: Target): Candidate => {
    const { kind, custody } = rail.capabilities
    const estimate = estimateOf(rail, order, { pay, settle, merchantAddress: settleAddress })
    const isFull = conditions.fullAccounts.has(settleAddress) && !hasLegTo(order, settleAddress)
    return {
      ...{ by: rail, rail: kind, custody, settle, settleAddress, estimate },
      isDirect: isSame(pay, settle),
      isPretended: !isReal(rail),
      isAllowed: order.thirdParty,
      state: isFull ? 'down' : stateOf(conditions.troubles, { rail: kind, livemode, pay, settle }),
      priceUsdMicros: estimate === null ? null : (order.amountUsdMicros ?? 0n) + estimate.costUsdMicros,
      expectedS: estimate?.expectedS ?? null,
    }
  }
  const listed = (to: Target): Rail[] => rails.list({ livemode, pay, ...to, thirdParty: true })
  const address = open?.addresses[pay.chain]
  const own =
    open !== null && address !== undefined && isTaken(open.asset, pay.asset, address)
      ? { settle: pay, settleAddress: address }
      : null
  const isOther = own !== null && !(isSame(own.settle, target.settle) && address === target.settleAddress)
  return [
    ...listed(target).map((rail) => candidate(rail, target)),
    ...(isOther ? listed(own).flatMap((rail) => (isReal(rail) ? [candidate(rail, own)] : [])) : []),
  ]
}

const estimateOf = (
  rail: Rail,
  order: RoutedOrder,
  a: { pay: AssetRef; settle: AssetRef; merchantAddress: string },
): RouteEstimate | null => {
  const { livemode, amountUsdMicros, feeBps } = order
  if (amountUsdMicros === undefined || feeBps === undefined) return null
  return rail.estimate?.({ livemode, ...a, amountUsdMicros, feeBps }) ?? null
}

/** The order has an address of this account, and keeps it. */
const hasLegTo = ({ legs = [] }: RoutedOrder, settleAddress: string): boolean =>
  legs.some((leg) => leg.settleAddress === settleAddress)

/** By chain and symbol: the contract differs where a test chain has its own. */
const isSame = (a: AssetRef, b: AssetRef): boolean => a.chain === b.chain && a.asset === b.asset

const everyAsset: readonly AssetRef[] = chains.flatMap(assetsOn)

/** What payers can have at all: the catalogue's assets, then what rails know beside them, each name once on a chain. */
export function payableAssets(rails: Rails, livemode: boolean): AssetRef[] {
  const known = new Set(everyAsset.map(nameOf))
  const more = rails.all.flatMap((rail) => rails.servicesOf(rail.capabilities.kind).assets?.(livemode) ?? [])
  const others = more.filter((asset) => {
    if (!asset.takes || asset.isListed || known.has(nameOf(asset))) return false
    known.add(nameOf(asset))
    return true
  })
  return [
    ...everyAsset,
    ...others.map(({ chain, asset, contract, decimals }) => ({ chain, asset, contract, decimals })),
  ]
}

const nameOf = ({ chain, asset }: AssetRef): string => `${chain} ${asset.toLowerCase()}`

/**
 * What a payer pays with: one of the catalogue's assets, or one that a rail knows beside them.
 * @throws AppError unknown_asset
 */
export function parsePayAsset(
  rails: Rails,
  a: { livemode: boolean; chain: Chain; text: string | null; param: string },
): AssetRef {
  if (a.text === null) return parseAsset(a.chain, null, a.param)
  const wanted = a.text.toLowerCase()
  const other = payableAssets(rails, a.livemode).find(
    ({ chain, asset, contract }) =>
      chain === a.chain.id && (asset.toLowerCase() === wanted || contract?.toLowerCase() === wanted),
  )
  return other ?? parseAsset(a.chain, a.text, a.param)
}
