// Reads balances at one named block: never "latest", which means another block on another node.
import type { Address, Hex, PublicClient } from 'viem'
import { topicOf } from './match.ts'

/**
 * A program that eth_call runs without deploying it: it returns the native balance of each address word that follows
 * it. Backwards over the words: mstore(i, balance(mload(i))); then return all. So many addresses cost one call and no
 * contract has to exist on the chain.
 */
const PROGRAM = '601f380380601f600039805b8015601d57602090038051318152600b565bf3'
// The node treats the result as a contract's code, which may have 24,576 bytes: 768 words.
const ADDRESSES_A_CALL = 750
const BALANCE_OF = '70a08231'

/** Native balances at the block with this hash, in the order of the addresses. */
export async function readBalances(
  client: PublicClient,
  addresses: readonly Address[],
  blockHash: Hex,
): Promise<bigint[]> {
  const balances: bigint[] = []
  for (let at = 0; at < addresses.length; at += ADDRESSES_A_CALL) {
    const words = addresses.slice(at, at + ADDRESSES_A_CALL).map((address) => topicOf(address).slice(2))
    const answer = await client.request({
      method: 'eth_call',
      params: [{ data: `0x${PROGRAM}${words.join('')}` }, { blockHash }],
    })
    const hex = answer.slice(2)
    if (hex.length !== words.length * 64) throw new Error('the node answered another number of balances')
    for (let n = 0; n < words.length; n++) balances.push(BigInt(`0x${hex.slice(n * 64, n * 64 + 64)}`))
  }
  return balances
}

/** `null`: the native coin. */
export async function readBalance(
  client: PublicClient,
  a: { address: Address; token: Address | null; blockHash: Hex },
): Promise<bigint> {
  if (a.token === null) return (await readBalances(client, [a.address], a.blockHash))[0] ?? 0n
  const answer = await client.request({
    method: 'eth_call',
    params: [{ to: a.token, data: `0x${BALANCE_OF}${topicOf(a.address).slice(2)}` }, { blockHash: a.blockHash }],
  })
  return BigInt(answer)
}
