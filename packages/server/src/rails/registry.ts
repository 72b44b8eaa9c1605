// Finds the rail that carries a payment. Rails are chosen by what they carry, never by name.
import type { AssetRef, Rail, RailHealth } from './rail.ts'

export interface Rails {
  /** The first configured rail that carries this, or null. A configured test chain comes before the sandbox. */
  find(a: { livemode: boolean; pay: AssetRef; settle: AssetRef }): Rail | null
  byKind(kind: string): Rail | null
  readonly all: readonly Rail[]
  /** Whether live keys are of use here. */
  readonly hasLiveRail: boolean
  health(): Promise<Record<string, RailHealth>>
}

/** @param rails in order of preference. */
export function makeRails(rails: readonly Rail[]): Rails {
  return {
    all: rails,
    hasLiveRail: rails.some((rail) => rail.capabilities.kind !== 'sandbox' && rail.hasLiveChain),
    find: (a) => rails.find((rail) => rail.carries(a)) ?? null,
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
