// On which other chains is this text a valid address? Each set of rules is asked once, and only after a cheap pattern.

import type { Chain } from './chain.ts'
import { sharedRules } from './registry.ts'
import type { AddressRules } from './verdict.ts'

/**
 * The chains outside `own` on which the text is a valid address. Where one of them proves it by checksum, a mere grammar
 * (NEAR's) has no claim, just as `checkAddress` would refuse it there.
 */
export function lookalikes(text: string, own: AddressRules): readonly Chain[] {
  const claims: { readonly rules: AddressRules; readonly chains: readonly Chain[] }[] = []
  for (const [rules, chains] of sharedRules)
    if (rules !== own && rules.lookalike?.test(text) && rules.check(text).ok) claims.push({ rules, chains })
  const anyProof = claims.some((claim) => claim.rules.checksummed)
  return claims.filter((claim) => !(anyProof && claim.rules.grammarOnly)).flatMap((claim) => claim.chains)
}

/** True where another chain's checksum proves the text to be an address of that chain or of one of its test networks. */
export function provenElsewhere(text: string): boolean {
  for (const rules of sharedRules.keys()) {
    if (!rules.checksummed) continue
    const finding = rules.check(text)
    if (finding.ok || finding.reason === 'wrong_network') return true
  }
  return false
}

/** "Ethereum", "Ethereum and Base", "Ethereum, Base and 34 more chains". */
export function nameChains(chains: readonly Chain[]): string {
  const names = chains.map((chain) => chain.name)
  if (names.length <= 2) return names.join(' and ')
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`
  return `${names[0]}, ${names[1]} and ${names.length - 2} more chains`
}
