// Finds the way from the block that was read last to a source's tip, and checks it: each header's hash, parent, work
// and difficulty where the source is not one's own. A lie then costs as much as mining.

import type { Header } from '../chain/block.ts'
import type { Network } from '../chain/networks.ts'
import { difficultyFault, targetOf, workFault, workOf } from '../chain/work.ts'
import { HostFailed } from './http.ts'
import type { BlockSource, Tip } from './view.ts'

/** What is known here of a block that was read. */
export interface KnownBlock {
  height: number
  hash: string
  time: Date
  bits: number
}

export interface KnownBlocks {
  cursor: KnownBlock
  /** null: it is not kept here, or no longer. */
  at(height: number): Promise<KnownBlock | null>
}

export interface Branch {
  source: BlockSource
  /** The newest block that both branches share. */
  fork: KnownBlock
  /** Above it, oldest first. Not empty. */
  headers: readonly Header[]
  work: bigint
  tip: Tip
}

/** It told what cannot be true. */
export class HostLied extends HostFailed {}

/** A reorg deeper than the limit: nothing is guessed, human review is needed. */
export class ReorgTooDeep extends Error {}

/** Blocks that one step goes forward at most. */
const STEP = 24

/**
 * @returns null when there is nothing beyond what was read.
 * @throws HostFailed, HostLied, ReorgTooDeep
 */
export async function findBranch(
  source: BlockSource,
  ours: KnownBlocks,
  a: { network: Network; maxReorg: number },
): Promise<Branch | null> {
  const { cursor } = ours
  const tip = await source.tip()
  if (tip.hash === cursor.hash) return null
  const goal = tip.height > cursor.height + STEP ? await hashAt(source, cursor.height + STEP) : tip.hash
  let height = Math.min(tip.height, cursor.height + STEP)
  const headers: Header[] = []
  for (let hash = goal; ; height--) {
    const known = await ours.at(height)
    if (known?.hash === hash) {
      headers.reverse()
      // A source that only lags behind says nothing new.
      if (headers.length === 0) return null
      const work = headers.reduce((sum, header) => sum + workOf(header.bits), 0n)
      if (!source.isOwn) await check(source, { fork: known, headers, ours, network: a.network })
      return { source, fork: known, headers, work, tip }
    }
    if (cursor.height - height >= a.maxReorg || height <= 0) {
      throw new ReorgTooDeep(
        `a reorg deeper than ${a.maxReorg} blocks below ${cursor.height}: is ${source.name} on the right chain?`,
      )
    }
    const header = await source.header(hash)
    if (header.hash !== hash) throw new HostLied(`${source.name}: a header of it is not the one that was asked for`)
    headers.push(header)
    hash = header.parent
  }
}

async function hashAt(source: BlockSource, height: number): Promise<string> {
  const hash = await source.hashAt(height)
  if (hash === null) throw new HostFailed(`${source.name}: it has no block ${height} below its own tip`)
  return hash
}

async function check(
  source: BlockSource,
  a: { fork: KnownBlock; headers: readonly Header[]; ours: KnownBlocks; network: Network },
): Promise<void> {
  const { work, floorBits } = a.network
  let parent = a.fork
  for (const header of a.headers) {
    const height = parent.height + 1
    const start = work.retarget === null ? null : await a.ours.at(height - work.retarget.reach)
    const faults = [
      workFault(header, work),
      difficultyFault({ height, bits: header.bits, parent, periodStart: start?.time ?? null }, work),
      isBelow(header.bits, floorBits) ? 'it claims far less work than the network does' : null,
    ]
    const fault = faults.find((one) => one !== null)
    if (fault !== undefined) throw new HostLied(`${source.name}: block ${height} is not believed: ${fault}`)
    parent = { height, hash: header.hash, time: header.time, bits: header.bits }
  }
}

const isBelow = (bits: number, floor: number | null): boolean =>
  floor !== null && (targetOf(bits) ?? 0n) > (targetOf(floor) ?? 0n)

/** The branch with the most work; the first of equals. */
export function best(branches: readonly Branch[], weight: (branch: Branch) => bigint): Branch | null {
  let found: Branch | null = null
  for (const branch of branches) if (found === null || weight(branch) > weight(found)) found = branch
  return found
}
