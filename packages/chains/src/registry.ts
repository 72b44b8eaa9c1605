// The catalogue put together: every chain once, found by id, alias or CAIP-2 id, and the rules of its addresses.

import { accountChains } from './catalogue/account.ts'
import { cosmosChains } from './catalogue/cosmos.ts'
import { evmChains } from './catalogue/evm.ts'
import { moreChains } from './catalogue/more.ts'
import { utxoChains } from './catalogue/utxo.ts'
import type { Chain } from './chain.ts'
import type { AddressRules } from './verdict.ts'

const entries = [...evmChains, ...utxoChains, ...accountChains, ...cosmosChains, ...moreChains]

/** Every chain, EVM first. Plain data, safe to send as JSON. */
export const chains: readonly Chain[] = entries.map((entry) => entry.chain)

const byName = new Map<string, Chain>()
const byCaip2 = new Map<string, Chain>()
for (const { chain } of entries) {
  for (const name of [chain.id, ...chain.aliases]) byName.set(name, chain)
  if (chain.caip2) byCaip2.set(chain.caip2, chain)
}
const rulesById = new Map<string, AddressRules>(entries.map((entry) => [entry.chain.id, entry.rules]))

/**
 * Finds a chain by id (`eth`), alias (`ethereum`) or CAIP-2 id (`eip155:1`); null when there is none.
 * Ids and aliases match whatever their case, ASCII letters only. CAIP-2 ids match exactly, because their references are
 * case-sensitive. No white space is trimmed.
 *
 * @example findChain('Polygon')?.id // 'pol'
 */
export function findChain(idOrAlias: string): Chain | null {
  if (typeof idOrAlias !== 'string' || !/^[!-~]{1,64}$/.test(idOrAlias)) return null
  return byCaip2.get(idOrAlias) ?? byName.get(idOrAlias.toLowerCase()) ?? null
}

/** The chain itself or the one an id names. @throws RangeError for an id outside the catalogue: that is a fault in the caller. */
export function getChain(chain: Chain | string): Chain {
  const found = typeof chain === 'string' ? findChain(chain) : findChain(chain.id)
  if (!found) throw new RangeError('There is no such chain in the catalogue.')
  return found
}

export function rulesOf(chain: Chain): AddressRules {
  const rules = rulesById.get(chain.id)
  if (!rules) throw new RangeError('There is no such chain in the catalogue.')
  return rules
}

/** Each set of rules once, with the chains that share it. */
export const sharedRules: ReadonlyMap<AddressRules, readonly Chain[]> = (() => {
  const groups = new Map<AddressRules, Chain[]>()
  for (const { chain, rules } of entries) {
    const group = groups.get(rules)
    if (group) group.push(chain)
    else groups.set(rules, [chain])
  }
  return groups
})()
