// SQL of what was accounted as settled and of refunds that the merchant's wallet makes.
import type { Db, Tx } from '@florin/platform/db/tx'
import { hasFacts } from '@florin/rail-kit/facts.store'

export interface NewSettlement {
  id: string
  orderRef: string
  legRef: string
  chain: string
  gross: bigint
  /** What counts for it at least, where the money comes again as another payment. */
  least: bigint
  feeBps: number
  feeOwed: bigint
}

export async function insertSettlement(tx: Tx, a: NewSettlement, now: Date): Promise<void> {
  await tx`
    insert into utxo_settlements (id, order_ref, leg_ref, chain, gross, asked, least, fee_bps, fee_owed, state, created_at)
    values (${a.id}, ${a.orderRef}, ${a.legRef}, ${a.chain}, ${a.gross.toString()}::numeric, ${a.gross.toString()}::numeric,
      ${a.least.toString()}::numeric, ${a.feeBps},
      ${a.feeOwed.toString()}, 'waiting', ${now})
    on conflict (id) do nothing`
}

/** In one order, so that nobody waits for somebody who waits for him. */
export async function lockLegs(tx: Tx, refs: readonly string[]): Promise<void> {
  await tx`select 1 from utxo_legs where ref = any(${refs as string[]}::text[]) order by ref for update`
}

export interface LegMoney {
  legRef: string
  /** In blocks, deep enough. */
  confirmed: bigint
  /** The newest of it. */
  txid: string | null
}

export async function listMoneyOf(tx: Tx, legRefs: readonly string[]): Promise<LegMoney[]> {
  const rows = await tx<{ legRef: string; confirmed: string; txid: string | null }[]>`
    select leg_ref as "legRef", sum(amount)::text as confirmed,
      (array_agg(txid order by height desc, created_at desc, txid))[1] as txid
    from utxo_outputs where leg_ref = any(${legRefs as string[]}::text[]) and state = 'confirmed' group by leg_ref`
  return rows.map((row) => ({ ...row, confirmed: BigInt(row.confirmed) }))
}

export interface SettlementRow {
  id: string
  orderRef: string
  legRef: string
  /** What counted, or was asked for until something did. */
  gross: bigint
  asked: bigint
  /** What must be there for it to count. */
  least: bigint
  /** Of the leg's quote. */
  amountDue: bigint
  /** What goes, or went, back from the leg by the merchant's wallet. */
  promised: bigint
  /** Of that, what its order counts as returned. */
  returned: bigint
  feeBps: number
  state: 'waiting' | 'final'
  txHash: string | null
}

export async function listSettlementsOf(tx: Tx, legRefs: readonly string[]): Promise<SettlementRow[]> {
  type Amounts = 'gross' | 'asked' | 'least' | 'amountDue' | 'promised' | 'returned'
  const rows = await tx<(Omit<SettlementRow, Amounts> & Record<Amounts, string>)[]>`
    select s.id, s.order_ref as "orderRef", s.leg_ref as "legRef", s.gross, coalesce(s.asked, s.gross) as asked,
      coalesce(s.least, s.gross) as least, l.amount_due as "amountDue", s.fee_bps as "feeBps", s.state, s.tx_hash as "txHash",
      (select coalesce(sum(r.amount), 0) from utxo_refunds r where r.leg_ref = s.leg_ref) as promised,
      (select coalesce(sum(r.amount), 0) from utxo_refunds r join refunds n on n.id = r.id and n.status = 'succeeded'
       where r.leg_ref = s.leg_ref and r.state = 'done') as returned
    from utxo_settlements s join utxo_legs l on l.ref = s.leg_ref
    where s.leg_ref = any(${legRefs as string[]}::text[]) order by s.created_at, s.id`
  return rows.map(({ gross, asked, least, amountDue, promised, returned, ...row }) => ({
    ...{ ...row, gross: BigInt(gross), asked: BigInt(asked), least: BigInt(least) },
    ...{ amountDue: BigInt(amountDue), promised: BigInt(promised), returned: BigInt(returned) },
  }))
}

export async function setSettlement(
  tx: Tx,
  a: { id: string; state: 'waiting' | 'final'; txHash: string | null; gross: bigint; feeOwed: bigint },
): Promise<void> {
  await tx`
    update utxo_settlements set state = ${a.state}, tx_hash = ${a.txHash}, gross = ${a.gross.toString()},
      fee_owed = ${a.feeOwed.toString()}
    where id = ${a.id}`
}

export interface NewRefund {
  id: string
  orderRef: string
  legRef: string
  chain: string
  script: string
  amount: bigint
}

