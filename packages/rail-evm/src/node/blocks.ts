// Reads blocks from a node: headers by number, logs by block hash, ranges far from the tip. A node behind a load
// balancer returns an empty list for a block it does not have; asked by hash, it reports an error.
import { TRANSFER, topicOf } from '@florin/rail-kit/transfer-log'
import type { Hex, PublicClient } from 'viem'
import type { ForwarderChain } from '../settings/config.ts'
import { decodeFactoryLogs, type FactoryLog, withAmountsOut } from './factory-logs.ts'
import { matchTransfers, type RawLog, type Transfer, type WatchedVault } from './match.ts'

export interface BlockHead {
  height: bigint
  hash: Hex
  parent: Hex
  time: Date
}

export interface Found {
  transfers: Transfer<WatchedVault>[]
  factoryLogs: FactoryLog[]
  /** How many logs the node returned. */
  entries: number
}

export type Where = { block: Pick<BlockHead, 'height' | 'hash'> } | { from: bigint; to: bigint }

const hexOf = (height: bigint): Hex => `0x${height.toString(16)}`

/** Of a block as nodes send it. null: there is none. @throws Error when it is not a block. */
export function headOf(raw: unknown): BlockHead | null {
  if (raw === null || raw === undefined) return null
  const { number, hash, parentHash, timestamp } = raw as Record<string, unknown>
  if (number === null || hash === null) return null
  const parts = [number, hash, parentHash, timestamp]
  if (!parts.every((part): part is Hex => typeof part === 'string' && /^0x[0-9a-f]{1,64}$/i.test(part))) {
    throw new Error('the node answered something that is no block')
  }
  return {
    height: BigInt(String(number)),
    hash: String(hash).toLowerCase() as Hex,
    parent: String(parentHash).toLowerCase() as Hex,
    time: new Date(Number(timestamp) * 1000),
  }
}

/** null: the node does not have it (yet). */
export async function readHead(
  client: PublicClient,
  which: bigint | 'latest' | 'finalized',
): Promise<BlockHead | null> {
  const height = typeof which === 'bigint' ? hexOf(which) : which
  return headOf(await client.request({ method: 'eth_getBlockByNumber', params: [height, false] }))
}

/**
 * Transfers of the configured tokens to watched vaults, and the factory's logs. With few vaults the node is asked for
 * their transfers alone; with many, for all transfers of the tokens.
 *
 * @throws Error also when it tells of other blocks than it was asked for.
 */
export async function readLogs(
  client: PublicClient,
  chain: ForwarderChain,
  where: Where,
  watched: ReadonlyMap<string, WatchedVault>,
): Promise<Found> {
  const tokens = [...chain.tokens, ...chain.otherTokens].map((token) => token.contract)
  const place =
    'block' in where ? { blockHash: where.block.hash } : { fromBlock: hexOf(where.from), toBlock: hexOf(where.to) }
  const ask = async (filter: object): Promise<RawLog[]> => {
    const call = { method: 'eth_getLogs', params: [{ ...place, ...filter }] }
    const logs: unknown = await client.request(call as unknown as Parameters<typeof client.request>[0])
    if (!Array.isArray(logs)) throw new Error('the node answered something that is no list of logs')
    if (!logs.every(isLog)) throw new Error('the node answered something that is no log')
    if (!logs.every((log) => isOf(where, log))) throw new Error('the node answered logs of other blocks')
    const places = new Set(logs.map((log) => `${log.blockHash} ${Number(log.logIndex)}`))
    if (places.size < logs.length) throw new Error('the node answered two logs of one place')
    return logs
  }
  const isFew = watched.size <= chain.topicsMax
  const [transfers, factory] = await Promise.all([
    tokens.length === 0 || watched.size === 0
      ? []
      : ask({ address: tokens, topics: [TRANSFER, null, ...(isFew ? [[...watched.keys()].map(topicOf)] : [])] }),
    ask({ address: chain.factory }),
  ])
  return {
    transfers: matchTransfers(transfers, watched),
    factoryLogs: await withAmountsOut(client, chain.factory, decodeFactoryLogs(ofContract(factory, chain.factory))),
    entries: transfers.length + factory.length,
  }
}

/** A node that answers with another contract's logs, or a forged factory's, is not listened to. */
const ofContract = (logs: readonly RawLog[], contract: string): RawLog[] =>
  logs.filter((log) => log.address.toLowerCase() === contract)

/** What would fail only when it is written would fail again and again. */
function isLog(value: unknown): value is RawLog {
  if (typeof value !== 'object' || value === null) return false
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex } = value as Record<string, unknown>
  return (
    isHex(address, 40) &&
    [blockHash, transactionHash].every((hash) => isHex(hash, 64)) &&
    Array.isArray(topics) &&
    topics.length <= 4 &&
    topics.every((topic) => isHex(topic, 64)) &&
    typeof data === 'string' &&
    /^0x[0-9a-f]*$/i.test(data) &&
    typeof blockNumber === 'string' &&
    /^0x[0-9a-f]{1,12}$/i.test(blockNumber) &&
    typeof logIndex === 'string' &&
    /^0x[0-9a-f]{1,7}$/i.test(logIndex)
  )
}

const isHex = (value: unknown, digits: number): value is Hex =>
  typeof value === 'string' && value.length === digits + 2 && /^0x[0-9a-f]+$/i.test(value)

/** A log that claims another block would count at a depth that it does not have. */
function isOf(where: Where, { blockHash, blockNumber }: RawLog): boolean {
  const height = BigInt(blockNumber)
  if ('from' in where) return height >= where.from && height <= where.to
  return height === where.block.height && blockHash.toLowerCase() === where.block.hash
}
