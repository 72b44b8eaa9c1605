// SQL of what people are shown of an order's payments beside the order itself.
import type { Db } from '@florin/platform/db/tx'

export interface AnnouncedDetail {
  key: string
  chain: string
  txid: string
  vout: number
  feeRate: string | null
  ancestors: number | null
  isMweb: boolean
  state: 'waiting' | 'mined' | 'gone'
  rival: string | null
}

/** Newest first; anybody can announce thousands. */
export function listAnnouncedDetails(db: Db, orderRef: string): Promise<AnnouncedDetail[]> {
  return db<AnnouncedDetail[]>`
    select chain || ':' || txid || ':' || vout as key, chain, txid, vout, trim_scale(fee_rate)::text as "feeRate", ancestors,
      is_mweb as "isMweb", state, rival
    from utxo_pool where order_ref = ${orderRef} order by first_seen desc, txid, vout limit 100`
}

export interface MinedDetail {
  key: string
  chain: string
  txid: string
  vout: number
  height: number
  kind: 'plain' | 'coinbase' | 'peg_out'
}

export function listMinedDetails(db: Db, orderRef: string): Promise<MinedDetail[]> {
  return db<MinedDetail[]>`
    select key, chain, txid, vout, height::int as height, kind from utxo_outputs
    where order_ref = ${orderRef} and state <> 'orphaned' order by height desc, txid, vout limit 100`
}

export async function listOwed(db: Db, orderRef: string): Promise<{ chain: string; amount: bigint }[]> {
  const rows = await db<{ chain: string; amount: string }[]>`
    select chain, sum(fee_owed)::text as amount from utxo_settlements
    where order_ref = ${orderRef} and state = 'final' group by chain having sum(fee_owed) > 0 order by chain`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}
