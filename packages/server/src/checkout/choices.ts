// The ways to pay that an order offers: what the rails here carry to its settle asset and, where its target is open, to
// the merchant's own address on the chain that is paid on. Sandbox orders, where everything is carried, offer the coins
// that most payers know. Pure but for asking the rails.
import { type Chain, chains } from '@florin/chains'
import type { PayChoice } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { assetsOn, defaultTarget, findRoute, isDollar } from '../orders/create/target.ts'
import { canChooseLeg } from '../orders/model/commands.ts'
import type { Viewer } from '../orders/model/shown.ts'
import { currentLeg, type OrderState } from '../orders/model/state.ts'

/** More than a catalogue of 81 chains offers today; a bound all the same. */
const CHOICES_MAX = 300

/** The chains on which payers most often hold something, most common first. */
const wellKnown = ['eth', 'base', 'arb', 'op', 'pol', 'bsc', 'avax', 'btc', 'sol', 'tron', 'ton', 'ltc', 'doge', 'xrp']

/**
 * The order's own settle chain first, then well-known chains, then the others by name; within a chain the settle asset,
 * dollars, the native coin. Empty once nothing can be chosen any more.
 * @param fullAccounts accounts of wallets that give out no address now
 */
export function listChoices(
  rails: Deps['rails'],
  order: OrderState,
  now: Date,
  viewer: Viewer = null,
  fullAccounts: ReadonlySet<string> = new Set(),
): PayChoice[] {
  if (!canChooseLeg(order, now, viewer)) return []
  return [...chains]
    .sort(byRank(order))
    .flatMap((chain) => choicesOn(rails, order, chain, fullAccounts))
    .slice(0, CHOICES_MAX)
}

function choicesOn(
  rails: Deps['rails'],
  order: OrderState,
  chain: Chain,
  fullAccounts: ReadonlySet<string>,
): PayChoice[] {
  const { settle } = defaultTarget(order)
  const found = assetsOn(chain).flatMap((pay): PayChoice[] => {
    const way = findRoute(rails, order, pay)
    if (way === null || (fullAccounts.has(way.settleAddress) && !isOpened(order, way.settleAddress))) return []
    const { asset, contract, decimals } = pay
    const { kind, refundAddress } = way.rail.capabilities
    // The sandbox carries everything; a list of everything helps nobody.
    if (kind === 'sandbox' && !isWorthTrying(order, chain, asset)) return []
    return [
      {
        chain: chain.id,
        chain_name: chain.name,
        family: chain.family,
        asset,
        contract,
        decimals,
        is_stable: isDollar(asset),
        rail: kind,
        refund_address: refundAddress,
      },
    ]
  })
  const rank = (choice: PayChoice): number => {
    if (chain.id === settle.chain && choice.asset === settle.asset) return 0
    return choice.is_stable ? 1 : 2
  }
  return found.sort((a, b) => rank(a) - rank(b))
}

/** The order has an address of this account, and keeps it. */
const isOpened = (order: OrderState, settleAddress: string): boolean =>
  order.legs.some((leg) => leg.settleAddress === settleAddress)

function isWorthTrying(order: OrderState, chain: Chain, asset: string): boolean {
  const leg = currentLeg(order)
  if (chain.id === defaultTarget(order).settle.chain || (leg?.chain === chain.id && leg.asset === asset)) return true
  return wellKnown.includes(chain.id) && (isDollar(asset) || asset === chain.native.asset)
}

function byRank(order: OrderState): (a: Chain, b: Chain) => number {
  const settleChain = defaultTarget(order).settle.chain
  const rank = (chain: Chain): number => {
    if (chain.id === settleChain) return -1
    const at = wellKnown.indexOf(chain.id)
    return at === -1 ? wellKnown.length : at
  }
  return (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)
}
