// The assets of a chain as orders name them, and what sending one back costs in it. Pure.
import { unitsDue } from '@florin/platform/money'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { type Address, getAddress } from 'viem'
import type { ForwarderChain } from './config.ts'

/** The token as the leg names it: contracts are written with their checksum, as in the catalogue. */
export function assetOf(chain: ForwarderChain, token: Address | null): AssetRef {
  if (token === null) return { chain: chain.id, asset: chain.nativeAsset, contract: null, decimals: 18 }
  const known = tokenOf(chain, token)
  return {
    chain: chain.id,
    asset: known?.asset ?? token,
    contract: getAddress(token),
    decimals: known?.decimals ?? 0,
  }
}

export const tokenOf = (chain: ForwarderChain, token: Address) =>
  [...chain.tokens, ...chain.otherTokens].find((entry) => entry.contract === token)

/** Tokens of the catalogue are dollars; of others nothing is known, and every amount goes back. */
export function refundCostIn(chain: ForwarderChain, token: Address | null): bigint {
  if (token === null) return chain.refundCostWei
  const decimals = tokenOf(chain, token)?.decimals
  return decimals === undefined
    ? 0n
    : unitsDue({ usdMicros: chain.refundCostMicros, priceMicros: 1_000_000n, decimals, spreadBps: 0 })
}
