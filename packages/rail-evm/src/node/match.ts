// The hot path: from a node's raw logs to the transfers that reached a watched address. Pure; a malformed log is
// skipped and never stops a chain.
import { TRANSFER } from '@florin/rail-kit/transfer-log'
import type { Address, Hex } from 'viem'

/** As nodes send it: numbers are hexadecimal text. */
export interface RawLog {
  address: string
  topics: readonly string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
}

export interface WatchedVault {
  legRef: string
  orderRef: string
  /** Where it should have been paid: money on another chain is the payer's mistake, and still seen. */
  chain: string
  vault: Address
  isNative: boolean
  isLarge: boolean
  /** What arrived by then is in time. */
  deadline: Date
  hotUntil: Date
  watchUntil: Date
}

export interface Transfer<V> {
  /** Whose address it reached. */
  to: V
  /** Lower case, like every address and hash here. */
  token: Address
  from: Address
  amount: bigint
  txHash: Hex
  logIndex: number
  height: bigint
  blockHash: Hex
}

const WORD_CHARS = 66
const ADDRESS_AT = 26

/** Transfers to an address of the set. Zero transfers are dropped: anybody can make those. */
export function matchTransfers<V>(logs: readonly RawLog[], watched: ReadonlyMap<string, V>): Transfer<V>[] {
  const found: Transfer<V>[] = []
  for (const log of logs) {
    const [event, from, to] = log.topics
    // With a fourth topic it is the NFT event of the same name.
    if (event !== TRANSFER || log.topics.length !== 3 || from === undefined || to === undefined) continue
    if (to.length !== WORD_CHARS || log.data.length !== WORD_CHARS) continue
    const owner = watched.get(`0x${to.slice(ADDRESS_AT).toLowerCase()}`)
    if (owner === undefined) continue
    const amount = BigInt(log.data)
    if (amount === 0n) continue
    found.push({
      to: owner,
      token: log.address.toLowerCase() as Address,
      from: `0x${from.slice(ADDRESS_AT).toLowerCase()}`,
      amount,
      txHash: log.transactionHash.toLowerCase() as Hex,
      logIndex: Number(log.logIndex),
      height: BigInt(log.blockNumber),
      blockHash: log.blockHash.toLowerCase() as Hex,
    })
  }
  return found
}
