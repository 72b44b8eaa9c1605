// What a receipt's logs say: the factory's events, and the transfers that tokens report.
import { type Abi, type AbiEvent, type Address, type Hex, isAddressEqual, parseEventLogs, toEventHash } from 'viem'
import { payFactoryAbi } from '../src/index.ts'
import type { Receipt } from './chain.ts'

interface FactoryEvents {
  Settled: { vault: Address; ref: Hex; merchant: Address; token: Address; gross: bigint; fee: bigint }
  SettleFailed: { vault: Address; ref: Hex; reason: Hex }
  PushFailed: { vault: Address; ref: Hex; to: Address; token: Address; amount: bigint; reason: Hex }
  Refunded: { vault: Address; ref: Hex; to: Address; token: Address; amount: bigint }
  RefundProposed: { id: Hex; vault: Address; ref: Hex; token: Address; to: Address; amount: bigint; eta: number }
  RefundVetoed: { id: Hex; by: Address }
}

const factoryEvents = new Map<string, { entry: AbiEvent; hash: Hex }>(
  payFactoryAbi.flatMap((entry) => (entry.type === 'event' ? [[entry.name, { entry, hash: toEventHash(entry) }]] : [])),
)

/** The factory's events of one kind in a receipt, decoded. */
export function eventsOf<Name extends keyof FactoryEvents>(receipt: Receipt, eventName: Name): FactoryEvents[Name][] {
  const event = factoryEvents.get(eventName)
  if (!event) throw new Error(`the factory has no event ${eventName}`)
  const logs = receipt.logs.filter((log) => log.topics[0] === event.hash)
  const abi: Abi = [event.entry]
  return parseEventLogs({ abi, eventName, logs }).map((found) => found.args as unknown as FactoryEvents[Name])
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The Transfer logs of a receipt. */
export function transfersOf(receipt: Receipt): { token: Address; from: Address; to: Address; amount: bigint }[] {
  return receipt.logs
    .filter((log) => log.topics[0] === TRANSFER)
    .map((log) => ({
      token: log.address,
      from: `0x${(log.topics[1] ?? '').slice(26)}`,
      to: `0x${(log.topics[2] ?? '').slice(26)}`,
      amount: BigInt(log.data),
    }))
}

/** What a receipt's token logs brought to an address. */
export function receivedBy(receipt: Receipt, address: Address): bigint {
  return transfersOf(receipt).reduce((sum, t) => (isAddressEqual(t.to, address) ? sum + t.amount : sum), 0n)
}
