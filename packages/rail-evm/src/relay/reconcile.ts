// What became of broadcast transactions: found by any of their hashes, removed by a reorg, or lost because another
// transaction of the same key took the nonce.
import type { Lease } from '@florin/platform/db/lease'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Deferral } from './batch.ts'
import { hexOf } from './calls.ts'
import { takeDeferral } from './deferrals.ts'
import { forgetFailures, listItemsCarriedBy, postponeItems, wasCovered } from './items.store.ts'
import { keepMinedLogs } from './mined-logs.ts'
import type { Head } from './node.ts'
import { countLostLook, type OutboxRow, reopenGone, setTransactionState } from './outbox.store.ts'
import { endOverdue } from './overdue.ts'
import { type Signer, withLease } from './signer.ts'

/** Nodes that lag behind each other show a used nonce before its receipt. */
const LOST_AFTER_LOOKS = 5

/**
 * What was done and left the chain is open again, and its stored transaction is offered anew.
 * @param a.count the key's transaction count at the newest block. @returns how many of its forms are not known to a node.
 */
export async function reopen(signer: Signer, lease: Lease, a: { head: Head; count: number }): Promise<number> {
  const reach = BigInt(signer.chain.maxReorg)
  const attempts = await withLease(signer, lease, async (tx) => {
    const gone = await reopenGone(tx, signer.key, { count: a.count, height: a.head.height, reach })
    const ids = gone.flatMap((attempt) => attempt.itemIds)
    await forgetFailures(tx, ids)
    return gone
  })
  if (attempts.length === 0) return 0
  for (const { hash } of attempts) signer.offered.delete(hash)
  signer.deps.log.error({ ...signer.key, count: a.count }, 'transactions that were final left the chain; offered again')
  return attempts.length
}

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
      await withLease(signer, lease, async (tx) => {
        await setTransactionState(tx, row, { state: 'open', height: a.head.height })
        await forgetFailures(tx, row.itemIds)
      })
      Object.assign(row, { state: 'open', sentHeight: a.head.height, firstHeight: a.head.height })
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
      const items = await listItemsCarriedBy(tx, row)
      await endOverdue(tx, row, now)
      await setTransactionState(tx, row, { state: 'lost' })
      const ids = items.map((item) => item.id)
      return postponeItems(tx, ids, now, now)
    })
    if (!isLost) return 0
    signer.deps.log.error(
      { chain: row.chain, signer: row.signer, nonce: row.nonce },
      'another transaction of this key took the nonce of one of ours: is the key used elsewhere?',
    )
    return 1
  }
  const isKept = await keepMinedLogs(signer, lease, receipt.whole)
  // Nobody looks at it once it is done: until then its logs have to be known.
  if (!isKept && row.state === 'mined') return 0
  const facts = await withLease(signer, lease, async (tx, now) => {
    await endOverdue(tx, row, now)
    if (isKept && (row.state === 'mined' || isDeep(receipt.height, head))) {
      if (row.state === 'open') await setTransactionState(tx, row, { state: 'mined', ...receipt })
      await setTransactionState(tx, row, { state: 'done' })
    } else {
      await setTransactionState(tx, row, { state: 'mined', ...receipt })
    }
    // What is known to be reverted was dealt with when it was first seen in this block.
    const isKnown = row.state === 'mined' && row.minedHash === receipt.hash && row.minedHeight === receipt.height
    if (receipt.ok || isKnown) return []
    // The whole transaction moved nothing: the state changed between the simulation and the block.
    const why = 'the transaction was reverted'
    const facts: (RailFact | null)[] = []
    const items = await listItemsCarriedBy(tx, row)
    // Of several any one may be the cause: those of one receiver are tried together next, then each alone.
    const level = new Set(items.map(({ receiver }) => receiver)).size > 1 ? 1 : 2
    for (const item of items) {
      const isCovered = await wasCovered(tx, item, receipt.height)
      const deferral: Deferral = !isCovered
        ? { item, kind: 'not_yet', why }
        : row.itemIds.length > 1
          ? { item, kind: 'apart', level, isBurnt: false, why }
          : { item, kind: 'failure', isBurnt: true, why }
      facts.push(await takeDeferral(tx, deferral, now))
    }
    return facts
  })
  if (facts.some((fact) => fact !== null)) signer.deps.wake.facts.fire()
  return 1
}

interface Found {
  hash: Hex
  height: bigint
  ok: boolean
  /** In wei. */
  cost: bigint
  whole: TransactionReceipt
}

/** What a rollup of the OP family charges beside the gas, which viem leaves as the node wrote it. */
function dataFee(receipt: object): bigint {
  const fee = 'l1Fee' in receipt ? receipt.l1Fee : null
  return typeof fee === 'bigint' ? fee : typeof fee === 'string' && /^0x[0-9a-f]+$/i.test(fee) ? BigInt(fee) : 0n
}

/** Any attempt may be the one that was mined. */
async function findReceipt(signer: Signer, row: OutboxRow): Promise<Found | null> {
  for (const { hash } of row.attempts.toReversed()) {
    try {
      const receipt = await signer.client.getTransactionReceipt({ hash: hexOf(hash) })
      const cost = receipt.gasUsed * receipt.effectiveGasPrice + dataFee(receipt)
      const ok = receipt.status === 'success'
      return { hash: hexOf(hash), height: receipt.blockNumber, ok, cost, whole: receipt }
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
  }
  return null
}

const isDeep = (height: bigint | null, head: Head): boolean => height !== null && height <= head.final
