// Well-spelled addresses that are nobody's wallet: contracts of the catalogue's tokens, issuers, contracts of swap services and
// bridges, accounts of the chains themselves. What is sent there is lost, or out of its owner's hands. By family: what
// is a token's contract on one chain of a family is nobody's wallet on its others.

import type { Chain, Family } from './chain.ts'
import { chains, rulesOf } from './registry.ts'

const TOKEN = 'it is the contract of a token, where coins are lost'
const CHAINS_OWN = 'it belongs to the chain itself or to a service, and not to a wallet'

/** Beyond the catalogue's tokens; as their chains write them. */
const known: Partial<Record<Family, readonly string[]>> = {
  evm: [
    // Wrapped native coins, by chain: Ethereum, Arbitrum, BNB Chain, Polygon, Avalanche, Gnosis.
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
    '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d',
    // Ethereum's deposits of validators.
    '0x00000000219ab540356cBB839Cbe05303d7705Fa',
    '0xffffffffffffffffffffffffffffffffffffffff',
  ],
  solana: [
    'So11111111111111111111111111111111111111112',
    'Feature111111111111111111111111111111111111',
    'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
    'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
  ],
  near: ['intents.near', 'wrap.near', 'omft.near', 'aurora', 'near', 'registrar', 'bridge.near', 'factory.bridge.near'],
  ton: [
    // The configuration and the elector.
    'Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn',
    'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
  ],
  tron: ['TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
  starknet: [
    '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
    '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
    '0x053c91253bc9682c04929ca02ed00b3e423f6710d2ee7e0d5ebb06f3ecf368a8',
    '0x068f5c6a61780768455de69077e07e89787839bf8166decfbf92b645209c0fb8',
  ],
}

/** Whole ranges: contracts that chains are born with, and accounts below those of bridges. */
const ranges: Partial<Record<Family, RegExp>> = {
  // Built into Polygon; and into chains of the OP stack.
  evm: /^0x(?:0{36}[0-9a-f]{4}|4200000000000000000000000000000000000[0-9a-f]{3})$/i,
  near: /(?:\.omft|\.factory\.bridge|\.tether-token)\.near$|(?:^|\.)omni\.hot\.tg$/,
  sui: /^0x0{60}[0-9a-f]{4}$/,
}

/** Where money for a token's contract would go: its issuer, its package, or the contract itself. */
export function placeOf(chain: Chain, contract: string): string {
  const [first = contract, second] = contract.split(/::?/)
  const text = chain.family === 'stellar' ? (second ?? first) : first
  const finding = rulesOf(chain).check(text)
  return finding.ok ? finding.canonical : text
}

const found = new Map<Family, ReadonlyMap<string, string>>()

function placesOf({ family }: Chain): ReadonlyMap<string, string> {
  const kept = found.get(family)
  if (kept !== undefined) return kept
  const places = new Map<string, string>()
  for (const chain of chains.filter((one) => one.family === family)) {
    for (const text of known[family] ?? []) places.set(placeOf(chain, text), CHAINS_OWN)
    for (const { contract } of chain.assets) if (contract !== null) places.set(placeOf(chain, contract), TOKEN)
  }
  found.set(family, places)
  return places
}

/** @returns why nobody is paid there, a clause; null: nothing is known against it. @param canonical as its chain's rules spell it */
export function nobodysWallet(chain: Chain, canonical: string): string | null {
  const place = placesOf(chain).get(canonical)
  if (place !== undefined) return place
  return ranges[chain.family]?.test(canonical) === true ? CHAINS_OWN : null
}