/** From the first block on that is not known yet: an older payment to that address is no refund. */
export async function insertRefund(tx: Tx, a: NewRefund & { watchUntil: Date }, now: Date): Promise<void> {
  await tx`
    with watched as (
      insert into utxo_scripts (chain, script, watch_until) values (${a.chain}, ${a.script}, ${a.watchUntil})
      on conflict (chain, script) do update
        set watch_until = greatest(utxo_scripts.watch_until, excluded.watch_until), xid = excluded.xid
    )
    insert into utxo_refunds (id, order_ref, leg_ref, chain, script, amount, asked_from, state, created_at)
    select ${a.id}, ${a.orderRef}, ${a.legRef}, ${a.chain}, ${a.script}, ${a.amount.toString()}::numeric,
      greatest(height, head) + 1,
      'asked', ${now}::timestamptz
    from utxo_cursors where chain = ${a.chain}
    on conflict (id) do nothing`
}

export interface RefundRow {
  id: string
  orderRef: string
  legRef: string
  merchantId: string
  script: string
  amount: bigint
  askedFrom: number
  createdAt: Date
  txHash: string | null
  vout: number | null
}

export type StoredRefund = Omit<RefundRow, 'amount' | 'askedFrom'> & {
  amount: string
  askedFrom: bigint
}

export const refundColumns = (db: Db) => db`
  r.id, r.order_ref as "orderRef", r.leg_ref as "legRef", o.merchant_id as "merchantId", r.script,
  r.amount::text as amount, r.asked_from as "askedFrom", r.created_at as "createdAt", r.tx_hash as "txHash", r.vout
  from utxo_refunds r join order_summaries o using (order_ref)`

export const toRefund = (row: StoredRefund): RefundRow => ({
  ...row,
  amount: BigInt(row.amount),
  askedFrom: Number(row.askedFrom),
})

/** Refunds that wait for an output to one of these scripts, the largest first: an output fulfils one of them. */
export async function listRefundsAskedTo(tx: Tx, chain: string, scripts: readonly string[]): Promise<RefundRow[]> {
  const rows = await tx<StoredRefund[]>`
    select ${refundColumns(tx)}
    where r.chain = ${chain} and r.state = 'asked' and r.script = any(${scripts as string[]}::text[])
    order by r.amount desc, r.created_at, r.id for update of r`
  return rows.map(toRefund)
}

export async function listRefundsDoneAbove(tx: Tx, chain: string, height: number): Promise<RefundRow[]> {
  const rows = await tx<StoredRefund[]>`
    select ${refundColumns(tx)}
    where r.chain = ${chain} and r.state = 'done' and r.height > ${height} order by r.id for update of r`
  return rows.map(toRefund)
}

export async function setRefund(
  tx: Tx,
  a: { id: string; made: { txid: string; vout: number; height: number } | null },
): Promise<void> {
  const state = a.made === null ? 'asked' : 'done'
  await tx`
    update utxo_refunds set state = ${state}, tx_hash = ${a.made?.txid ?? null}, vout = ${a.made?.vout ?? null},
      height = ${a.made?.height ?? null}
    where id = ${a.id}`
}

/** What lies on these legs by the chain: everything in blocks, less what counts as settled and what went back. */
export async function listHeld(db: Db, legRefs: readonly string[]): Promise<{ legRef: string; amount: bigint }[]> {
  const refs = legRefs as string[]
  const rows = await db<{ legRef: string; amount: string }[]>`
    select ref as "legRef", sum(amount)::text as amount from (
      select ref, 0::numeric as amount from utxo_legs where ref = any(${refs}::text[])
      union all
      select leg_ref, amount from utxo_outputs where leg_ref = any(${refs}::text[]) and state <> 'orphaned'
      union all
      select leg_ref, -gross from utxo_settlements where leg_ref = any(${refs}::text[]) and state = 'final'
      union all
      select leg_ref, -amount from utxo_refunds where leg_ref = any(${refs}::text[]) and state = 'done'
    ) moved group by ref`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

export interface LegPlace {
  ref: string
  orderRef: string
  chain: string
  livemode: boolean
}

export function listLegPlaces(db: Db, legRefs: readonly string[]): Promise<LegPlace[]> {
  return db<LegPlace[]>`
    select ref, order_ref as "orderRef", chain, livemode from utxo_legs where ref = any(${legRefs as string[]}::text[])`
}

/** Legs with facts that their order has not taken yet. */
export async function listLegsInMotion(db: Db, legRefs: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ ref: string }[]>`
    select ref from utxo_legs l where ref = any(${legRefs as string[]}::text[])
      and ${hasFacts(db, 'l.order_ref')}`
  return new Set(rows.map((row) => row.ref))
}
