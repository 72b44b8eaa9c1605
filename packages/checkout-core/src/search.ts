// The finding of a way to pay among hundreds: by name, symbol, chain or contract. Pure, for both pages and the server.
import type { PayChoice } from '@florin/protocol'

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/** From here on a word may be the beginning of a contract: shorter ones would meet every `0x`. */
const CONTRACT_FROM = 5

/**
 * Every word of the query must begin a word of the coin's name, its symbol or its chain, or a contract. Whole words come
 * before mere beginnings, and what the symbol says before what the rest does.
 */
export function searchChoices<T extends PayChoice>(choices: readonly T[], query: string): T[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  const scored = choices.flatMap((choice) => {
    const symbol = plain(choice.asset)
    const names = plain(`${choice.asset} ${choice.name} ${choice.chain_name} ${choice.chain}`).split(/\s+/)
    const contract = plain(choice.contract ?? '')
    let score = 0
    for (const word of words) {
      if (symbol === word) score += 3
      else if (names.includes(word)) score += 2
      else if (names.some((name) => name.startsWith(word))) score += 1
      else if (word.length >= CONTRACT_FROM && contract.startsWith(word)) score += 2
      else return []
    }
    return [{ choice, score }]
  })
  // The sort is stable: equals stay in the server's order.
  return scored.sort((a, b) => b.score - a.score).map(({ choice }) => choice)
}
