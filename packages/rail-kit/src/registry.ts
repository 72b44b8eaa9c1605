// Finds the rail that carries a payment. Rails are chosen by what they carry, never by name.
import { isAccountRef } from './account-ref.ts'
import type { AssetRef } from './interface/asset.ts'
import type { KnownAddress, Rail, RailCheck } from './interface/rail.ts'
import type { OrderDetails, RailServices } from './interface/services.ts'

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
  /** What this rail can do beside carrying orders; empty where it can do nothing more. */
  servicesOf(kind: string): RailServices
  readonly all: readonly Rail[]
  /** Whether live keys are of use here. */
  readonly hasLiveRail: boolean
  /** By the rail's kind. No entry: this rail could not be checked. */
  checks(): Promise<ReadonlyMap<string, RailCheck[]>>
  /** What the rails here know of an address, of each rail that knows anything. */
  readAddress(a: { chain: string; livemode: boolean; text: string }): Promise<KnownAddress[]>
}

/** A plain address stands for one key, so it cannot be given to every order; an account is no address. */
const settlesTo = ({ capabilities }: Rail, settleAddress: string): boolean =>
  capabilities.isSandbox || (capabilities.settlesTo === 'account') === isAccountRef(settleAddress)

const isAllowed = ({ capabilities }: Rail, thirdParty = false): boolean => capabilities.custody === 'none' || thirdParty

/** Each optional member of a rail, and the capability that announces it. */
const announced = [
  ['estimates', 'estimate'],
  ['takesHints', 'hint'],
  ['readsAddresses', 'readAddress'],
] as const

/**
 * @param rails in order of preference.
 * @param services by the rail's kind.
 * @throws where a capability announces a member that the rail does not have, or the other way round.
 */
export function makeRails(rails: readonly Rail[], services: Readonly<Record<string, RailServices>> = {}): Rails {
  const list = (a: RailQuestion): Rail[] =>
    rails.filter((rail) => isAllowed(rail, a.thirdParty) && settlesTo(rail, a.settleAddress) && rail.carries(a))
  const servicesOf = (kind: string): RailServices => services[kind] ?? {}
  for (const rail of rails)
    for (const [capability, member] of announced)
      if ((rail.capabilities[capability] === true) !== (rail[member] !== undefined))
        throw new Error(`The rail ${rail.capabilities.kind} has to have ${member} exactly where ${capability} is true.`)
  return {
    all: rails,
    list,
    servicesOf,
    hasLiveRail: rails.some(({ capabilities }) => !capabilities.isSandbox && capabilities.isLive),
    reaching: (a) =>
      rails.find(
        (rail) =>
          rail.capabilities.custody === 'third-party' &&
          settlesTo(rail, a.settleAddress) &&
          servicesOf(rail.capabilities.kind)
            .assets?.(a.livemode)
            .some((pay) => rail.carries({ ...a, pay })) === true,
      ) ?? null,
    find: (a) => list(a)[0] ?? null,
    byKind: (kind) => rails.find((rail) => rail.capabilities.kind === kind) ?? null,
    async checks() {
      const all = rails.map(async (rail) => [rail.capabilities.kind, await rail.checks().catch(() => null)] as const)
      return new Map((await Promise.all(all)).filter((entry): entry is [string, RailCheck[]] => entry[1] !== null))
    },
    readAddress: async (a) => {
      const known = await Promise.all(rails.map((rail) => rail.readAddress?.(a)))
      return known.filter((one) => one !== null && one !== undefined)
    },
  }
}

/** What the rails of an order know beside it, in the order in which its legs were opened: a payer who chose another coin may have paid on several. */
export async function readDetails(
  rails: Rails,
  { orderRef, rail, legs }: { orderRef: string; rail: string; legs: readonly { rail: string }[] },
): Promise<OrderDetails> {
  const kinds = [...new Set([...legs.map((leg) => leg.rail), rail])]
  const all = await Promise.all(kinds.map((kind) => rails.servicesOf(kind).details?.(orderRef)))
  const known = all.filter((details) => details !== undefined)
  return { payments: known.flatMap((one) => one.payments), feeOwed: known.flatMap((one) => one.feeOwed) }
}
