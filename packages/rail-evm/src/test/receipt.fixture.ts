// A transaction's receipt on a node that mines only what a test sends.
import { setTimeout as wait } from 'node:timers/promises'
import type { Hex, PublicClient, TransactionReceipt } from 'viem'

const GIVE_UP_MS = 120_000

/**
 * Asks until the node has it. viem's own wait asks once a new block: one that comes while it still asks about the block
 * before is missed, and where no other block follows it waits for ever.
 */
export async function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await wait(10)) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => null)
    if (receipt !== null) return receipt
  }
  throw new Error(`no block took ${hash}`)
}
