// Who sent native coins. They leave no log, and one address may receive several amounts in a block: a sender is named only
// where one transaction brought all of it.
import type { Hex, PublicClient } from 'viem'

export interface Sender {
  txHash: Hex
  from: string
  /** All that the transaction brought. */
  value: bigint
}

/**
 * Of each address that exactly one transaction of the block paid, and did not fail. Others may have paid it beside that by
 * contract calls, which are no transactions of their own: the caller compares the value with what arrived.
 * @param client what it answers is what a quorum of providers answers
 */
export async function readSenders(
  client: PublicClient,
  blockHash: Hex,
  addresses: ReadonlySet<string>,
): Promise<Map<string, Sender>> {
  const block: unknown = await client.request({ method: 'eth_getBlockByHash', params: [blockHash, true] })
  const transactions = block === null ? null : (block as { transactions?: unknown }).transactions
  if (!Array.isArray(transactions)) throw new Error('the node does not have the block any more')
  const ours = transactions.filter((one) => addresses.has(recipientOf(one)))
  if (!ours.every(isTransaction)) throw new Error('the node answered something that is no transaction')
  const paying = ours.filter(({ value }) => BigInt(value) > 0n)
  const senders = new Map<string, Sender>()
  for (const [to, [only, ...others]] of Map.groupBy(paying, recipientOf)) {
    if (only === undefined || others.length > 0) continue
    const { hash, from, value } = only
    if (await succeeded(client, hash, blockHash))
      senders.set(to, { txHash: hash, from: from.toLowerCase(), value: BigInt(value) })
  }
  return senders
}

async function succeeded(client: PublicClient, hash: Hex, blockHash: Hex): Promise<boolean> {
  const receipt: unknown = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const { status, blockHash: minedIn } = (receipt ?? {}) as { status?: unknown; blockHash?: unknown }
  return status === '0x1' && typeof minedIn === 'string' && minedIn.toLowerCase() === blockHash
}

interface Transaction {
  hash: Hex
  from: string
  value: Hex
}

/** Empty: it creates a contract, or is no transaction. */
function recipientOf(value: unknown): string {
  const to: unknown = typeof value === 'object' && value !== null && 'to' in value ? value.to : null
  return typeof to === 'string' ? to.toLowerCase() : ''
}

function isTransaction(value: unknown): value is Transaction {
  if (typeof value !== 'object' || value === null) return false
  const { hash, from, value: wei } = value as Record<string, unknown>
  return isHex(hash, 64) && isHex(from, 40) && typeof wei === 'string' && /^0x[0-9a-f]{1,64}$/i.test(wei)
}

const isHex = (value: unknown, digits: number): value is Hex =>
  typeof value === 'string' && value.length === digits + 2 && /^0x[0-9a-f]+$/i.test(value)
