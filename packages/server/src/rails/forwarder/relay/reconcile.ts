// What became of broadcast transactions: found by any of their hashes, removed by a reorg, or lost because another
// transaction of the same key took the nonce.
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import type { Lease } from '../../../platform/db/lease.ts'
import { hexOf } from './calls.ts'
import { takeDeferral } from './deferrals.ts'
import { findItemsOfTransaction, postponeItems } from './items.store.ts'
import type { Head } from './node.ts'
import { countLostLook, type OutboxRow, setTransactionState } from './outbox.store.ts'
import { type Signer, withLease } from './signer.ts'

/** Nodes that lag behind each other show a used nonce before its receipt. */
const LOST_AFTER_LOOKS = 5

/** @param count the key's transaction count at the newest block. @returns how many rows changed. */
export async function reconcile(
  signer: Signer,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number },
): Promise<number> {
  let did = 0
  for (const row of a.live) {
    if (row.nonce >= a.count) {
      if (row.state === 'open') continue
      // The block that had it is gone, and the node may have forgotten the transaction with it.
      for (const attempt of row.attempts) signer.offered.delete(attempt.hash)
      await withLease(signer, lease, (tx) => setTransactionState(tx, row, { state: 'open' }))
      row.state = 'open'
      did++
    } else if (row.state === 'open' || isDeep(row.minedHeight, a.head)) {
      did += await look(signer, lease, row, a.head)
    }
  }
  return did
}

async function look(signer: Signer, lease: Lease, row: OutboxRow, head: Head): Promise<number> {
  const receipt = await findReceipt(signer, row)
  if (receipt === null) {
    const isLost =
      row.lostLooks + 1 >= LOST_AFTER_LOOKS && head.height - row.sentHeight >= BigInt(signer.bumpAfterBlocks)
    await withLease(signer, lease, async (tx, now) => {
      if (!isLost) return countLostLook(tx, row)
      await setTransactionState(tx, row, { state: 'lost' })
      return postponeItems(tx, row.itemIds, now, now)
    })
    if (!isLost) return 0
    signer.deps.log.error(
      { chain: row.chain, signer: row.signer, nonce: row.nonce },
      'another transaction of this key took the nonce of one of ours: is the key used elsewhere?',
    )
    return 1
  }
  const facts = await withLease(signer, lease, async (tx, now) => {
    if (row.state === 'mined' || isDeep(receipt.height, head)) {
      if (row.state === 'open') await setTransactionState(tx, row, { state: 'mined', ...receipt })
      await setTransactionState(tx, row, { state: 'done' })
    } else {
      await setTransactionState(tx, row, { state: 'mined', ...receipt })
    }
    if (receipt.ok || row.state === 'mined') return []
    // The whole transaction moved nothing: the state changed between the simulation and the block.
    const why = 'the transaction was reverted'
    const items = await findItemsOfTransaction(tx, receipt.hash, null)
    return Promise.all(items.map((item) => takeDeferral(tx, { item, kind: 'failure', why }, now)))
  })
  if (facts.some((fact) => fact !== null)) signer.deps.wake.facts.fire()
  return 1
}

/** Any attempt may be the one that was mined. */
async function findReceipt(signer: Signer, row: OutboxRow): Promise<{ hash: Hex; height: bigint; ok: boolean } | null> {
  for (const { hash } of row.attempts.toReversed()) {
    try {
      const receipt = await signer.client.getTransactionReceipt({ hash: hexOf(hash) })
      return { hash: hexOf(hash), height: receipt.blockNumber, ok: receipt.status === 'success' }
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
  }
  return null
}

const isDeep = (height: bigint | null, head: Head): boolean => height !== null && height <= head.final
