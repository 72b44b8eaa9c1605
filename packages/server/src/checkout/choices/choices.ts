// The ways to pay that an order offers: what the rails here carry to its target and, where that is open, to the merchant's
// own address on the chain that is paid on. Pure but for asking the rails.
import { type Chain, findChain } from '@florin/chains'
import { canChooseLeg } from '@florin/order-model/commands'
import type { Viewer } from '@florin/order-model/shown'
import { currentLeg, type OrderState } from '@florin/order-model/state'
import type { PayChoice } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { isSandboxRail } from '@florin/rail-kit/interface/leg'
import type { Rails } from '@florin/rail-kit/registry'
import { findRoute, payableAssets, type RouteConditions } from '../../orders/create/route.ts'
import { defaultTarget, isDollar } from '../../orders/create/target.ts'
import { totalText } from '../../orders/view.ts'
import { coinName } from './coin-names.ts'

/** Several times what all rails together carry today; a bound all the same. */
const CHOICES_MAX = 1_000

/** The chains on which payers most often hold something, most common first. */
const wellKnown = ['eth', 'base', 'arb', 'op', 'pol', 'bsc', 'avax', 'btc', 'sol', 'tron', 'ton', 'ltc', 'doge', 'xrp']

/**
 * The order's own settle chain first, then well-known chains, then the others by name; within a chain the settle asset,
 * dollars, the native coin. Empty once nothing can be chosen any more.
 */
export function listChoices(
  rails: Rails,
  order: OrderState,
  a: { now: Date; viewer: Viewer; conditions: RouteConditions },
): PayChoice[] {
  if (!canChooseLeg(order, a.now, a.viewer)) return []
  const choices = payableAssets(rails, order.livemode).flatMap((pay) => {
    const chain = findChain(pay.chain)
    return chain === null ? [] : choiceOf(rails, order, { chain, pay, conditions: a.conditions })
  })
  return choices.sort(byRank(order)).slice(0, CHOICES_MAX)
}

function choiceOf(
  rails: Rails,
  order: OrderState,
  { chain, pay, conditions }: { chain: Chain; pay: AssetRef; conditions: RouteConditions },
): PayChoice[] {
  const way = findRoute(rails, order, pay, conditions)
  if (way === null) return []
  const { kind, custody, refundAddress } = way.rail.capabilities
  const { asset, contract, decimals } = pay
  return [
    {
      chain: chain.id,
      chain_name: chain.name,
      family: chain.family,
      asset,
      name: coinName(asset),
      contract,
      decimals,
      is_stable: isDollar(asset),
      rail: kind,
      custody,
      total_usd: way.estimate === null ? null : totalText(order.amountUsdMicros + way.estimate.costUsdMicros),
      expected_s: way.estimate?.expectedS ?? null,
      refund_address: refundAddress,
    },
  ]
}

/**
 * What is shown before anybody searches: what goes to the merchant as it is, and of what would be turned into it the coins
 * that most payers know. A list of everything helps nobody.
 */
export function shortList(order: OrderState, choices: readonly PayChoice[]): PayChoice[] {
  return choices.filter((choice) => {
    const isOwn = choice.custody === 'none' && !isSandboxRail(choice.rail)
    return isOwn || isWorthTrying(order, choice)
  })
}

function isWorthTrying(order: OrderState, { chain: id, asset }: PayChoice): boolean {
  const leg = currentLeg(order)
  if (id === defaultTarget(order).settle.chain || (leg?.chain === id && leg.asset === asset)) return true
  return wellKnown.includes(id) && (isDollar(asset) || asset === findChain(id)?.native.asset)
}

function byRank(order: OrderState): (a: PayChoice, b: PayChoice) => number {
  const { settle } = defaultTarget(order)
  const chainRank = ({ chain }: PayChoice): number => {
    if (chain === settle.chain) return -1
    const at = wellKnown.indexOf(chain)
    return at === -1 ? wellKnown.length : at
  }
  const assetRank = (choice: PayChoice): number => {
    if (choice.chain === settle.chain && choice.asset === settle.asset) return 0
    if (choice.is_stable) return 1
    return choice.contract === null ? 2 : 3
  }
  return (a, b) =>
    chainRank(a) - chainRank(b) ||
    compare(a.chain_name, b.chain_name) ||
    assetRank(a) - assetRank(b) ||
    compare(a.asset, b.asset)
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
