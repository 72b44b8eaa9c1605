// Finds the rail that carries a payment. Rails are chosen by what they carry, never by name.
import { isAccountRef } from './account-ref.ts'
import type { AssetRef } from './interface/asset.ts'
import type { OrderDetails } from './interface/details.ts'
import type { Rail, RailCheck } from './interface/rail.ts'

export interface RailQuestion {
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  settleAddress: string
  thirdParty?: boolean
}

export interface Rails {
  /**
   * The first configured rail that carries this, or null. A configured test chain comes before the sandbox.
   * @param a.settleAddress an address, or the reference of an account, which only some rails settle to
   * @param a.thirdParty whether the merchant takes rails on which somebody else holds the money for a while; omitted: no
   */
  find(a: RailQuestion): Rail | null
  /** All that carry it, in the same order. */
  list(a: RailQuestion): Rail[]
  /** A rail that pays this out, whatever is paid in, through a third party; null: none does. */
  reaching(a: Omit<RailQuestion, 'pay' | 'thirdParty'>): Rail | null
  byKind(kind: string): Rail | null
  readonly all: readonly Rail[]
  /** Whether live keys are of use here. */
  readonly hasLiveRail: boolean
  /** By the rail's kind. No entry: this rail could not be checked. */
  checks(): Promise<ReadonlyMap<string, RailCheck[]>>
  /** Whether any rail knows an address, in its chain's canonical form, as nobody's wallet. */
  isNobodysWallet(a: { chain: string; address: string }): Promise<boolean>
}

/** A plain address stands for one key, so it cannot be given to every order; an account is no address. */
const settlesTo = ({ capabilities }: Rail, settleAddress: string): boolean =>
  capabilities.isSandbox || (capabilities.settlesTo === 'account') === isAccountRef(settleAddress)

const isAllowed = ({ capabilities }: Rail, thirdParty = false): boolean => capabilities.custody === 'none' || thirdParty

/** @param rails in order of preference. */
export function makeRails(rails: readonly Rail[]): Rails {
  const list = (a: RailQuestion): Rail[] =>
    rails.filter((rail) => isAllowed(rail, a.thirdParty) && settlesTo(rail, a.settleAddress) && rail.carries(a))
  return {
    all: rails,
    list,
    hasLiveRail: rails.some((rail) => !rail.capabilities.isSandbox && rail.hasLiveChain),
    reaching: (a) =>
      rails.find(
        (rail) =>
          rail.capabilities.custody === 'third-party' &&
          settlesTo(rail, a.settleAddress) &&
          rail.assets?.(a.livemode).some((pay) => rail.carries({ ...a, pay })) === true,
      ) ?? null,
    find: (a) => list(a)[0] ?? null,
    byKind: (kind) => rails.find((rail) => rail.capabilities.kind === kind) ?? null,
    async checks() {
      const all = rails.map(async (rail) => [rail.capabilities.kind, await rail.checks().catch(() => null)] as const)
      return new Map((await Promise.all(all)).filter((entry): entry is [string, RailCheck[]] => entry[1] !== null))
    },
    isNobodysWallet: async (a) => (await Promise.all(rails.map((rail) => rail.isNobodysWallet?.(a)))).includes(true),
  }
}

/** What the rails of an order know beside it, in the order in which its legs were opened: a payer who chose another coin may have paid on several. */
export async function readDetails(
  rails: Rails,
  { orderRef, rail, legs }: { orderRef: string; rail: string; legs: readonly { rail: string }[] },
): Promise<OrderDetails> {
  const kinds = [...new Set([...legs.map((leg) => leg.rail), rail])]
  const all = await Promise.all(kinds.map((kind) => rails.byKind(kind)?.details?.(orderRef)))
  const known = all.filter((details) => details !== undefined)
  return { payments: known.flatMap((one) => one.payments), feeOwed: known.flatMap((one) => one.feeOwed) }
}
