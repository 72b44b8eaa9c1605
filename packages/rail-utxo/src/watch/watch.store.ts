// SQL of cursors, blocks and payments in blocks. Only the holder of a chain's lease writes here.
import { chunksOf } from '@florin/platform/chunks'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { KnownBlock } from '../node/branch.ts'

export interface Cursor extends KnownBlock {
  genesis: string
  /** All that blocks and mempool had by then was read. */
  caughtUpAt: Date | null
}

export async function findCursor(db: Db, chain: string): Promise<Cursor | null> {
  const [row] = await db<(Omit<Cursor, 'height' | 'bits'> & { height: bigint; bits: bigint })[]>`
    select c.genesis, c.height, c.hash, c.caught_up_at as "caughtUpAt", b.time, b.bits from utxo_cursors c
    join utxo_blocks b on b.chain = c.chain and b.height = c.height where c.chain = ${chain}`
  return row === undefined ? null : { ...row, height: Number(row.height), bits: Number(row.bits) }
}

/** Until the commit nothing else changes what is known of the chain. @returns false when it is elsewhere by now. */
export async function lockCursor(tx: Tx, chain: string, expected: KnownBlock): Promise<boolean> {
  const rows = await tx`
    select 1 from utxo_cursors
    where chain = ${chain} and height = ${expected.height} and hash = ${expected.hash} for update`
  return rows.length === 1
}

/** Begins a chain that was never read; an existing cursor stays. */
export async function insertCursor(
  db: Db,
  a: { chain: string; genesis: string; livemode: boolean; block: KnownBlock; now: Date },
): Promise<void> {
  const { height, hash, time, bits } = a.block
  await db`
    with begun as (
      insert into utxo_cursors (chain, genesis, livemode, height, hash, head, updated_at)
      values (${a.chain}, ${a.genesis}, ${a.livemode}, ${height}, ${hash}, ${height}, ${a.now})
      on conflict do nothing returning 1
    )
    insert into utxo_blocks (chain, height, hash, time, bits)
    select ${a.chain}::text, ${height}::bigint, ${hash}::text, ${time}::timestamptz, ${bits}::bigint from begun on conflict do nothing`
}

export async function moveCursor(tx: Tx, a: { chain: string; to: KnownBlock; head: number; now: Date }): Promise<void> {
  await tx`
    update utxo_cursors set height = ${a.to.height}, hash = ${a.to.hash}, head = ${a.head}, note = null,
      updated_at = ${a.now}
    where chain = ${a.chain}`
}

/** All that blocks and mempool had at `readFrom` was read. */
export async function touchCursor(
  db: Db,
  a: { chain: string; head: number; note: string | null; readFrom: Date; now: Date },
) {
  await db`
    update utxo_cursors set head = ${a.head}, note = ${a.note}, updated_at = ${a.now},
      caught_up_at = case when ${a.note}::text is null then ${a.readFrom}::timestamptz else caught_up_at end
    where chain = ${a.chain}`
}

/** Why the chain is stopped, for operators. */
export async function noteError(db: Db, chain: string, note: string): Promise<void> {
  await db`update utxo_cursors set note = ${note} where chain = ${chain}`
}

export interface CursorHealth {
  chain: string
  livemode: boolean
  height: bigint
  head: bigint
  note: string | null
  caughtUpAt: Date | null
  updatedAt: Date
}

export function listCursors(db: Db): Promise<CursorHealth[]> {
  return db<CursorHealth[]>`
    select chain, livemode, height, head, note, caught_up_at as "caughtUpAt", updated_at as "updatedAt"
    from utxo_cursors limit 100`
}

export async function findBlock(db: Db, chain: string, height: number): Promise<KnownBlock | null> {
  const [row] = await db<{ height: bigint; hash: string; time: Date; bits: bigint }[]>`
    select height, hash, time, bits from utxo_blocks where chain = ${chain} and height = ${height}`
  return row === undefined ? null : { ...row, height: Number(row.height), bits: Number(row.bits) }
}

/** Blocks above a height, for weighing a branch against the one that was read. */
export async function listBitsAbove(db: Db, chain: string, height: number): Promise<number[]> {
  const rows = await db<{ bits: bigint }[]>`
    select bits from utxo_blocks where chain = ${chain} and height > ${height} limit 2000`
  return rows.map((row) => Number(row.bits))
}

/** Enough to know where the difficulty's period began. */
const BLOCKS_KEPT = 2_100

export async function replaceBlocks(
  tx: Tx,
  chain: string,
  a: { fork: number; blocks: readonly KnownBlock[] },
): Promise<void> {
  await tx`delete from utxo_blocks where chain = ${chain} and height > ${a.fork}`
  const rows = a.blocks.map(({ height, hash, time, bits }) => ({ chain, height, hash, time, bits }))
  await tx`insert into utxo_blocks ${tx(rows)}`
  const top = a.blocks.at(-1)?.height ?? a.fork
  await tx`delete from utxo_blocks where chain = ${chain} and height < ${top - BLOCKS_KEPT}`
}

