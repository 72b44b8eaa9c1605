// What our own transactions did is known from their receipts, which enough providers agree on: where no scan of their block
// showed a log, because whoever was asked left it out, it is written down from there. Else its order would wait for ever.
import type { Lease } from '@florin/platform/db/lease'
import { type Hex, type TransactionReceipt, toHex } from 'viem'
import { decodeFactoryLogs, settledAmount } from '../node/factory-logs.ts'
import type { RawLog } from '../node/match.ts'
import { insertMinedLog, lockBranch } from './mined-logs.store.ts'
import { type Signer, withLease } from './signer.ts'

/** @returns false: the watcher has not read this block, or another one in its place; look again. */
export async function keepMinedLogs(signer: Signer, lease: Lease, receipt: TransactionReceipt): Promise<boolean> {
  const { chain, factory, deps } = signer
  const all = rawLogs(receipt)
  const logs = decodeFactoryLogs(all.filter((log) => log.address.toLowerCase() === factory)).map((log) =>
    log.event === 'Settled'
      ? { ...log, args: { ...log.args, amountOut: settledAmount(log, factory, all).toString() } }
      : log,
  )
  const blockHash = receipt.blockHash.toLowerCase()
  const place = { chain: chain.id, height: receipt.blockNumber, blockHash, deep: BigInt(chain.maxReorg) }
  // In a transaction of its own: the watcher locks in this order too.
  const added = await withLease(signer, lease, async (tx, now) => {
    const branch = await lockBranch(tx, place)
    if (typeof branch === 'string') return branch
    let count = 0
    for (const log of logs) if (await insertMinedLog(tx, chain.id, log, { ...branch, now })) count++
    return count
  })
  if (added === 'unwatched') return true
  if (added === 'not_yet') return false
  if (added > 0) {
    deps.log.warn(
      { chain: chain.id, tx: receipt.transactionHash, added },
      'the receipt of a transaction shows logs that no scan of its block had shown',
    )
    deps.wake.factoryLogs.fire()
  }
  return true
}

/** The place of each is its receipt's: a provider could write any other beside it. */
function rawLogs({ logs, blockHash, blockNumber, transactionHash }: TransactionReceipt): RawLog[] {
  return logs.map(({ address, topics, data, logIndex }) => ({
    ...{ address, topics: topics as readonly Hex[] as string[], data, logIndex: toHex(logIndex) },
    ...{ blockHash, blockNumber: toHex(blockNumber), transactionHash },
  }))
}
