// Finds the rail that carries a payment. Rails are chosen by what they carry, never by name.
import { isAccountRef } from '../account-ref.ts'
import type { AssetRef, Rail, RailHealth } from './rail.ts'

export interface Rails {
  /**
   * The first configured rail that carries this, or null. A configured test chain comes before the sandbox.
   * @param a.settleAddress an address, or the reference of an account, which only some rails settle to
   */
  find(a: { livemode: boolean; pay: AssetRef; settle: AssetRef; settleAddress: string }): Rail | null
  byKind(kind: string): Rail | null
  readonly all: readonly Rail[]
  /** Whether live keys are of use here. */
  readonly hasLiveRail: boolean
  health(): Promise<Record<string, RailHealth>>
}

/** A plain address stands for one key, so it cannot be given to every order; an account is no address. */
const settlesTo = ({ capabilities }: Rail, settleAddress: string): boolean =>
  capabilities.kind === 'sandbox' || (capabilities.settlesTo === 'account') === isAccountRef(settleAddress)

/** @param rails in order of preference. */
export function makeRails(rails: readonly Rail[]): Rails {
  return {
    all: rails,
    hasLiveRail: rails.some((rail) => rail.capabilities.kind !== 'sandbox' && rail.hasLiveChain),
    find: (a) => rails.find((rail) => settlesTo(rail, a.settleAddress) && rail.carries(a)) ?? null,
    byKind: (kind) => rails.find((rail) => rail.capabilities.kind === kind) ?? null,
    async health() {
      const entries = rails.map(
        async (rail): Promise<[string, RailHealth]> => [
          rail.capabilities.kind,
          await rail
            .health()
            .catch(
              (): RailHealth => ({ ok: false, notes: ['the health check itself failed'], troubles: [], chains: [] }),
            ),
        ],
      )
      return Object.fromEntries(await Promise.all(entries))
    },
  }
}
