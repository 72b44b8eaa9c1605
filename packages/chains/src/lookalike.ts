// On which other chains is this text a valid address? Each set of rules is asked once, and only after a cheap pattern.

import type { Chain } from './chain.ts'
import { sharedRules } from './registry.ts'
import type { AddressRules } from './verdict.ts'

/** The chains outside `own` on which the text is a valid address; with `proven`, only those that prove it by checksum. */
export function lookalikes(text: string, own: AddressRules, proven = false): readonly Chain[] {
  const found: Chain[] = []
  for (const [rules, chains] of sharedRules) {
    if (rules === own || !rules.lookalike?.test(text) || (proven && !rules.checksummed)) continue
    if (rules.check(text).ok) found.push(...chains)
  }
  return found
}

/** "Ethereum", "Ethereum and Base", "Ethereum, Base and 34 more chains". */
export function nameChains(chains: readonly Chain[]): string {
  const names = chains.map((chain) => chain.name)
  if (names.length <= 2) return names.join(' and ')
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`
  return `${names[0]}, ${names[1]} and ${names.length - 2} more chains`
}
