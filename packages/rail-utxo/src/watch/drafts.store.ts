// SQL of transactions that were drawn up for refunds, and of what spends their coins. Of spends only the holder of the chain's lease
// writes.
import type { Db, Tx } from '@florin/platform/db/tx'

export interface Drawn {
  refundId: string
  script: string
  owed: bigint
  /** `txid:vout`. */
  inputs: readonly string[]
}

/** A reorg may reopen what is done: that is watched for as long as a reorg can be. */
const STILL_WATCHED_BLOCKS = 1_000

/** Bounded by the refunds that merchants had drawn up and did not pay. */
export async function listDrawn(db: Db, chain: string): Promise<Drawn[]> {
  const rows = await db<(Omit<Drawn, 'owed'> & { owed: string })[]>`
    select r.id as "refundId", r.script, r.amount::text as owed, r.draft_inputs as inputs
    from utxo_refunds r join utxo_cursors c using (chain)
    where r.chain = ${chain} and r.draft_inputs is not null
      and (r.state = 'asked' or r.height > c.height - ${STILL_WATCHED_BLOCKS}) limit 20000`
  return rows.map((row) => ({ ...row, owed: BigInt(row.owed) }))
}

export interface DraftSpend {
  refundId: string
  txid: string
  /** null: in no block. */
  height: number | null
  /** Whether it pays the refund. */
  pays: boolean
}

/** What a block shows stands until a reorg; an announcement takes nothing from it. */
export async function noteDraftSpends(tx: Tx, spends: readonly DraftSpend[]): Promise<void> {
  for (const { refundId, txid, height, pays } of spends) {
    await tx`
      update utxo_refunds set spent_by = ${txid}, spent_height = ${height}, spent_pays = ${pays}
      where id = ${refundId} and (${height}::bigint is not null or spent_height is null)`
  }
}

/** Their blocks left the chain. */
export async function freeDraftSpends(tx: Tx, chain: string, fork: number): Promise<void> {
  await tx`
    update utxo_refunds set spent_height = null
    where chain = ${chain} and draft_inputs is not null and spent_height > ${fork}`
}

export interface AnnouncedRefund {
  txid: string
  script: string
  amount: bigint
  firstSeen: Date
}

/** Payments of refunds that were announced after these were asked for, whatever coins they spend. */
export async function noteAnnouncedRefunds(tx: Tx, chain: string, rows: readonly AnnouncedRefund[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update utxo_refunds r set spent_by = t.txid, spent_height = null, spent_pays = true
    from unnest(${rows.map((row) => row.txid)}::text[], ${rows.map((row) => row.script)}::text[],
      ${rows.map((row) => row.amount.toString())}::numeric[], ${rows.map((row) => row.firstSeen)}::timestamptz[])
      as t(txid, script, amount, at)
    where r.chain = ${chain} and r.state = 'asked' and r.script = t.script and r.amount = t.amount
      and t.at >= r.created_at and r.spent_height is null`
}
