// SQL of swaps under way: which are asked about next, and what each was last seen to be.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { hasFacts } from '@florin/rail-kit/facts.store'
import type { AssetRef } from '@florin/rail-kit/interface/asset'

export type Stage = 'waiting' | 'paid' | 'claimed' | 'done' | 'returned' | 'failed'

/** What is known of a swap; a verdict makes the next one of it. */
export interface SwapState {
  /** The provider's own word. */
  status: string
  stage: Stage
  /** What an announced deposit was told to be; null: none is announced. */
  announced: bigint | null
  /** How many deposits were told apart, and their sum. */
  deposits: number
  deposited: bigint
  /** Of it, what the swap took and what went back. */
  gross: bigint
  returned: bigint
  failure: string | null
  /** Since when it is said to be paid out without the proof that is needed. */
  claimedAt: Date | null
  /** What of which transaction it counts for, seen or believed. */
  proofKey: string | null
  /** Whether a second source saw its payout. */
  isProven: boolean
  /** Alarms that are open. */
  alarms: readonly string[]
  /** When it was first said to have ended, one way or the other; null: it has not, or before this was kept. */
  endedAt: Date | null
}

export interface Swap extends SwapState {
  ref: string
  orderRef: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  merchantAddress: string
  refundAddress: string
  address: string
  memo: string | null
  createdAt: Date
  payUntil: Date
  returnsFrom: Date
  watchUntil: Date
  amountDue: bigint
  least: bigint
  amountOut: bigint
  refundFee: bigint
  feeBps: number
  /** The provider's word is enough where nobody else can be asked: as the merchant had set it when the leg was opened. */
  takesUnproven: boolean
  /** The merchant says that this payout is there. */
  isVouched: boolean
  settlementId: string | null
  /** The refund of its money that was asked for last. */
  refundId: string | null
  lookedAt: Date | null
  dueAt: Date | null
  rank: number
  misses: number
  hotUntil: Date | null
  hint: string | null
}

type Stored = Omit<Swap, Amounts> & Record<Exclude<Amounts, 'announced'>, string> & { announced: string | null }
type Amounts = 'announced' | 'deposited' | 'gross' | 'returned' | 'amountDue' | 'least' | 'amountOut' | 'refundFee'

const columns = (db: Db) => db`
  ref, order_ref as "orderRef", livemode, pay, settle, merchant_address as "merchantAddress",
  refund_address as "refundAddress", address, memo, created_at as "createdAt", pay_until as "payUntil",
  returns_from as "returnsFrom", watch_until as "watchUntil", amount_due::text as "amountDue",
  amount_least::text as least, amount_out::text as "amountOut", refund_fee::text as "refundFee", fee_bps as "feeBps",
  takes_unproven as "takesUnproven", is_vouched as "isVouched",
  settlement_id as "settlementId", refund_id as "refundId", status, stage, announced::text, deposits, deposited::text, gross::text,
  returned::text, failure, claimed_at as "claimedAt", proof_key as "proofKey", is_proven as "isProven", alarms, ended_at as "endedAt", looked_at as "lookedAt", due_at as "dueAt", rank,
  misses, hot_until as "hotUntil", hint`

const toSwap = (row: Stored): Swap => ({
  ...row,
  announced: row.announced === null ? null : BigInt(row.announced),
  deposited: BigInt(row.deposited),
  gross: BigInt(row.gross),
  returned: BigInt(row.returned),
  amountDue: BigInt(row.amountDue),
  least: BigInt(row.least),
  amountOut: BigInt(row.amountOut),
  refundFee: BigInt(row.refundFee),
})

/**
 * What is asked about next: by rank, and so many of all by time alone, so that no rank starves another. One process asks at a
 * time, under a lease.
 */
export async function listDue(sql: Sql, a: { now: Date; limit: number; byTime: number }): Promise<Swap[]> {
  const rows = await sql<Stored[]>`
    with first as (
      select ref from intents_legs where due_at <= ${a.now} order by rank, due_at limit ${a.limit - a.byTime}
    ), oldest as (
      select ref from intents_legs where due_at <= ${a.now} and ref not in (select ref from first)
      order by due_at limit ${a.byTime}
    )
    select ${columns(sql)} from intents_legs where ref in (select ref from first union all select ref from oldest)
    order by rank, due_at`
  return rows.map(toSwap)
}

export async function lockSwap(tx: Tx, ref: string): Promise<Swap | null> {
  const [row] = await tx<Stored[]>`select ${columns(tx)} from intents_legs where ref = ${ref} for update`
  return row === undefined ? null : toSwap(row)
}

export async function saveSwap(
  tx: Tx,
  ref: string,
  s: SwapState,
  a: { now: Date; dueAt: Date | null; rank: number },
): Promise<void> {
  await tx`
    update intents_legs set status = ${s.status}, stage = ${s.stage}, announced = ${s.announced?.toString() ?? null},
      deposits = ${s.deposits}, deposited = ${s.deposited.toString()}, gross = ${s.gross.toString()},
      returned = ${s.returned.toString()}, failure = ${s.failure}, claimed_at = ${s.claimedAt}, proof_key = ${s.proofKey},
      is_proven = ${s.isProven}, ended_at = ${s.endedAt},
      alarms = ${s.alarms as string[]}::text[], looked_at = ${a.now}, due_at = ${a.dueAt}, rank = ${a.rank}, misses = 0
    where ref = ${ref}`
}

