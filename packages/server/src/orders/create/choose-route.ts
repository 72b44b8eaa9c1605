// Which of the rails that can carry a payment is to carry it, and why the others are not. Pure and total.
// A third party holds money only where the merchant switched it on, and never where the money can go as it is.
import type { PassedOver, RouteReason } from '@florin/protocol'
import type { RouteState } from '@florin/rail-kit/condition'
import type { RailCapabilities } from '@florin/rail-kit/interface/rail'

export interface RouteOption {
  rail: string
  custody: RailCapabilities['custody']
  /** What the payer sends is what the merchant gets: same chain, same asset. */
  isDirect: boolean
  /** It pretends: the sandbox, where nothing real carries. */
  isPretended: boolean
  /** The merchant agreed that a third party holds the money on its way. Of no matter where none does. */
  isAllowed: boolean
  state: RouteState
  /** What the payer pays in all; null: not known before it is asked. */
  priceUsdMicros: bigint | null
  /** From the payment until the merchant has the money; null: not known. */
  expectedS: number | null
}

export interface RouteChoice<T extends RouteOption> {
  option: T
  reason: RouteReason
  others: { rail: string; why: PassedOver }[]
}

/** @param options in the order in which the rails are configured, which decides between equals. */
export function chooseRoute<T extends RouteOption>(options: readonly T[]): RouteChoice<T> | null {
  const allowed = options.filter(isAllowed)
  // Never instead of what is real: a payer would be shown an address where no money can be seen.
  const best = (allowed.every(isPretended) ? allowed : allowed.filter((one) => !isPretended(one))).sort(compareTerms)
  const ranked = best.filter(({ state }) => state !== 'down').sort((a, b) => slowness(a) - slowness(b))
  const [option] = ranked
  if (option === undefined) return null
  const others = options
    .filter((other) => other !== option)
    .map((other) => ({ rail: other.rail, why: whyNot(other, option) }))
  return { option, reason: reasonOf(option, best), others }
}

const isPretended = ({ isPretended }: RouteOption): boolean => isPretended

const isAllowed = ({ custody, isAllowed }: RouteOption): boolean => custody === 'none' || isAllowed

const slowness = ({ state }: RouteOption): number => (state === 'slow' ? 1 : 0)

/** What a payer and a merchant would prefer while all is well. */
function compareTerms(a: RouteOption, b: RouteOption): number {
  return (
    Number(goesAsItIs(b)) - Number(goesAsItIs(a)) ||
    comparePrices(a, b) ||
    Number(a.custody !== 'none') - Number(b.custody !== 'none') ||
    (a.expectedS ?? Number.MAX_SAFE_INTEGER) - (b.expectedS ?? Number.MAX_SAFE_INTEGER)
  )
}

const goesAsItIs = ({ isDirect, custody }: RouteOption): boolean => isDirect && custody === 'none'

/** A price that is not known is no reason to go there. */
function comparePrices({ priceUsdMicros: a }: RouteOption, { priceUsdMicros: b }: RouteOption): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : Number(a > b)
}

function reasonOf(option: RouteOption, best: readonly RouteOption[]): RouteReason {
  if (best[0] !== option) return 'others_out'
  if (goesAsItIs(option)) return 'direct'
  return best.length > 1 ? 'cheapest' : 'only'
}

function whyNot(other: RouteOption, chosen: RouteOption): PassedOver {
  if (!isAllowed(other)) return 'custody_not_allowed'
  if (other.isPretended) return 'no_real_money'
  if (other.state !== 'well' && compareTerms(other, chosen) <= 0) return 'in_trouble'
  if (goesAsItIs(chosen) && !goesAsItIs(other)) return 'converts'
  return comparePrices(chosen, other) < 0 ? 'dearer' : 'slower'
}
