// Owns what an order's chain and asset words mean here: canonical chains, assets with contract and decimals. Pure.
import { type Chain, findChain } from '@florin/chains'
import { AppError } from '../platform/errors.ts'
import type { AssetRef } from '../rails/rail.ts'

export function parseChain(text: string, param: string): Chain {
  const chain = findChain(text)
  if (chain === null)
    throw new AppError('unknown_chain', {
      param,
      message: `There is no chain "${text.slice(0, 80)}". GET /v1/chains lists them.`,
    })
  return chain
}

/** @param text the asset's symbol in any case, or its contract; null: the chain's USDC, else its native coin. */
export function parseAsset(chain: Chain, text: string | null, param: string): AssetRef {
  const wanted = text?.toLowerCase() ?? null
  const found =
    wanted === null
      ? (chain.assets.find((entry) => entry.asset === 'USDC') ?? chain.native)
      : chain.assets.find((entry) => entry.asset.toLowerCase() === wanted || entry.contract?.toLowerCase() === wanted)
  if (found === undefined) {
    throw new AppError('unknown_asset', {
      param,
      message: `${chain.name} has no asset "${text?.slice(0, 80)}" here; it has ${chain.assets.map((entry) => entry.asset).join(', ')}.`,
    })
  }
  return { chain: chain.id, asset: found.asset, contract: found.contract, decimals: found.decimals }
}

export interface ReceivingAddress {
  chain: string
  address: string
  isDefault: boolean
}

/** Where an order settles: what was asked for, else the merchant's default, else the only address there is. */
export function chooseSettleAddress(addresses: readonly ReceivingAddress[], asked: Chain | null): ReceivingAddress {
  if (asked !== null) {
    const found = addresses.find((row) => row.chain === asked.id)
    if (found === undefined) {
      throw new AppError('receiving_address_missing', {
        param: 'settle_chain',
        message: `Set a receiving address for ${asked.name} in the console first.`,
      })
    }
    return found
  }
  const chosen = addresses.find((row) => row.isDefault) ?? (addresses.length === 1 ? addresses[0] : undefined)
  if (chosen !== undefined) return chosen
  if (addresses.length === 0) {
    throw new AppError('receiving_address_missing', {
      param: 'settle_chain',
      message: 'No receiving address is set. Set one in the console first.',
    })
  }
  throw new AppError('settle_chain_required', { param: 'settle_chain' })
}
