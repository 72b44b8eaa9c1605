// Transactions that no block takes: the fee cap is too low, the chain stands still, or every provider drops them. The
// orders whose money they move say so until they are mined; nothing about the sending changes.
import type { Lease } from '@florin/platform/db/lease'
import type { Tx } from '@florin/platform/db/tx'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { listItemsCarriedBy, type RelayItem } from './items.store.ts'
import type { Head } from './node.ts'
import { type OutboxRow, setOverdue } from './outbox.store.ts'
import { type Signer, withLease } from './signer.ts'

/** @returns a sentence for operators while one waits, or null. */
export async function tellOverdue(
  signer: Signer,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head },
): Promise<string | null> {
  const waits = (row: OutboxRow): bigint => a.head.height - row.firstHeight
  const overdue = a.live.filter((row) => row.state === 'open' && waits(row) >= BigInt(signer.alarmAfterBlocks))
  for (const row of overdue.filter((one) => !one.isOverdue)) {
    await withLease(signer, lease, async (tx, now) => {
      if (await setOverdue(tx, row, true)) await report(tx, row, raised, now)
    })
    row.isOverdue = true
    signer.deps.log.error(
      { chain: row.chain, nonce: row.nonce, blocks: Number(waits(row)) },
      'a transaction waits unmined',
    )
    signer.deps.wake.facts.fire()
  }
  const [first] = overdue
  if (first === undefined) return null
  return `the transaction with nonce ${first.nonce} of ${first.signer} waits unmined for ${waits(first)} blocks; everything after it waits too`
}

/** It is in a block, or its nonce is used up. In the transaction that records that. */
export async function endOverdue(tx: Tx, row: OutboxRow, now: Date): Promise<void> {
  if (row.isOverdue && (await setOverdue(tx, row, false))) await report(tx, row, over, now)
}

async function report(
  tx: Tx,
  row: OutboxRow,
  factOf: (item: RelayItem, txHash: string) => RailFact,
  now: Date,
): Promise<void> {
  // The first attempt names the transaction, however often it is offered for more.
  const txHash = row.attempts[0]?.hash ?? ''
  const items = await listItemsCarriedBy(tx, row)
  const facts = items.map((item) => ({ orderRef: item.orderRef, fact: factOf(item, txHash) }))
  await reportFactsOfMany(tx, { rail: 'forwarder', facts, now })
}

const what = 'transaction_not_mined'

const raised = ({ chain, token, amount, to, route }: RelayItem, txHash: string): RailFact => ({
  ...{ kind: 'alarm_raised', what, chain, token, amount, txHash, why: null },
  to: to ?? route.merchant,
})

const over = (_item: RelayItem, txHash: string): RailFact => ({ kind: 'alarm_over', what, txHash })
