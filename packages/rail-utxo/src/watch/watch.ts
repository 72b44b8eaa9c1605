// Reads one chain: from the last block that was read to the tip of a node or of the host with the most work behind it,
// back over reorgs, then the mempool. A run may end at any point; the next begins at the cursor.
import { type Check, warning } from '@florin/platform/check'
import { claimLease, type Lease, LeaseLost, releaseLease } from '@florin/platform/db/lease'
import { makeRepeats } from '@florin/platform/worker/repeats'
import { forgetHead, measureHead } from '@florin/rail-kit/heads'
import { BadBlock } from '../chain/block.ts'
import { workOf } from '../chain/work.ts'
import type { UtxoContext } from '../context.ts'
import { type Branch, best, findBranch, HostLied, type KnownBlock, ReorgTooDeep } from '../node/branch.ts'
import { HostFailed } from '../node/http.ts'
import { NodeRefused } from '../node/rpc.ts'
import { BlockPruned, type BlockSource, type Sources, WrongChain } from '../node/view.ts'
import type { UtxoChain } from '../settings/config.ts'
import { listDrawn } from './drafts.store.ts'
import { listWaiting } from './pool.store.ts'
import { poolReader } from './pool.ts'
import { CursorMoved, LEASE_MS, recordBranch, type Written } from './record.ts'
import { outpointSet, type ScannedBlock, watchedScripts } from './scripts.ts'
import {
  type Cursor,
  findBlock,
  findCursor,
  insertCursor,
  listBitsAbove,
  noteError,
  touchCursor,
} from './watch.store.ts'

/** One run is a bounded batch. */
const BRANCHES_A_RUN = 8
const FAULT_MAX = 200

export interface Watcher {
  /** One bounded batch under the chain's lease. @returns how many blocks it read. */
  run(signal?: AbortSignal): Promise<number>
  /** The sources that failed. */
  checks(): Check[]
  end(): Promise<void>
}