export interface WatchedLeg {
  ref: string
  orderRef: string
  script: string
  account: string | null
  index: bigint | null
  amountDue: bigint
  lateAfter: Date
  createdAt: Date
  isLost: boolean
}

/** Legs of these scripts, oldest first: an order that asks for a new quote is paid at the same address. */
export async function listLegsOf(tx: Tx, chain: string, scripts: readonly string[]): Promise<WatchedLeg[]> {
  const rows = await tx<(Omit<WatchedLeg, 'amountDue'> & { amountDue: string })[]>`
    select ref, order_ref as "orderRef", script, account, index, amount_due::text as "amountDue",
      late_after as "lateAfter", created_at as "createdAt",
      not exists (select from order_summaries o where o.order_ref = l.order_ref) as "isLost"
    from utxo_legs l where chain = ${chain} and script = any(${scripts as string[]}::text[]) order by created_at, ref`
  return rows.map((row) => ({ ...row, amountDue: BigInt(row.amountDue) }))
}

export interface OutputRow {
  key: string
  txid: string
  vout: number
  legRef: string
  orderRef: string
  script: string
  amount: bigint
  height: number
  blockHash: string
  kind: 'plain' | 'coinbase' | 'peg_out'
  seenAt: Date
  state: 'seen' | 'confirmed'
}

type StoredOutput = Omit<OutputRow, 'amount' | 'height'> & { amount: string; height: bigint }

const outputColumns = (db: Db) => db`
  key, txid, vout, leg_ref as "legRef", order_ref as "orderRef", script, amount, height, block_hash as "blockHash",
  kind, seen_at as "seenAt", state`

const toOutput = (row: StoredOutput): OutputRow => ({
  ...row,
  amount: BigInt(row.amount),
  height: Number(row.height),
})

/** What stands in blocks above a height. */
export async function listOutputsAbove(tx: Tx, chain: string, height: number): Promise<OutputRow[]> {
  const rows = await tx<StoredOutput[]>`
    select ${outputColumns(tx)} from utxo_outputs
    where chain = ${chain} and height > ${height} and state <> 'orphaned' order by height, txid, vout`
  return rows.map(toOutput)
}

/** Of these payments the accounts' places that no block shows paid any more. */
export function listUnpaidPlaces(
  tx: Tx,
  rows: readonly Pick<OutputRow, 'legRef'>[],
): Promise<{ account: string; index: bigint }[]> {
  return tx<{ account: string; index: bigint }[]>`
    select distinct l.account, l.index from utxo_legs l
    where l.ref = any(${rows.map((row) => row.legRef)}::text[]) and l.account is not null and l.index is not null
      and not exists (
        select 1 from utxo_legs same join utxo_outputs o on o.leg_ref = same.ref and o.state <> 'orphaned'
        where same.chain = l.chain and same.script = l.script)`
}

/** When payments were first seen that a reorg took out of their blocks, by `txid:vout`. */
export async function listSeenBefore(
  tx: Tx,
  chain: string,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx<{ coin: string; seenAt: Date }[]>`
    select txid || ':' || vout as coin, min(seen_at) as "seenAt" from utxo_outputs
    where chain = ${chain} and txid = any(${txids as string[]}::text[]) and state = 'orphaned' group by txid, vout`
  return new Map(rows.map((row) => [row.coin, row.seenAt]))
}

export async function orphanOutputsAbove(tx: Tx, chain: string, height: number): Promise<void> {
  await tx`
    update utxo_outputs set state = 'orphaned' where chain = ${chain} and height > ${height} and state <> 'orphaned'`
}

export async function insertOutputs(tx: Tx, chain: string, rows: readonly OutputRow[], now: Date): Promise<void> {
  const written = rows.map((row) => ({
    ...{ chain, block_hash: row.blockHash, txid: row.txid, vout: row.vout, leg_ref: row.legRef },
    ...{ order_ref: row.orderRef, script: row.script, amount: row.amount.toString(), height: row.height },
    ...{ kind: row.kind, seen_at: row.seenAt, state: row.state, key: row.key, created_at: now },
  }))
  for (const some of chunksOf(written)) {
    await tx`
      insert into utxo_outputs ${tx(some)}
      on conflict (chain, block_hash, txid, vout) do update set state = excluded.state, height = excluded.height`
  }
}

/** Payments that are deep enough now. */
export async function confirmOutputs(tx: Tx, chain: string, height: number): Promise<OutputRow[]> {
  const rows = await tx<StoredOutput[]>`
    with deep as (
      select o.block_hash, o.txid, o.vout from utxo_outputs o join utxo_legs l on l.ref = o.leg_ref
      where o.chain = ${chain} and o.state = 'seen' and o.height <= ${height} - l.depth + 1
    )
    update utxo_outputs o set state = 'confirmed' from deep
    where o.chain = ${chain} and o.block_hash = deep.block_hash and o.txid = deep.txid and o.vout = deep.vout
    returning ${tx`o.key, o.txid, o.vout, o.leg_ref as "legRef", o.order_ref as "orderRef", o.script, o.amount,
      o.height, o.block_hash as "blockHash", o.kind, o.seen_at as "seenAt", o.state`}`
  return rows.map(toOutput)
}
