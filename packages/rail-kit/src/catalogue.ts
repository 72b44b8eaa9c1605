// What the rails running here carry on each chain, for display only. What an order accepts is decided by `carries` when
// it is created.
import { type Chain, chains } from '@florin/chains'
import type { AssetRef } from './interface/asset.ts'
import type { Rails } from './registry.ts'

export interface RailOnChain {
  rail: string
  livemode: boolean
  custody: 'none' | 'third-party'
  /** Symbols that a payer can pay with on this chain. */
  pay: string[]
  /** Symbols that a merchant can get on this chain. */
  settle: string[]
}

const everyAsset: readonly AssetRef[] = chains.flatMap((chain) =>
  chain.assets.map(({ asset, contract, decimals }) => ({ chain: chain.id, asset, contract, decimals })),
)

/** @returns the rails of a chain, in order of preference. */
export function railCatalogue(rails: Rails): (chain: Chain) => RailOnChain[] {
  const byChain = new Map<string, RailOnChain[]>()
  for (const rail of rails.all) {
    const { kind, custody } = rail.capabilities
    for (const livemode of [true, false]) {
      const on = new Map<string, RailOnChain>()
      const entryOf = (chain: string): RailOnChain => {
        const entry = on.get(chain) ?? {
          rail: kind,
          livemode,
          custody,
          pay: [],
          settle: [],
        }
        on.set(chain, entry)
        return entry
      }
      const listed = rails.servicesOf(kind).assets?.(livemode)
      for (const { chain, asset, takes, pays } of listed ?? []) {
        if (takes) entryOf(chain).pay.push(asset)
        if (pays) entryOf(chain).settle.push(asset)
      }
      for (const asset of listed === undefined ? everyAsset : []) {
        const others = rail.capabilities.crossChain ? everyAsset : [asset]
        if (others.some((settle) => rail.carries({ livemode, pay: asset, settle }))) {
          entryOf(asset.chain).pay.push(asset.asset)
        }
        if (others.some((pay) => rail.carries({ livemode, pay, settle: asset }))) {
          entryOf(asset.chain).settle.push(asset.asset)
        }
      }
      for (const [chain, entry] of on) byChain.set(chain, [...(byChain.get(chain) ?? []), entry])
    }
  }
  return (chain) => byChain.get(chain.id) ?? []
}
