// Reads one chain: block by block with a check of each parent, back over reorgs, in ranges when far behind, and a
// second scan at the depth that counts. A run may end at any point; the next begins at the cursor.
import type { PublicClient } from 'viem'
import { claimLease, type Lease, LeaseLost, releaseLease } from '../../../platform/db/lease.ts'
import type { VaultSet } from '../address/vaults.ts'
import type { ForwarderContext, ForwarderLink } from '../context.ts'
import { readBalances } from '../node/balances.ts'
import { type BlockHead, type Found, hexOf, readHead, readLogs, readSenders } from '../node/blocks.ts'
import { readFinalized } from '../node/finality.ts'
import { CursorMoved, type NativeLook, recordLook, recordRollback, watchLeaseMs } from './record.ts'
import { type Cursor, findBlock, findCursor, noteError, type Pass, touchCursor } from './watch.store.ts'

/** Further behind than this, ranges are read instead of blocks, as far as no reorg can reach. */
const CATCH_UP_FROM = 50n
/** A range that yields more is halved: nodes truncate long answers, some silently. */
const ENTRIES_MAX = 8_000
const GROW_AFTER = 20
/** One run is a bounded batch. */
const STEPS_A_RUN = 200

/** A reorg deeper than the limit: nothing is guessed, human review is needed. */
export class ReorgTooDeep extends Error {}

export interface Watcher {
  /**
   * One bounded batch under the chain's lease. @returns how many steps it made; 0: nothing new, or another process has
   * the lease.
   */
  run(signal?: AbortSignal): Promise<number>
  /** Releases the lease. */
  end(): Promise<void>
}

