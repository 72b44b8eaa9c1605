// Interprets a node's reply to a signed transaction. Pure. Nodes word the same reply differently; every wording here
// was met on a real node or is in its source.

/**
 * `known`: it has this very transaction. `nonce_used`: the nonce is taken; look for receipts. `bump`: offer a higher
 * fee. `no_funds`: the key cannot pay for gas. `refused`: anything else; try again later.
 */
export type SendAnswer = 'accepted' | 'known' | 'nonce_used' | 'bump' | 'no_funds' | 'refused'

const words: readonly [RegExp, SendAnswer][] = [
  [/already known|already imported|known transaction|already in (the )?mempool|alreadyexists/i, 'known'],
  [/nonce (is )?too low|invalid nonce.*low|nonce.*already (been )?used|old nonce/i, 'nonce_used'],
  // "max fee per gas less than block base fee" (geth, anvil), "fee cap less than block base fee" (erigon).
  [/less than (the )?(block )?base ?fee|feetoolow|fee too low|gas price too low/i, 'bump'],
  [/underpriced|replacement (fee|transaction).*low|could not replace/i, 'bump'],
  [/insufficient funds|insufficient balance|not enough funds/i, 'no_funds'],
]

export function readSendAnswer(message: string): SendAnswer {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? 'refused'
}