/** How many payouts of other swaps this transaction was believed for: the first by its key, the others with a number behind it. */
export async function countProvenBy(db: Db, a: { key: string; ref: string }): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from intents_legs
    where (proof_key = ${a.key} or proof_key between ${`${a.key}#`} and ${`${a.key}#~`}) and ref <> ${a.ref}`
  return row?.count ?? 0
}

/** The provider did not answer about it. */
export async function saveMiss(sql: Db, ref: string, a: { dueAt: Date; misses: number }): Promise<void> {
  await sql`
    update intents_legs set due_at = greatest(due_at, ${a.dueAt}), misses = ${a.misses}
    where ref = ${ref}`
}

/** Something may have happened to these: they are asked about first. @param a.isEnded those as well that are not asked about any more. */
export async function hurry(
  db: Db,
  refs: readonly string[],
  { now, rank, isEnded = false }: { now: Date; rank: 0 | 1 | 2; isEnded?: boolean },
): Promise<void> {
  if (refs.length === 0) return
  await db`
    update intents_legs set rank = least(rank, ${rank}), due_at = least(coalesce(due_at, ${now}), ${now})
    where ref = any(${refs as string[]}::text[]) and (due_at is not null or ${isEnded})`
}

/** A payer has the page of this order open. */
export async function attend(sql: Sql, a: { orderRef: string; now: Date; until: Date; dueBy: Date }): Promise<void> {
  await sql`
    update intents_legs set hot_until = ${a.until}, rank = least(rank, 1), due_at = least(due_at, ${a.dueBy})
    where order_ref = ${a.orderRef} and due_at is not null and stage in ('waiting', 'paid')`
}

/**
 * Anybody with the link may name one, so it is worth no more than an open page, and no leg takes more than `max` of them.
 * One that was told already is not told again, but the swap is looked at.
 */
export async function saveHint(sql: Sql, a: { ref: string; txHash: string; now: Date; max: number }): Promise<void> {
  await sql`
    update intents_legs set rank = least(rank, 1), due_at = least(due_at, ${a.now}),
      hint = case when ${a.txHash} = any(hinted) or cardinality(hinted) >= ${a.max} then hint else ${a.txHash} end,
      hinted = case when ${a.txHash} = any(hinted) or cardinality(hinted) >= ${a.max} then hinted
        else hinted || ${a.txHash}::text end
    where ref = ${a.ref} and stage = 'waiting' and due_at is not null`
}

export async function dropHint(sql: Sql, ref: string, txHash: string): Promise<void> {
  await sql`update intents_legs set hint = null where ref = ${ref} and hint = ${txHash}`
}

/** The merchant says that the payout of this swap is there. @returns whether there is one that waits for that. */
export async function vouch(tx: Tx, a: { orderRef: string; address: string; now: Date }): Promise<boolean> {
  const rows = await tx`
    update intents_legs set is_vouched = true, rank = 0, due_at = ${a.now}
    where order_ref = ${a.orderRef} and address = ${a.address} and stage = 'claimed' and due_at is not null returning ref`
  return rows.length > 0
}

export async function setSettlement(tx: Tx, a: { ref: string; settlementId: string }): Promise<void> {
  await tx`update intents_legs set settlement_id = ${a.settlementId} where ref = ${a.ref}`
}

export async function setRefund(tx: Tx, a: { ref: string; refundId: string }): Promise<void> {
  await tx`update intents_legs set refund_id = ${a.refundId} where ref = ${a.ref}`
}

export async function listSwapsOf(db: Db, orderRef: string): Promise<Swap[]> {
  const rows = await db<Stored[]>`
    select ${columns(db)} from intents_legs where order_ref = ${orderRef} order by created_at limit 300`
  return rows.map(toSwap)
}

/**
 * Of listed swaps, those at these addresses whose state differs from what was told. @param endedBefore those that have ended only where
 * they were not looked at since: a list that says otherwise for days costs no question every time that it is read
 */
export async function listChanged(
  sql: Sql,
  told: readonly { address: string; memo: string | null; status: string }[],
  endedBefore: Date,
): Promise<string[]> {
  const rows = await sql<{ ref: string }[]>`
    select l.ref from intents_legs l
    join unnest(${told.map((one) => one.address)}::text[], ${told.map((one) => one.memo ?? '')}::text[],
      ${told.map((one) => one.status)}::text[]) as t (address, memo, status)
      on l.address = t.address and coalesce(l.memo, '') = t.memo
    where l.status <> t.status and l.due_at is not null
      and (l.stage not in ('done', 'returned') or l.looked_at < ${endedBefore})`
  return rows.map((row) => row.ref)
}

export interface HeldRow {
  ref: string
  pay: AssetRef
  amount: bigint
}

/** What lies on these legs by what the provider told, where no fact waits for its order. */
export async function listHeld(db: Db, refs: readonly string[]): Promise<HeldRow[]> {
  const rows = await db<(Omit<HeldRow, 'amount'> & { amount: string })[]>`
    select ref, pay, (deposited - gross - returned)::text as amount from intents_legs l
    where ref = any(${refs as string[]}::text[])
      and not ${hasFacts(db, 'l.order_ref')}`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** When the list of swaps was read last, by whichever process; null: never. */
export async function findFeedMark(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ readAt: Date }[]>`select read_at as "readAt" from intents_feed`
  return row?.readAt ?? null
}

/** Whether a swap that may still change was opened before this moment. */
export async function isSwapOpenSince(sql: Sql, at: Date): Promise<boolean> {
  const rows = await sql`select 1 from intents_legs where due_at is not null and created_at < ${at} limit 1`
  return rows.length > 0
}

export async function saveFeedMark(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into intents_feed (read_at) values (${now}) on conflict (one) do update set read_at = excluded.read_at`
}
