// SQL of the outputs that are held for refunds.
import type { Tx } from '@florin/platform/db/tx'
import { type RefundRow, refundColumns, type StoredRefund, toRefund } from './money.store.ts'

export interface HeldOutput {
  txid: string
  vout: number
  height: number
  amount: bigint
  /** No later than this it was made. */
  madeBy: Date
}

/** With each block so many are looked at, in turn. */
const A_BLOCK = 200
/** So many are held for a refund: whoever sends more pays himself back. */
const HELD_MAX = 20

export function holdOutput(
  tx: Tx,
  a: { chain: string; refundId: string; isOwn: boolean; now: Date },
  one: HeldOutput,
): Promise<unknown> {
  return tx`
    insert into utxo_held (refund_id, chain, txid, vout, height, amount, is_own, made_by, looked_at)
    select ${a.refundId}, ${a.chain}, ${one.txid}, ${one.vout}::int, ${one.height}::bigint, ${one.amount.toString()}::numeric,
      ${a.isOwn}::boolean, ${one.madeBy}::timestamptz, ${a.now}::timestamptz
    where (select count(*) from utxo_held where refund_id = ${a.refundId}) < ${HELD_MAX}
    on conflict (refund_id, txid, vout) do update set height = excluded.height`
}

/** It has been decided what it counts for. */
export function letGo(tx: Tx, chain: string, one: Pick<HeldOutput, 'txid' | 'vout'>): Promise<unknown> {
  return tx`delete from utxo_held where chain = ${chain} and txid = ${one.txid} and vout = ${one.vout}`
}

/** It has its turn again after the others. */
export function noteLook(tx: Tx, chain: string, one: Pick<HeldOutput, 'txid' | 'vout'>, now: Date): Promise<unknown> {
  return tx`update utxo_held set looked_at = ${now} where chain = ${chain} and txid = ${one.txid} and vout = ${one.vout}`
}

/** Of refunds that have what they waited for in so old a block that it does not leave the chain. */
export function letGoOfDone(tx: Tx, chain: string, below: number): Promise<unknown> {
  return tx`
    delete from utxo_held h using utxo_refunds r
    where h.chain = ${chain} and r.id = h.refund_id and r.state = 'done' and r.height < ${below}::bigint`
}

/** What left the chain is held no more. */
export function letGoAbove(tx: Tx, chain: string, height: number): Promise<unknown> {
  return tx`delete from utxo_held where chain = ${chain} and height > ${height}`
}

/**
 * Those that refunds still wait for and that were looked at longest ago, whole, and of the refunds that one is held for the largest
 * first. What else was held for one that is done counts for it again where that leaves the chain.
 */
export async function listHeld(tx: Tx, chain: string): Promise<{ row: RefundRow; held: HeldOutput; isOwn: boolean }[]> {
  const rows = await tx<
    (StoredRefund & {
      heldTx: string
      heldVout: number
      heldHeight: bigint
      heldAmount: string
      heldMadeBy: Date
      isOwn: boolean
    })[]
  >`
    with turn as (
      select h.txid, h.vout from utxo_held h join utxo_refunds r on r.id = h.refund_id and r.state = 'asked'
      where h.chain = ${chain} group by h.txid, h.vout order by min(h.looked_at), h.txid, h.vout limit ${A_BLOCK}
    )
    select h.txid as "heldTx", h.vout as "heldVout", h.height as "heldHeight", h.amount::text as "heldAmount",
      h.made_by as "heldMadeBy", h.is_own as "isOwn", ${refundColumns(tx)}
    join utxo_held h on h.refund_id = r.id join turn t on t.txid = h.txid and t.vout = h.vout
    where h.chain = ${chain} and r.state = 'asked' order by h.height, h.txid, h.vout, r.amount desc, r.created_at, r.id for update of r`
  return rows.map(({ heldTx, heldVout, heldHeight, heldAmount, heldMadeBy, isOwn, ...row }) => ({
    isOwn,
    row: toRefund(row),
    held: {
      ...{ txid: heldTx, vout: heldVout, height: Number(heldHeight) },
      ...{ amount: BigInt(heldAmount), madeBy: heldMadeBy },
    },
  }))
}
