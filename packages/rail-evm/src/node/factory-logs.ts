// Reads the factory's logs. The amount that a merchant received is taken from the token's own Transfer logs in the same
// transaction: a token may deliver less than the factory sent.
import { payFactoryAbi } from '@florin/contracts'
import { TRANSFER } from '@florin/rail-kit/transfer-log'
import { type Address, decodeEventLog, type Hex, type PublicClient, zeroAddress } from 'viem'
import type { RawLog } from './match.ts'

const events = ['Settled', 'SettleFailed', 'Refunded', 'RefundProposed', 'RefundVetoed', 'PushFailed'] as const
export type FactoryEvent = (typeof events)[number]

export interface FactoryLog {
  event: FactoryEvent
  /** null for RefundVetoed. */
  vault: string | null
  txHash: Hex
  logIndex: number
  height: bigint
  blockHash: Hex
  /** The event's arguments as text, addresses lower case; Settled has `amountOut` as well. */
  args: Readonly<Record<string, string>>
}

/** Other events and logs that cannot be decoded are skipped. */
export function decodeFactoryLogs(logs: readonly RawLog[]): FactoryLog[] {
  return logs.flatMap((log) => {
    const decoded = decode(log)
    if (decoded === null) return []
    return [
      {
        ...decoded,
        vault: decoded.args.vault ?? null,
        txHash: log.transactionHash.toLowerCase() as Hex,
        logIndex: Number(log.logIndex),
        height: BigInt(log.blockNumber),
        blockHash: log.blockHash.toLowerCase() as Hex,
      },
    ]
  })
}

function decode(log: RawLog): Pick<FactoryLog, 'event' | 'args'> | null {
  try {
    const { eventName, args } = decodeEventLog({
      abi: payFactoryAbi,
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data as Hex,
    })
    const event = events.find((name) => name === eventName)
    if (event === undefined) return null
    const texts = Object.entries(args as Record<string, unknown>).map(([name, value]) => [
      name,
      String(value).toLowerCase(),
    ])
    return { event, args: Object.fromEntries(texts) as Record<string, string> }
  } catch {
    return null
  }
}

/** Adds `amountOut` to each settlement. One receipt per transaction is read, however many it settled. */
export async function withAmountsOut(
  client: PublicClient,
  factory: Address,
  logs: readonly FactoryLog[],
): Promise<FactoryLog[]> {
  const receipts = new Map<Hex, readonly RawLog[]>()
  for (const log of logs) {
    if (log.event !== 'Settled' || log.args.token === zeroAddress || receipts.has(log.txHash)) continue
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [log.txHash] })
    if (receipt?.blockHash?.toLowerCase() !== log.blockHash) throw new Error('a receipt is of another block')
    receipts.set(log.txHash, receipt.logs as unknown as RawLog[])
  }
  return logs.map((log) => {
    if (log.event !== 'Settled') return log
    return {
      ...log,
      args: { ...log.args, amountOut: settledAmount(log, factory, receipts.get(log.txHash)).toString() },
    }
  })
}

/** @param receipt the logs of its transaction; may be left out for the native coin. */
export function settledAmount(
  log: Pick<FactoryLog, 'args' | 'logIndex'>,
  factory: Address,
  receipt: readonly RawLog[] | undefined,
): bigint {
  const { vault, merchant, token, gross, fee } = log.args
  // Native coins arrive whole or the settlement fails. The receipt of a batch may have been read because of a token.
  if (receipt === undefined || token === zeroAddress) return BigInt(gross ?? 0) - BigInt(fee ?? 0)
  let out = 0n
  // The transfers of one settlement stand between its own log and that of the next.
  for (const entry of receipt) {
    if (Number(entry.logIndex) <= log.logIndex) continue
    if (entry.address.toLowerCase() === factory && decode(entry)?.event === 'Settled') break
    const [event, from, to] = entry.topics
    const isOurs = event === TRANSFER && entry.topics.length === 3 && entry.address.toLowerCase() === token
    if (isOurs && isAt(from, vault) && isAt(to, merchant)) out += BigInt(entry.data)
  }
  return out
}

const isAt = (topic: string | undefined, address: string | undefined): boolean =>
  address !== undefined && topic?.slice(26).toLowerCase() === address.slice(2)
