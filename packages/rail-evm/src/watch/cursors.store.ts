// SQL of how far a chain was read, and of the blocks that are kept. Only the holder of a chain's lease writes here.
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Hex } from 'viem'
import type { BlockHead } from '../node/blocks.ts'

export type Pass = 'seen' | 'credit'

export interface Cursor {
  startHeight: bigint
  height: bigint
  hash: Hex
  chainId: bigint
}

const columns = (db: Db) => db`start_height as "startHeight", height, hash, chain_id as "chainId"`

export async function findCursor(db: Db, chain: string, pass: Pass): Promise<Cursor | null> {
  const [row] = await db<Cursor[]>`select ${columns(db)} from chain_cursors where chain = ${chain} and pass = ${pass}`
  return row ?? null
}

/** Until the commit nothing else changes what is known of the chain. */
export async function lockCursor(tx: Tx, chain: string, pass: Pass): Promise<Cursor | null> {
  // Both rows, in one order: the watcher moves either.
  const rows = await tx<(Cursor & { pass: Pass })[]>`
    select pass, ${columns(tx)} from chain_cursors where chain = ${chain} order by pass for update`
  return rows.find((row) => row.pass === pass) ?? null
}

/** Begins a chain that was never read; an existing cursor stays. */
export async function insertCursors(
  db: Db,
  a: { chain: string; chainId: number; livemode: boolean; head: bigint; before: BlockHead; now: Date },
): Promise<void> {
  const { height, hash } = a.before
  for (const pass of ['credit', 'seen'] satisfies Pass[]) {
    await db`
      insert into chain_cursors (chain, pass, chain_id, livemode, start_height, height, hash, head, updated_at)
      values (${a.chain}, ${pass}, ${a.chainId}, ${a.livemode}, ${(height + 1n).toString()}, ${height.toString()},
        ${hash}, ${a.head.toString()}, ${a.now})
      on conflict do nothing`
  }
}

/** @returns false when the cursor was no longer where the reader expected it. */
export async function moveCursor(
  tx: Tx,
  a: { chain: string; pass: Pass; from: Cursor; to: { height: bigint; hash: Hex }; head: bigint; now: Date },
): Promise<boolean> {
  const moved = await tx`
    update chain_cursors set height = ${a.to.height.toString()}, hash = ${a.to.hash}, head = ${a.head.toString()},
      note = null, updated_at = ${a.now}
    where chain = ${a.chain} and pass = ${a.pass} and height = ${a.from.height.toString()} and hash = ${a.from.hash}
    returning 1`
  return moved.length === 1
}

/** A scan that found nothing new: shows that the watcher is alive, and what an operator should know. */
export async function touchCursor(
  db: Db,
  a: { chain: string; head: bigint; note: string | null; now: Date },
): Promise<void> {
  await db`
    update chain_cursors set head = ${a.head.toString()}, note = ${a.note}, updated_at = ${a.now}
    where chain = ${a.chain} and pass = 'seen'`
}

/** Why the chain is stopped, for operators. */
export async function noteError(db: Db, chain: string, note: string): Promise<void> {
  await db`update chain_cursors set note = ${note} where chain = ${chain} and pass = 'seen'`
}

export interface CursorHealth {
  chain: string
  height: bigint
  head: bigint
  note: string | null
  updatedAt: Date
  livemode: boolean
}

export async function listCursors(db: Db): Promise<CursorHealth[]> {
  return db<CursorHealth[]>`
    select chain, height, head, note, updated_at as "updatedAt", livemode from chain_cursors
    where pass = 'seen' limit 1000`
}

/** @param a.readBy whose word the first scan took for what is in it, and for what lies between it and the block kept before. */
export async function insertBlock(
  tx: Tx,
  chain: string,
  block: BlockHead,
  a: { readBy: string; keep: number },
): Promise<void> {
  await tx`
    insert into chain_blocks (chain, height, hash, parent, time, read_by)
    values (${chain}, ${block.height.toString()}, ${block.hash}, ${block.parent}, ${block.time}, ${a.readBy})
    on conflict (chain, height) do update
      set hash = excluded.hash, parent = excluded.parent, time = excluded.time, read_by = excluded.read_by`
  await tx`
    delete from chain_blocks where chain = ${chain} and height < ${(block.height - BigInt(a.keep)).toString()}`
}

/** Whose word the first scan took for the blocks between two heights, both included. */
export async function listFirstReaders(
  db: Db,
  a: { chain: string; from: bigint; to: bigint },
): Promise<ReadonlySet<string>> {
  const rows = await db<{ readBy: string }[]>`
    select distinct read_by as "readBy" from chain_blocks
    where chain = ${a.chain} and read_by is not null and height >= ${a.from.toString()}
      and height <= (select min(height) from chain_blocks where chain = ${a.chain} and height >= ${a.to.toString()})`
  return new Set(rows.map((row) => row.readBy))
}

export async function findBlock(db: Db, chain: string, height: bigint): Promise<BlockHead | null> {
  const [row] = await db<BlockHead[]>`
    select height, hash, parent, time from chain_blocks where chain = ${chain} and height = ${height.toString()}`
  return row ?? null
}

/** The newest kept block that is at least as old as a time and not higher than a height. */
export async function findBlockBefore(
  db: Db,
  a: { chain: string; time: Date; height: bigint },
): Promise<BlockHead | null> {
  const [row] = await db<BlockHead[]>`
    select height, hash, parent, time from chain_blocks
    where chain = ${a.chain} and time <= ${a.time} and height <= ${a.height.toString()}
    order by height desc limit 1`
  return row ?? null
}

/** The oldest kept block above a height. */
export async function findBlockAfter(db: Db, a: { chain: string; height: bigint }): Promise<BlockHead | null> {
  const [row] = await db<BlockHead[]>`
    select height, hash, parent, time from chain_blocks
    where chain = ${a.chain} and height > ${a.height.toString()} order by height limit 1`
  return row ?? null
}

/**
 * Whether a block is on the branch that was read, under the lock of the chain's cursor. One that is not kept was read in a
 * range, which ends where a reorg can reach.
 */
export async function isOnBranch(
  tx: Tx,
  a: { chain: string; block: Pick<BlockHead, 'height' | 'hash'>; maxReorg: number },
): Promise<boolean> {
  const kept = await findBlock(tx, a.chain, a.block.height)
  if (kept !== null) return kept.hash === a.block.hash
  const seen = await findCursor(tx, a.chain, 'seen')
  return seen !== null && a.block.height <= seen.height - BigInt(a.maxReorg)
}
