// How the words of a call become a chain and an asset (contract.md 3). Nothing here repeats what was sent: a secret
// that was pasted in the wrong field must not come back in an answer or a log line.
import { type Chain, canonicalTransactionId, findChain } from '@florin/chains'
import { AppError } from './platform/errors.ts'
import type { AssetRef } from './rails/interface/asset.ts'

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

const isHex = /^(0x)?[0-9a-f]{64}$/i
const base58Of32 = /^[1-9A-HJ-NP-Za-km-z]{40,46}$/
/** What a transaction's hash looks like, so that a slip is told to whoever typed it. */
const forms: Readonly<Record<string, RegExp>> = {
  ...{ evm: /^0x[0-9a-f]{64}$/i, utxo: /^[0-9a-f]{64}$/i },
  ...{ move: /^0x[0-9a-f]{64}$/i, starknet: /^0x[0-9a-f]{1,64}$/i },
  ...{ tron: isHex, stellar: isHex, xrpl: isHex, cardano: isHex },
  ...{ near: base58Of32, sui: base58Of32, solana: /^[1-9A-HJ-NP-Za-km-z]{64,90}$/ },
  // Wallets show it in hexadecimal digits, explorers in Base64 as well.
  ton: /^((0x)?[0-9a-f]{64}|[\w+/-]{43}=?)$/i,
  aleo: /^at1[02-9ac-hj-np-z]{58}$/,
}
const anyForm = /^[\w+/=-]{32,128}$/
const familyOf = (chain: string): string => findChain(chain)?.family ?? ''

export const isTxHash = (chain: string, text: string): boolean => (forms[familyOf(chain)] ?? anyForm).test(text)

/** As this chain's own programs write it: one spelling for each transaction. */
export const canonicalTxHash = (chain: string, text: string): string => canonicalTransactionId(chain, text) ?? text
