// Reads one chain: block by block with a check of each parent, back over reorgs, in ranges when far behind, and a
// second scan at the depth that counts. A run may end at any point; the next begins at the cursor.
import { claimLease, type Lease, LeaseLost, releaseLease } from '@florin/platform/db/lease'
import { OperatorError } from '@florin/platform/errors'
import { makeRepeats } from '@florin/platform/worker/repeats'
import { MINUTE_MS } from '@florin/protocol'
import { forgetHead, measureHead } from '@florin/rail-kit/heads'
import { oldHead } from '@florin/rail-kit/old-head'
import type { PublicClient } from 'viem'
import type { VaultSet } from '../address/vaults.ts'
import type { ForwarderContext, ForwarderLink } from '../context.ts'
import { type BlockHead, type Found, readHead, readLogs } from '../node/blocks.ts'
import { readFinalized } from '../node/finality.ts'
import { inTimeOf, scanCoins, withSenders } from './coins.ts'
import {
  type Cursor,
  findBlock,
  findCursor,
  listFirstReaders,
  noteError,
  type Pass,
  touchCursor,
} from './cursors.store.ts'
import { askInTurn } from './in-turn.ts'
import { faultOf, forgetProviders, measureProviders } from './providers.ts'
import { CursorMoved, type Look, type NativeLook, recordLook, recordRollback, watchLeaseMs } from './record.ts'
import { saveProviders } from './witness.store.ts'
import { witness } from './witness.ts'

/** Further behind than this, ranges are read instead of blocks, as far as no reorg can reach. */
const CATCH_UP_FROM = 50n
/** A range that yields more is halved: nodes truncate long answers, some silently. */
const ENTRIES_MAX = 8_000
const GROW_AFTER = 20
/** One run is a bounded batch. */
const STEPS_A_RUN = 200

