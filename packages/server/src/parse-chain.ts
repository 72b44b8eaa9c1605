// How the words of a call become a chain and an asset (contract.md 3). Nothing here repeats what was sent: a secret
// that was pasted in the wrong field must not come back in an answer or a log line.
import { type Chain, findChain } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import type { AssetRef } from '@florin/rail-kit/interface/asset'

/** By id, alias or CAIP-2 id. @throws AppError unknown_chain. */
export function parseChain(text: string, param: string): Chain {
  const chain = findChain(text)
  if (chain === null) throw new AppError('unknown_chain', { param })
  return chain
}

/**
 * @param text the asset's symbol in any case, or its contract; null: the chain's USDC, else its native coin.
 * @throws AppError unknown_asset.
 */
export function parseAsset(chain: Chain, text: string | null, param: string): AssetRef {
  const wanted = text?.toLowerCase() ?? null
  const found =
    wanted === null
      ? (chain.assets.find((entry) => entry.asset === 'USDC') ?? chain.native)
      : chain.assets.find((entry) => entry.asset.toLowerCase() === wanted || entry.contract?.toLowerCase() === wanted)
  if (found === undefined) {
    const known = chain.assets.map((entry) => entry.asset).join(', ')
    throw new AppError('unknown_asset', { param, message: `${chain.name} has no such asset here; it has ${known}.` })
  }
  return { chain: chain.id, asset: found.asset, contract: found.contract, decimals: found.decimals }
}
