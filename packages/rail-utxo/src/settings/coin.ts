// The coin of a chain of this rail, also of one that this process is not set up for.
import type { AssetRef } from '@florin/rail-kit/interface/asset'

export const DECIMALS = 8

export const symbolOf = (chain: string): string => chain.toUpperCase()

export const coinOf = (chain: string): AssetRef => ({
  ...{ chain, asset: symbolOf(chain), contract: null, decimals: DECIMALS },
})
