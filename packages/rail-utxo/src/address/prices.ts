// The dollar price of a coin, by the same sources and rules as the native coins of EVM chains.
import { makePrices, type Price } from '@florin/rail-kit/prices'
import type { UtxoContext } from '../context.ts'
import type { UtxoChain } from '../settings/config.ts'

/** @throws AppError no_price */
export type CoinPrice = () => Promise<Price>

export function coinPrice(chain: UtxoChain, parts: Pick<UtxoContext, 'clock'>): CoinPrice {
  // Nothing else of a chain is asked there: feeds on chains are refused in the settings.
  const priced = { chain: { ...chain, nativeAsset: chain.asset, pegs: new Map() } } as unknown
  return makePrices(priced as Parameters<typeof makePrices>[0], parts).native
}
