// Reads balances at one named block: never "latest", which means another block on another node.
import { chunksOf } from '@florin/platform/chunks'
import { ADDRESSES_A_CALL, balancesCall, readBalancesAnswer } from '@florin/rail-kit/coin-balances'
import { topicOf } from '@florin/rail-kit/transfer-log'
import { type Address, type Hex, type PublicClient, zeroAddress } from 'viem'

const BALANCE_OF = '70a08231'

/** Native balances at the block with this hash, in the order of the addresses. */
export async function readBalances(
  client: PublicClient,
  addresses: readonly Address[],
  blockHash: Hex,
): Promise<bigint[]> {
  const balances: bigint[] = []
  for (const part of chunksOf(addresses, ADDRESSES_A_CALL)) {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ data: balancesCall(part) }, { blockHash }],
    })
    const read = readBalancesAnswer(answer, part.length)
    if (read === null) throw new Error('the node answered another number of balances')
    balances.push(...read)
  }
  return balances
}

/** Whatever stands at the address, it tells no balance. */
export class NotAToken extends Error {}

/** `null`: the native coin. @throws NotAToken, or the revert of what stands there. */
export async function readBalance(
  client: PublicClient,
  a: { address: Address; token: Address | null; blockHash: Hex },
): Promise<bigint> {
  if (a.token === null) return (await readBalances(client, [a.address], a.blockHash))[0] ?? 0n
  const answer = await client.request({
    method: 'eth_call',
    params: [{ to: a.token, data: `0x${BALANCE_OF}${topicOf(a.address).slice(2)}` }, { blockHash: a.blockHash }],
  })
  if (!/^0x[0-9a-f]{64}/i.test(answer)) throw new NotAToken(`${a.token} tells no balance`)
  return BigInt(answer.slice(0, 66))
}

/**
 * As `balancesCall`, over pairs of words, token and holder: balanceOf of the token, or the native balance where the token is
 * zero. It ends in a revert when a token does not answer.
 */
const PAIRS_PROGRAM =
  '606b380380606b6060396370a0823160e01b60005260005b81811015606357806060018060200151905180603f5750315b8160011c60600152' +
  '6040016017565b906004526020604060246000845afa3d601f1016605b57600080fd5b506040516030565b5060011c6060f3'

export interface Pair {
  address: Address
  /** null: the native coin. */
  token: Address | null
}

/** Balances of any addresses in any assets at the block with this hash, in the order of the pairs. */
export async function readPairs(client: PublicClient, pairs: readonly Pair[], blockHash: Hex): Promise<bigint[]> {
  const wordOf = (address: string): string => topicOf(address).slice(2)
  const balances: bigint[] = []
  for (const part of chunksOf(pairs, ADDRESSES_A_CALL)) {
    const words = part.map(({ token, address }) => wordOf(token ?? zeroAddress) + wordOf(address))
    const answer = await client.request({
      method: 'eth_call',
      params: [{ data: `0x${PAIRS_PROGRAM}${words.join('')}` }, { blockHash }],
    })
    const hex = answer.slice(2)
    if (hex.length !== part.length * 64) throw new Error('the node answered another number of balances')
    for (let n = 0; n < part.length; n++) balances.push(BigInt(`0x${hex.slice(n * 64, n * 64 + 64)}`))
  }
  return balances
}
