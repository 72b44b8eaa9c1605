// The SQL of the sandbox's own tables.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { AssetRef } from '../interface/asset.ts'
import type { LegRequest, OpenedLeg } from '../interface/leg.ts'
import type { RefundRequest, SettleRequest } from '../interface/moves.ts'

const amounts = ['amountDue', 'amountOut', 'dust'] as const

/** Stores a quote, or returns the one that was stored for this reference before. */
export async function insertLeg(sql: Sql, request: LegRequest, quote: OpenedLeg): Promise<OpenedLeg> {
  const { pay } = request
  const text = JSON.stringify(quote, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  const [row] = await sql<{ opened: Record<string, unknown> }[]>`
    with made as (
      insert into sandbox_legs (ref, order_ref, chain, asset, contract, decimals, amount_due, amount_out, opened, created_at)
      values (${request.legRef}, ${request.orderRef}, ${pay.chain}, ${pay.asset}, ${pay.contract}, ${pay.decimals},
        ${quote.amountDue.toString()}, ${quote.amountOut.toString()}, ${text}::text::json, ${request.now})
      on conflict (ref) do nothing
      returning opened
    )
    select opened from made union all select opened from sandbox_legs where ref = ${request.legRef} limit 1`
  if (row === undefined) return insertLeg(sql, request, quote)
  const opened = row.opened as unknown as OpenedLeg
  for (const name of amounts) opened[name] = BigInt(opened[name])
  return { ...opened, rate: { ...opened.rate, expiresAt: new Date(opened.rate.expiresAt) } }
}

export async function insertSettlement(sql: Sql, request: SettleRequest): Promise<void> {
  await sql`
    insert into sandbox_settlements (id, order_ref, leg_ref, gross, fee_bps, status)
    values (${request.settlementId}, ${request.orderRef}, ${request.legRef}, ${request.gross.toString()},
      ${request.feeBps}, 'pending')
    on conflict (id) do nothing`
}

export async function insertRefund(sql: Sql, request: RefundRequest): Promise<void> {
  await sql`
    insert into sandbox_refunds (id, order_ref, leg_ref, asset, amount, status)
    values (${request.refundId}, ${request.orderRef}, ${request.legRef}, ${sql.json(request.asset)},
      ${request.amount.toString()}, 'pending')
    on conflict (id) do nothing`
}

export interface LegRow {
  ref: string
  chain: string
  asset: string
  contract: string | null
  decimals: number
  amountDue: bigint
  amountOut: bigint
}

/** Locked, so that two simulations of one order follow each other. */
export async function lockLegs(tx: Tx, orderRef: string): Promise<LegRow[]> {
  const rows = await tx<(Omit<LegRow, 'amountDue' | 'amountOut'> & { amountDue: string; amountOut: string })[]>`
    select ref, chain, asset, contract, decimals, amount_due as "amountDue", amount_out as "amountOut"
    from sandbox_legs where order_ref = ${orderRef} order by ref for update`
  return rows.map((row) => ({ ...row, amountDue: BigInt(row.amountDue), amountOut: BigInt(row.amountOut) }))
}

export interface TransferRow {
  n: number
  legRef: string
  amount: bigint
  status: 'detected' | 'confirmed' | 'orphaned'
}

export async function listTransfers(tx: Tx, orderRef: string): Promise<TransferRow[]> {
  const rows = await tx<(Omit<TransferRow, 'amount'> & { amount: string })[]>`
    select n, leg_ref as "legRef", amount, status from sandbox_transfers where order_ref = ${orderRef} order by n limit 1000`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** @param asset null: the leg's own. */
export function insertTransfer(
  tx: Tx,
  orderRef: string,
  row: TransferRow & { asset: AssetRef | null },
): Promise<unknown> {
  return tx`
    insert into sandbox_transfers (order_ref, n, leg_ref, amount, status, asset)
    values (${orderRef}, ${row.n}, ${row.legRef}, ${row.amount.toString()}, ${row.status},
      ${row.asset === null ? null : tx.json(row.asset)})`
}

export function setTransferStatus(
  tx: Tx,
  orderRef: string,
  n: number,
  status: TransferRow['status'],
): Promise<unknown> {
  return tx`update sandbox_transfers set status = ${status} where order_ref = ${orderRef} and n = ${n}`
}

export interface SettlementRow {
  id: string
  legRef: string
  gross: bigint
  feeBps: number
}

/** Takes what waits to be settled and marks what became of it. */
export async function finishSettlements(
  tx: Tx,
  orderRef: string,
  status: 'final' | 'failed',
): Promise<SettlementRow[]> {
  const rows = await tx<(Omit<SettlementRow, 'gross'> & { gross: string })[]>`
    update sandbox_settlements set status = ${status} where order_ref = ${orderRef} and status = 'pending'
    returning id, leg_ref as "legRef", gross, fee_bps as "feeBps"`
  return rows.map((row) => ({ ...row, gross: BigInt(row.gross) }))
}

/** What was final is under way again. */
export async function undoSettlements(tx: Tx, orderRef: string): Promise<SettlementRow[]> {
  const rows = await tx<(Omit<SettlementRow, 'gross'> & { gross: string })[]>`
    update sandbox_settlements set status = 'pending' where order_ref = ${orderRef} and status = 'final'
    returning id, leg_ref as "legRef", gross, fee_bps as "feeBps"`
  return rows.map((row) => ({ ...row, gross: BigInt(row.gross) }))
}

/** As above. */
export function undoRefunds(tx: Tx, orderRef: string): Promise<{ id: string; legRef: string }[]> {
  return tx<{ id: string; legRef: string }[]>`
    update sandbox_refunds set status = 'pending'
    where order_ref = ${orderRef} and status = 'succeeded' returning id, leg_ref as "legRef"`
}

export interface SandboxHolding {
  legRef: string
  chain: string
  contract: string | null
  amount: bigint
}

/** Everything that was sent to these legs less everything that went out, by asset. */
export async function listHoldings(db: Db, legRefs: readonly string[]): Promise<SandboxHolding[]> {
  const refs = legRefs as string[]
  const rows = await db<(Omit<SandboxHolding, 'amount'> & { amount: string })[]>`
    select ref as "legRef", chain, contract, sum(amount)::text as amount from (
      select l.ref, coalesce(t.asset->>'chain', l.chain) as chain,
        case when t.asset is null then l.contract else t.asset->>'contract' end as contract, t.amount
      from sandbox_transfers t join sandbox_legs l on l.ref = t.leg_ref
      where t.leg_ref = any(${refs}) and t.status <> 'orphaned'
      union all
      select l.ref, l.chain, l.contract, -s.gross from sandbox_settlements s join sandbox_legs l on l.ref = s.leg_ref
      where s.leg_ref = any(${refs}) and s.status = 'final'
      union all
      select leg_ref, asset->>'chain', asset->>'contract', -amount from sandbox_refunds
      where leg_ref = any(${refs}) and status = 'succeeded'
      union all
      select leg_ref, chain, contract, -amount from sandbox_outflows where leg_ref = any(${refs})
    ) moved group by ref, chain, contract`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Which of these have facts that their order has not taken. */
export async function listLegsInMotion(db: Db, legRefs: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ ref: string }[]>`
    select ref from sandbox_legs l
    where ref = any(${legRefs as string[]}) and exists (select 1 from rail_facts f where f.order_ref = l.order_ref)`
  return new Set(rows.map((row) => row.ref))
}

/** Something went out past settlements and refunds. */
export function insertOutflow(tx: Tx, orderRef: string, row: SandboxHolding): Promise<unknown> {
  return tx`
    insert into sandbox_outflows (order_ref, leg_ref, chain, contract, amount)
    values (${orderRef}, ${row.legRef}, ${row.chain}, ${row.contract}, ${row.amount.toString()})`
}

export async function finishRefunds(tx: Tx, orderRef: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update sandbox_refunds set status = 'succeeded' where order_ref = ${orderRef} and status = 'pending' returning id`
  return rows.map((row) => row.id)
}
