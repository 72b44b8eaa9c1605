// What the provider lists, in the names of our catalogue of chains. Pure.
import { type Chain, chains } from '@florin/chains'
import { parseDecimal } from '@florin/platform/money'
import { formatUnits } from '@florin/protocol'
import type { AssetRef, CarriedAsset } from '@florin/rail-kit/interface/asset'
import type { Token } from '../client/wire.ts'
import { aliases } from './ids.ts'

export interface IntentsAsset extends CarriedAsset {
  /** The provider's name for it. */
  assetId: string
  /** Dollars for one whole unit as it is listed, decimal text; null: none that can be used. */
  price: string | null
}

export interface Catalogue {
  assets: readonly IntentsAsset[]
  find(asset: AssetRef): IntentsAsset | null
}

/** What the provider writes where a coin has no contract. */
const natives: ReadonlySet<string> = new Set(['coin', 'native', 'wrap.near'])

const byId = new Map<string, Chain>(chains.map((chain) => [chain.id, chain]))

/** Compared in one spelling: `CODE-ISSUER` and `CODE:ISSUER`, hexadecimal in any case. */
const spelled = (contract: string): string => {
  const one = contract.replace(/^([A-Za-z0-9]{1,12})[-:](G[A-Z2-7]{55})$/, '$1:$2')
  return one.startsWith('0x') ? one.toLowerCase() : one
}

const PRICE_DECIMALS = 6

/** As closely as a leg's rate is told. */
const PRICE_DECIMALS_MAX = 18

/** For what a payer is told: the whole price, of coins of which a million make a dollar too. */
function textOf(price: string | null): string | null {
  const [whole = '', fraction = ''] = price?.split('.') ?? []
  const units =
    price === null ? null : parseDecimal(`${whole}.${fraction.slice(0, PRICE_DECIMALS_MAX)}0`, PRICE_DECIMALS_MAX)
  return units === null || units <= 0n ? null : formatUnits(units, PRICE_DECIMALS_MAX)
}

/** At most six decimals are kept: what is worth less than a millionth of a dollar has no price here. */
function microsOf(price: string | null): bigint | null {
  const [whole = '', fraction = ''] = price?.split('.') ?? []
  const micros = price === null ? null : parseDecimal(`${whole}.${fraction.slice(0, PRICE_DECIMALS)}0`, PRICE_DECIMALS)
  return micros === null || micros <= 0n ? null : micros
}

/**
 * Unknown chains, retired tokens and tokens that call themselves as another one of the chain are left out; so is one
 * whose decimals differ from ours, since an amount would be wrong by a power of ten.
 */
export function readCatalogue(tokens: readonly Token[]): Catalogue {
  const assets: IntentsAsset[] = []
  const taken = new Set<string>()
  // The newer id of a coin wins over the one it replaced.
  const newest = [...tokens].sort((a, b) => Number(a.assetId in aliases) - Number(b.assetId in aliases))
  for (const token of newest) {
    const asset = assetOf(token)
    const key = asset === null ? '' : keyOf(asset)
    if (asset === null || taken.has(key)) continue
    taken.add(key)
    assets.push(asset)
  }
  const found = new Map(assets.map((asset) => [keyOf(asset), asset]))
  return {
    assets,
    find(ref) {
      const asset = found.get(keyOf(ref))
      if (asset === undefined || asset.decimals !== ref.decimals) return null
      const isSame = spelled(asset.contract ?? '') === spelled(ref.contract ?? '')
      return isSame ? asset : null
    },
  }
}

const slowChains: ReadonlySet<string> = new Set(['btc', 'ltc', 'doge', 'bch', 'dash', 'zec'])
/** Whether one of these chains has blocks that take long. */
export const isSlow = (...chains: readonly string[]): boolean => chains.some((chain) => slowChains.has(chain))

const keyOf = ({ chain, asset }: Pick<AssetRef, 'chain' | 'asset'>): string => `${chain} ${asset.toLowerCase()}`

function assetOf({ assetId, blockchain, symbol, decimals, contract, price }: Token): IntentsAsset | null {
  const chain = byId.get(blockchain)
  if (chain === undefined || /deprecated/i.test(symbol) || !/^[!-~]{1,24}$/.test(symbol)) return null
  const isNative = contract === null || natives.has(contract)
  const listed = isNative
    ? chain.native
    : chain.assets.find((one) => one.contract !== null && spelled(one.contract) === spelled(contract))
  // Another token with the name of one that is known.
  const isMisnamed =
    listed === undefined && chain.assets.some((one) => one.asset.toLowerCase() === symbol.toLowerCase())
  if (isMisnamed || (listed !== undefined && listed.decimals !== decimals)) return null
  return {
    ...{ assetId, chain: chain.id, chainName: chain.name, decimals, name: symbol },
    ...{ asset: listed?.asset ?? symbol, contract: listed === undefined ? contract : listed.contract },
    ...{ isListed: listed !== undefined, takes: true, pays: listed !== undefined, priceMicros: microsOf(price) },
    price: textOf(price),
  }
}