export function makeWatcher(link: ForwarderLink, vaults: VaultSet, parts: ForwarderContext, holder: string): Watcher {
  const { chain, client, second } = link.rpc
  const { sql, clock, log } = parts
  let lease: Lease | null = null
  let range = chain.logRange
  let wentWell = 0
  let finalized: bigint | null = null

  return {
    async run(signal) {
      const leaseMs = watchLeaseMs(chain)
      lease = await claimLease(sql, { name: `watch ${chain.id}`, holder, now: clock.now(), leaseMs })
      if (lease === null) return 0
      try {
        await link.verified()
        return await follow(lease, signal)
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof CursorMoved) return 0
        const note = error instanceof ReorgTooDeep ? error.message : 'no node of the chain answers as it should'
        await noteError(sql, chain.id, note)
        throw error
      }
    },
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }

  async function follow(held: Lease, signal?: AbortSignal): Promise<number> {
    const head = await readHead(client, 'latest')
    if (head === null) return 0
    await rollBackIfGone(held, head)
    finalized = await finalizedHeight()
    let did = 0
    for (const pass of ['seen', 'credit'] as const) {
      while (did < STEPS_A_RUN && signal?.aborted !== true && (await step(held, pass, head))) did++
    }
    if (did === 0) await touchCursor(sql, { chain: chain.id, head: head.height, now: clock.now() })
    return did
  }

  /** null where it is not asked for, is unavailable now, or is on another branch than what was read here. */
  async function finalizedHeight(): Promise<bigint | null> {
    const theirs = await readFinalized(client, chain).catch((error: unknown) => {
      log.warn({ err: error, chain: chain.id }, 'the node did not return its final block')
      return null
    })
    if (theirs === null) return null
    const ours = await findBlock(sql, chain.id, theirs.height)
    return ours === null || ours.hash === theirs.hash ? theirs.height : null
  }

  /** Advances by one block or one range. @returns false when there is nothing to read yet. */
  async function step(held: Lease, pass: Pass, head: BlockHead): Promise<boolean> {
    const cursor = await findCursor(sql, chain.id, pass)
    if (cursor === null) return false
    const target = await targetOf(pass, head)
    if (cursor.height >= target) return false
    const safe = head.height - BigInt(chain.maxReorg)
    const reach = safe < target ? safe : target
    if (target - cursor.height > CATCH_UP_FROM && reach > cursor.height)
      return readRange(held, pass, cursor, reach, head)
    return readBlock(held, pass, cursor, head)
  }

  async function targetOf(pass: Pass, head: BlockHead): Promise<bigint> {
    if (pass === 'seen') return head.height - BigInt(chain.confirmations.seen - 1)
    const seen = await findCursor(sql, chain.id, 'seen')
    const deep = head.height - BigInt(chain.confirmations.settle - 1)
    return seen === null || seen.height < deep ? (seen?.height ?? -1n) : deep
  }

  async function readBlock(held: Lease, pass: Pass, cursor: Cursor, head: BlockHead): Promise<boolean> {
    const height = cursor.height + 1n
    const block = pass === 'seen' ? await readHead(client, height) : await findBlock(sql, chain.id, height)
    // Blocks that were read as a range are not kept one by one; they are deeper than a reorg reaches.
    if (block === null && pass === 'credit') return readRange(held, pass, cursor, await targetOf(pass, head), head)
    if (block === null) return false
    if (pass === 'seen' && block.parent !== cursor.hash) return rollBackIfGone(held, block)
    const asked = pass === 'seen' ? client : second
    await vaults.refresh(clock.now())
    const found = await readLogs(asked, chain, { blockHash: block.hash }, vaults.byAddress)
    const native = pass === 'seen' ? await scanNative(client, block) : []
    await keep(held, { pass, from: cursor, block, found, native, times: new Map(), head: head.height })
    return true
  }

  async function readRange(held: Lease, pass: Pass, cursor: Cursor, reach: bigint, head: BlockHead): Promise<boolean> {
    const asked = pass === 'seen' ? client : second
    const from = cursor.height + 1n
    const to = cursor.height + BigInt(range) < reach ? cursor.height + BigInt(range) : reach
    await vaults.refresh(clock.now())
    let found: Found
    const block = await readHead(asked, to)
    const kept = await findBlock(sql, chain.id, to)
    if (block === null || (pass === 'credit' && kept !== null && kept.hash !== block.hash)) return false
    try {
      found = await readLogs(asked, chain, { fromBlock: hexOf(from), toBlock: hexOf(to) }, vaults.byAddress)
    } catch (error) {
      if (range === 1) throw error
      shrink()
      return true
    }
    // A node changed its branch in between, or another node answered: read again.
    if ((await readHead(asked, to))?.hash !== block.hash) return true
    if (found.entries > ENTRIES_MAX && range > 1) {
      shrink()
      return true
    }
    const times = await timesOf(asked, found)
    const native = pass === 'seen' ? await scanNative(client, block) : []
    await keep(held, { pass, from: cursor, block, found, native, times, head: head.height })
    if (++wentWell >= GROW_AFTER) {
      range = Math.min(range * 2, chain.logRange)
      wentWell = 0
    }
    return true
  }

  function shrink(): void {
    range = Math.max(1, Math.floor(range / 2))
    wentWell = 0
  }

  async function timesOf(asked: PublicClient, found: Found) {
    const times = new Map<BlockHead['hash'], Date>()
    for (const { blockHash, height } of found.transfers) {
      if (times.has(blockHash)) continue
      const block = await readHead(asked, height)
      if (block?.hash !== blockHash) throw new Error(`block ${height} changed while it was read`)
      times.set(blockHash, block.time)
    }
    return times
  }

  async function keep(held: Lease, look: Omit<Parameters<typeof recordLook>[1], 'finalized'>): Promise<void> {
    const alone = await recordLook({ chain, parts, lease: held }, { ...look, finalized })
    if (look.pass === 'seen' || alone === 0) return
    log.warn(
      { chain: chain.id, height: String(look.block.height), alone },
      'the second scan found transfers that the first had missed',
    )
  }

  async function scanNative(asked: PublicClient, block: BlockHead): Promise<NativeLook[]> {
    const hot = vaults.listHotNative(chain.id, clock.now())
    if (hot.length === 0) return []
    const addresses = hot.map((vault) => vault.vault)
    const balances = await readBalances(asked, addresses, block.hash)
    const paid = new Set<string>(addresses.filter((_, n) => (balances[n] ?? 0n) > 0n))
    const senders = paid.size === 0 ? null : await readSenders(asked, block.hash, paid)
    return hot.map((vault, n) => ({
      ...{ vault, balance: balances[n] ?? 0n },
      sender: senders?.get(vault.vault) ?? null,
    }))
  }

  /**
   * Follows a reorg back to the newest block that both branches share. Nothing is written before it is found.
   * @returns whether there was one.
   */
  async function rollBackIfGone(held: Lease, head: BlockHead): Promise<boolean> {
    const cursor = await findCursor(sql, chain.id, 'seen')
    if (cursor === null) return false
    // A node whose tip is lower may only lag behind; the blocks it has must match ours.
    let height = head.height < cursor.height ? head.height : cursor.height
    for (const lowest = cursor.height - BigInt(chain.maxReorg); height >= lowest; height--) {
      const ours = height === cursor.height ? cursor.hash : (await findBlock(sql, chain.id, height))?.hash
      const theirs = height === head.height ? head : await readHead(client, height)
      if (theirs === null) return false
      // Nothing was recorded before the first block read here, so nothing there has to be undone.
      if (ours !== undefined ? ours === theirs.hash : height < cursor.startHeight) {
        if (height === cursor.height || (head.height < cursor.height && height === head.height)) return false
        const { hash } = theirs
        await recordRollback({ chain, parts, lease: held }, { from: cursor, fork: { height, hash }, head: head.height })
        log.warn({ chain: chain.id, depth: Number(cursor.height - height) }, 'rolled back a reorg')
        return true
      }
      if (ours === undefined) break
    }
    throw new ReorgTooDeep(
      `a reorg deeper than ${chain.maxReorg} blocks below ${cursor.height}: is every provider on the right chain?`,
    )
  }
}