/** A reorg deeper than the limit: nothing is guessed, human review is needed. */
export class ReorgTooDeep extends OperatorError {}

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
  const { chain, client } = link.rpc
  const { sql, clock, log } = parts
  let lease: Lease | null = null
  let range = chain.logRange
  let wentWell = 0
  let finalized: bigint | null = null
  let failures = 0
  let shown: { text: string; at: number } | null = null
  const repeats = makeRepeats()

  return {
    async run(signal) {
      const leaseMs = watchLeaseMs(chain)
      lease = await claimLease(sql, { name: `watch ${chain.id}`, holder, now: clock.now(), leaseMs })
      if (lease === null) {
        forgetHead(chain.id)
        forgetProviders(chain.id, link.rpc.health())
        return 0
      }
      try {
        await link.verified()
        const did = await follow(lease, signal)
        failures = 0
        return did
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof CursorMoved) return 0
        // Whatever one provider told that cannot be kept, another one is asked next.
        failures++
        const { providers } = link.rpc.health()
        await noteError(sql, chain.id, error instanceof ReorgTooDeep ? error.message : faultOf(providers, error))
        throw error
      } finally {
        await tellOfProviders()
      }
    },
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }

  /** When it changes, and once a minute: every process shows it, and only this one asks the providers all the time. */
  async function tellOfProviders(): Promise<void> {
    const health = link.rpc.health()
    const { providers } = health
    measureProviders(chain.id, health)
    const now = clock.now()
    const text = JSON.stringify(providers)
    if (text === shown?.text && now.getTime() - shown.at < MINUTE_MS) return
    shown = { text, at: now.getTime() }
    await saveProviders(sql, chain.id, providers, now)
  }

  async function follow(held: Lease, signal?: AbortSignal): Promise<number> {
    const head = await link.rpc.head()
    measureHead(chain.id, { time: head.time, now: clock.now(), maxAgeMs: chain.headMaxAgeMs })
    await rollBackIfGone(held, head)
    finalized = await finalizedHeight()
    let did = 0
    for (const pass of ['seen', 'credit'] as const) {
      while (did < STEPS_A_RUN && signal?.aborted !== true && (await step(held, pass, head))) did++
    }
    did += await witness(link.rpc, { chain, parts, lease: held }, finalized)
    const now = clock.now()
    if (did === 0) await touchCursor(sql, { chain: chain.id, head: head.height, note: oldHead(chain, head, now), now })
    return did
  }

  /** null where it is not asked for, is unavailable now, or is on another branch than what was read here. */
  async function finalizedHeight(): Promise<bigint | null> {
    const theirs = await readFinalized(client, chain).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      const times = repeats.unsaid('final', why)
      if (times !== null) log.warn({ chain: chain.id, why, unlogged: times }, 'the node did not return its final block')
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
    const block = pass === 'seen' ? await agreedBlock(height, head) : await findBlock(sql, chain.id, height)
    // Blocks that were read as a range are not kept one by one; they are deeper than a reorg reaches.
    if (block === null && pass === 'credit') return readRange(held, pass, cursor, await targetOf(pass, head), head)
    if (block === null) return false
    if (pass === 'seen' && block.parent !== cursor.hash) return rollBackIfGone(held, block)
    await vaults.refresh(clock.now())
    const { saidBy, read } = await inTurn({ pass, from: height, to: height }, async (asked) => ({
      found: await readLogs(asked, chain, { block }, vaults.byAddress),
      native: await coinsOf(pass, asked, block),
    }))
    const native = await withSenders(link.rpc, parts, { looks: read.native, block })
    const inTime = await inTimeOf(link.rpc, parts, { looks: native, from: cursor, block })
    const times = new Map<BlockHead['hash'], Date>()
    await keep(held, { pass, from: cursor, block, ...read, native, inTime, times, head: head.height, saidBy })
    return true
  }

  async function agreedBlock(height: bigint, head: BlockHead): Promise<BlockHead | null> {
    return height === head.height ? head : readHead(client, height)
  }

  /** At the second scan of a block somebody else than at the first is asked first, whoever answered since. */
  async function inTurn<T>(
    { pass, from, to }: { pass: Pass; from: bigint; to: bigint },
    read: (asked: PublicClient) => Promise<T>,
  ): Promise<{ saidBy: string; read: T }> {
    const heard = pass === 'seen' ? new Set<string>() : await listFirstReaders(sql, { chain: chain.id, from, to })
    const turn = Number(to) + failures + (pass === 'seen' ? 0 : 1)
    return askInTurn(link.rpc.readers(), { turn, heard }, read)
  }

  async function readRange(held: Lease, pass: Pass, cursor: Cursor, reach: bigint, head: BlockHead): Promise<boolean> {
    const from = cursor.height + 1n
    const to = cursor.height + BigInt(range) < reach ? cursor.height + BigInt(range) : reach
    await vaults.refresh(clock.now())
    const block = await readHead(client, to)
    const kept = await findBlock(sql, chain.id, to)
    if (block === null || (pass === 'credit' && kept !== null && kept.hash !== block.hash)) return false
    const where = { from, to }
    let told: { saidBy: string; read: Pick<Look, 'found' | 'times' | 'native'> & { isSame: boolean } }
    try {
      told = await inTurn({ pass, from, to }, async (asked) => {
        const found = await readLogs(asked, chain, where, vaults.byAddress)
        return {
          found,
          times: await timesOf(found),
          // A node that changed its branch in between is asked again.
          isSame: (await readHead(asked, to))?.hash === block.hash,
          native: await coinsOf(pass, asked, block),
        }
      })
    } catch (error) {
      if (range === 1) throw error
      shrink()
      return true
    }
    const { saidBy, read } = told
    if (!read.isSame) return true
    if (read.found.entries > ENTRIES_MAX && range > 1) {
      shrink()
      return true
    }
    const inTime = await inTimeOf(link.rpc, parts, { looks: read.native, from: cursor, block })
    await keep(held, { pass, from: cursor, block, ...read, inTime, head: head.height, saidBy })
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

  async function coinsOf(pass: Pass, asked: PublicClient, block: BlockHead): Promise<NativeLook[]> {
    return pass === 'seen' ? scanCoins(asked, { chain: chain.id, vaults, block, now: clock.now() }) : []
  }

  /** @throws Error when a block is not the one that enough providers have there: another one is asked then. */
  async function timesOf(found: Found): Promise<Map<BlockHead['hash'], Date>> {
    const times = new Map<BlockHead['hash'], Date>()
    for (const { blockHash, height } of [...found.transfers, ...found.factoryLogs]) {
      if (times.has(blockHash)) continue
      const block = await readHead(client, height)
      if (block?.hash !== blockHash) throw new Error(`block ${height} is another one than that of its logs`)
      times.set(blockHash, block.time)
    }
    return times
  }

  async function keep(held: Lease, look: Look): Promise<void> {
    const alone = await recordLook({ chain, parts, lease: held }, look)
    if (look.pass === 'seen' || alone === 0) return
    log.warn(
      { chain: chain.id, height: String(look.block.height), alone },
      'the second scan found transfers that the first had missed',
    )
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
      { docs: 'docs/operations.md#florinchainbehind' },
    )
  }
}