export function makeWatcher(chain: UtxoChain, sources: Sources, parts: UtxoContext, holder: string): Watcher {
  const { sql, clock, log } = parts
  const scripts = watchedScripts(
    sql,
    chain.id,
    async () => (await parts.addresses.lookAhead?.(chain.id, chain.network.name)) ?? [],
  )
  const pool = sources.node === null ? null : poolReader(sources.node, scripts.set)
  const asked = sources.node === null ? sources.hosts : [sources.node]
  const troubles = new Map<string, string>()
  const outage = outageOf(chain.id, log)
  let lease: Lease | null = null

  return {
    async run(signal) {
      lease = await claimLease(sql, { name: `watch ${chain.id}`, holder, now: clock.now(), leaseMs: LEASE_MS })
      if (lease === null) {
        forgetHead(chain.id)
        return 0
      }
      try {
        const did = await follow({ chain, parts, lease }, signal)
        outage.over()
        return did
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof CursorMoved) return 0
        const isKnown = error instanceof HostFailed || error instanceof ReorgTooDeep || error instanceof WrongChain
        const why = error instanceof Error ? error.message : String(error)
        // What a node or host did names it; all else is the chain's, or this service's own.
        const isNamed = isKnown || error instanceof NodeRefused
        await noteError(sql, chain.id, isNamed ? why : `the chain could not be read: ${why.slice(0, FAULT_MAX)}`)
        if (!isKnown) throw error
        outage.seen(error.message)
        return 0
      }
    },
    checks: () =>
      [...troubles].map(([source, why]) =>
        warning(
          ['host', `${chain.id} ${source}`],
          why,
          'Put another host into the rails file if this one does not recover.',
        ),
      ),
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }

  async function follow(written: Written, signal?: AbortSignal): Promise<number> {
    await begin(chain, sources, parts)
    let did = 0
    for (let round = 0; round < BRANCHES_A_RUN && signal?.aborted !== true; round++) {
      const cursor = await findCursor(sql, chain.id)
      if (cursor === null) return did
      const now = clock.now()
      measureHead(chain.id, { time: cursor.time, now, maxAgeMs: chain.headMaxAgeMs })
      const branch = await nextBranch(cursor)
      if (branch === null) {
        await rest(written, cursor, now)
        return did
      }
      did += await readBranch(written, cursor, branch)
    }
    return did
  }

  /** Everything is read: the mempool is next. */
  async function rest(written: Written, cursor: Cursor, readFrom: Date): Promise<void> {
    await scripts.refresh()
    const isRead = pool === null || (await pool.read(written, { tip: cursor.hash, since: cursor.caughtUpAt }))
    const now = clock.now()
    const ageMs = now.getTime() - cursor.time.getTime()
    const isOld = chain.headMaxAgeMs !== null && ageMs > chain.headMaxAgeMs
    const old = `its newest block ${cursor.height} is ${Math.round(ageMs / 60_000)} minutes old`
    if (!isRead && !isOld) return
    await touchCursor(sql, { chain: chain.id, head: cursor.height, note: isOld ? old : null, readFrom, now })
  }

  /** The best branch that any source has and none of them lies about; null: there is nothing new. */
  async function nextBranch(cursor: KnownBlock): Promise<Branch | null> {
    const ours = {
      cursor,
      at: async (height: number) => (height === cursor.height ? cursor : findBlock(sql, chain.id, height)),
    }
    const found: Branch[] = []
    let answered = 0
    let last: unknown = null
    for (const source of asked) {
      try {
        const branch = await findBranch(source, ours, chain)
        answered++
        troubles.delete(source.name)
        if (branch !== null) found.push(branch)
      } catch (error) {
        last = error
        if (!(error instanceof HostFailed || error instanceof ReorgTooDeep)) throw error
        tell(source, error)
      }
    }
    if (answered === 0) throw last
    const weights = new Map<Branch, bigint>()
    for (const branch of found) {
      const given = (await listBitsAbove(sql, chain.id, branch.fork.height)).reduce(
        (sum, bits) => sum + workOf(bits),
        0n,
      )
      weights.set(branch, branch.work - given)
    }
    const heaviest = best(found, (branch) => weights.get(branch) ?? 0n)
    // A node has decided; a stranger's branch has to have more work behind it than the one that was read.
    if (heaviest === null || heaviest.source.isOwn) return heaviest
    return (weights.get(heaviest) ?? 0n) > 0n ? heaviest : null
  }

  function tell(source: BlockSource, error: Error): void {
    if (troubles.get(source.name) === error.message) return
    troubles.set(source.name, error.message)
    const fields = { chain: chain.id, source: source.name, why: error.message }
    if (error instanceof HostLied) log.error(fields, 'a block host is not believed')
    else log.warn(fields, 'a source of blocks cannot be used now')
  }

  async function readBranch(written: Written, cursor: KnownBlock, branch: Branch): Promise<number> {
    const waiting = await listWaiting(sql, chain.id)
    const awaited = waiting.flatMap((row) => row.inputs)
    // A refund that this block pays was drawn up before: read after the block, none is missed.
    const outpoints = async () =>
      outpointSet([...awaited, ...(await listDrawn(sql, chain.id)).flatMap((row) => row.inputs)])
    const blocks: ScannedBlock[] = []
    for (const [n, header] of branch.headers.entries()) {
      const height = branch.fork.height + 1 + n
      blocks.push(
        await scanned(branch.source, header.hash, async (raw) => scripts.set.scan(raw, height, await outpoints())),
      )
    }
    const isReorg = branch.fork.height < cursor.height
    const firstSeen = (txid: string): Date | null => pool?.firstSeen(txid) ?? null
    await recordBranch(written, { from: cursor, fork: branch.fork, blocks, head: branch.tip.height, firstSeen })
    if (isReorg) log.warn({ chain: chain.id, depth: cursor.height - branch.fork.height }, 'followed a reorg')
    return blocks.length
  }

  /** From the source that told of it, else from any other: whole, and the one that was asked for. */
  async function scanned(
    source: BlockSource,
    hash: string,
    scan: (raw: Buffer) => Promise<ScannedBlock>,
  ): Promise<ScannedBlock> {
    let last: unknown = null
    for (const one of [source, ...[...asked, ...sources.hosts].filter((other) => other !== source)]) {
      try {
        const raw = await one.block(hash)
        // Whoever pays an address in this block was shown it before.
        await scripts.refresh()
        const block = await scan(raw)
        if (block.header.hash === hash) return block
        throw new HostLied(`${one.name}: it gave another block than ${hash}`)
      } catch (error) {
        const why = error instanceof BadBlock ? new HostLied(`${one.name}: block ${hash}: ${error.message}`) : error
        if (!(why instanceof HostFailed || why instanceof BlockPruned)) throw why
        if (last === null || !(why instanceof HostFailed)) last = why
        tell(one, why)
      }
    }
    if (last instanceof BlockPruned)
      throw new HostFailed(`${last.message}. Nothing is lost: name a block host under "hosts", or let the node keep it`)
    throw last
  }
}

/** An outage is one line when it begins or changes, one a minute, and one when it is over: each poll meets it again. */
function outageOf(chain: string, log: UtxoContext['log']) {
  const repeats = makeRepeats()
  let was: string | null = null
  let times = 0
  return {
    seen(why: string): void {
      times++
      was = why
      if (repeats.unsaid(chain, why) !== null) log.error({ chain, why, times }, 'the chain cannot be read; will retry')
    },
    over(): void {
      if (was !== null) log.info({ chain, was, times }, 'the chain is read again')
      repeats.forget(chain)
      was = null
      times = 0
    },
  }
}

/** Decides where reading a chain begins, before any of its addresses is shown. */
export async function begin(
  chain: UtxoChain,
  sources: Sources,
  parts: Pick<UtxoContext, 'sql' | 'clock'>,
): Promise<void> {
  const known = await findCursor(parts.sql, chain.id)
  if (known !== null) {
    if (known.genesis === chain.network.genesis) return
    throw new WrongChain(`This database has read ${chain.id} on another network than the rails file says.`)
  }
  const first = sources.node ?? sources.hosts[0]
  if (first === undefined) throw new HostFailed(`${chain.id}: there is nowhere to read it from`)
  const tip = await first.tip()
  const height = chain.startHeight === null ? tip.height : Number(chain.startHeight) - 1
  const hash = height === tip.height ? tip.hash : await first.hashAt(height)
  if (hash === null) throw new HostFailed(`${first.name}: it has no block ${height} to begin with`)
  const header = await first.header(hash)
  const block = { height, hash, time: header.time, bits: header.bits }
  const at = { chain: chain.id, genesis: chain.network.genesis, livemode: chain.mode === 'live' }
  await insertCursor(parts.sql, { ...at, block, now: parts.clock.now() })
}
