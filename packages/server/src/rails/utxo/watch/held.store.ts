// SQL of the outputs that are held for refunds.
import type { Tx } from '../../../platform/db/tx.ts'
import { type RefundRow, refundColumns, type StoredRefund, toRefund } from './money.store.ts'

export interface HeldOutput {
  txid: string
  vout: number
  height: number
  amount: bigint
  /** No later than this it was made. */
  madeBy: Date
}

export function holdOutput(tx: Tx, chain: string, refundId: string, one: HeldOutput): Promise<unknown> {
  return tx`
    insert into utxo_held (refund_id, chain, txid, vout, height, amount, made_by)
    values (${refundId}, ${chain}, ${one.txid}, ${one.vout}, ${one.height}, ${one.amount.toString()}::numeric, ${one.madeBy})
    on conflict (refund_id, txid, vout) do update set height = excluded.height`
}

/** @param one null: none is held for it any more. */
export function letGo(tx: Tx, refundId: string, one: Pick<HeldOutput, 'txid' | 'vout'> | null): Promise<unknown> {
  return tx`
    delete from utxo_held
    where refund_id = ${refundId} and (${one === null} or (txid = ${one?.txid ?? ''} and vout = ${one?.vout ?? 0}))`
}

/** What left the chain is held no more. */
export function letGoAbove(tx: Tx, chain: string, height: number): Promise<unknown> {
  return tx`delete from utxo_held where chain = ${chain} and height > ${height}`
}

/** In the order in which they were asked for, and came. */
export async function listHeld(tx: Tx, chain: string): Promise<{ row: RefundRow; held: HeldOutput }[]> {
  const rows = await tx<
    (StoredRefund & { heldTx: string; heldVout: number; heldHeight: bigint; heldAmount: string; heldMadeBy: Date })[]
  >`
    select h.txid as "heldTx", h.vout as "heldVout", h.height as "heldHeight", h.amount::text as "heldAmount",
      h.made_by as "heldMadeBy", ${refundColumns(tx)}
    join utxo_held h on h.refund_id = r.id
    where h.chain = ${chain} order by r.created_at, r.id, h.height, h.txid, h.vout for update of r`
  return rows.map(({ heldTx, heldVout, heldHeight, heldAmount, heldMadeBy, ...row }) => ({
    row: toRefund(row),
    held: {
      ...{ txid: heldTx, vout: heldVout, height: Number(heldHeight) },
      ...{ amount: BigInt(heldAmount), madeBy: heldMadeBy },
    },
  }))
}
