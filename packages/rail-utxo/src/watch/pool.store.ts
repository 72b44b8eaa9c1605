// SQL of announced payments: what is kept of one until a block has it or another transaction took its money.
import { chunksOf } from '@florin/platform/chunks'
import type { Db, Tx } from '@florin/platform/db/tx'

export interface Announced {
  txid: string
  vout: number
  legRef: string
  orderRef: string
  script: string
  amount: bigint
  /** `txid:vout` of what it spends. */
  inputs: readonly string[]
  /** Of one output of a transaction alone: there may be many. */
  raw: string | null
  isMweb: boolean
  feeRate: string | null
  ancestors: number | null
  firstSeen: Date
}

/** Under whatever id: one that is bumped, or comes out of Litecoin's extension block, gets another. */
export const isSamePayment = (
  one: Pick<Announced, 'script' | 'amount'>,
  other: Pick<Announced, 'script' | 'amount'>,
): boolean => one.script === other.script && one.amount === other.amount

type Row = Omit<Announced, 'amount'> & { amount: string }

const columns = (db: Db) => db`
  txid, vout, leg_ref as "legRef", order_ref as "orderRef", script, amount, inputs, raw, is_mweb as "isMweb",
  fee_rate::text as "feeRate", ancestors, first_seen as "firstSeen"`

const toAnnounced = (row: Row): Announced => ({ ...row, amount: BigInt(row.amount) })

/** Newest first, far more than ever wait at once for orders of one install. */
export async function listWaiting(db: Db, chain: string): Promise<Announced[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from utxo_pool where chain = ${chain} and state = 'waiting' order by first_seen desc limit 20000`
  return rows.map(toAnnounced)
}

/** What was announced of these outputs, waiting or not. */
export async function listAnnounced(
  tx: Tx,
  chain: string,
  outpoints: readonly { txid: string; vout: number }[],
): Promise<Announced[]> {
  const rows = await tx<Row[]>`
    select ${columns(tx)} from utxo_pool where chain = ${chain} and txid = any(${outpoints.map((one) => one.txid)}::text[])`
  return rows.map(toAnnounced)
}

/** @returns those that are new, or had been given up. */
export async function insertAnnounced(tx: Tx, chain: string, rows: readonly Announced[]): Promise<Set<string>> {
  const written = rows.map((row) => ({
    ...{ chain, txid: row.txid, vout: row.vout, leg_ref: row.legRef, order_ref: row.orderRef, script: row.script },
    ...{ amount: row.amount.toString(), inputs: [...row.inputs], raw: row.raw, is_mweb: row.isMweb },
    ...{ fee_rate: row.feeRate, ancestors: row.ancestors, state: 'waiting', first_seen: row.firstSeen },
  }))
  const fresh = new Set<string>()
  for (const some of chunksOf(written)) {
    const inserted = await tx<{ txid: string; vout: number }[]>`
      insert into utxo_pool ${tx(some)}
      on conflict (chain, txid, vout) do update set state = 'waiting', rival = null where utxo_pool.state = 'gone'
      returning txid, vout`
    for (const { txid, vout } of inserted) fresh.add(`${txid}:${vout}`)
  }
  return fresh
}

/** @returns the rows that waited until now. */
export async function endAnnounced(
  tx: Tx,
  a: { chain: string; txids: readonly string[]; state: 'mined' | 'gone'; rival: string | null },
): Promise<{ txid: string; vout: number; orderRef: string }[]> {
  return tx<{ txid: string; vout: number; orderRef: string }[]>`
    update utxo_pool set state = ${a.state}, rival = ${a.rival}
    where chain = ${a.chain} and txid = any(${a.txids as string[]}::text[]) and state = 'waiting'
    returning txid, vout, order_ref as "orderRef"`
}

/** Their block left the chain: what becomes of them is open again. */
export async function awaitAgain(tx: Tx, chain: string, txids: readonly string[]): Promise<void> {
  await tx`
    update utxo_pool set state = 'waiting'
    where chain = ${chain} and txid = any(${txids as string[]}::text[]) and state = 'mined'`
}
