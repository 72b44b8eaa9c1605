// Nodes of the payers' chains look at the deposit addresses of open swaps, one process at a time for each chain. What they see is
// a hint: the swap is asked about sooner, within a share of the questions. It changes no order, and what is missed costs a wait.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { claimLease, holdLease, type Lease, releaseLease } from '../../../platform/db/lease.ts'
import { withTx } from '../../../platform/db/tx.ts'
import type { Job } from '../../../platform/worker/job.ts'
import type { IntentsContext } from '../context.ts'
import { NodeAway } from '../node/ask.ts'
import type { Look } from './look.ts'
import { lookedFrom, SEEN_MOST } from './rules.ts'
import { findCursor, hasOpen, listOpen, saveAway, saveLook, saveNothing, saveSeen } from './sights.store.ts'

const EVERY_MS = 15 * SECOND_MS
/** Of a whole look: a node that trickles holds up nothing else. */
const LOOK_MS = 30 * SECOND_MS
const LEASE_MS = MINUTE_MS
/** A node that did not answer is left alone for so long, while another one does. */
const LEFT_ALONE_MS = MINUTE_MS
/** Nodes take turns, so that one that is blind costs a turn. With more, a turn would come too late. */
const NODES_MOST = 3

export interface SightNode {
  chain: string
  /** How it is shown. */
  name: string
  look: Look
}

type Parts = Pick<IntentsContext, 'sql' | 'clock' | 'log'> & { holder: string }

/** One job a chain, so that a node that hangs keeps no other chain from being looked at. */
export function sightJobs(parts: Parts, nodes: readonly SightNode[]): Job[] {
  return [...new Set(nodes.map((node) => node.chain))].map((chain) => {
    const own = nodes.filter((node) => node.chain === chain).slice(0, NODES_MOST)
    return sightJob(parts, chain, own)
  })
}

function sightJob(parts: Parts, chain: string, nodes: readonly SightNode[]): Job {
  const { sql, clock } = parts
  const name = `intents-sight-${chain}`
  const left = new Map<SightNode, number>()
  let turn = 0
  let lease: Lease | null = null
  let away: string | null = null

  /** Whose turn it is, and who is asked where that one does not answer. */
  function inTurn(now: Date): SightNode[] {
    const order = nodes.map((_, n) => nodes[(turn + n) % nodes.length] as SightNode)
    turn++
    const well = order.filter((node) => (left.get(node) ?? 0) <= now.getTime())
    return well.length > 0 ? well : order
  }

  async function tryNode(own: Lease, node: SightNode): Promise<string | null> {
    const began = clock.now()
    const place = { chain, node: node.name }
    const open = (): ReturnType<typeof listOpen> => listOpen(sql, { chain, from: lookedFrom(began) })
    try {
      const stop = AbortSignal.timeout(LOOK_MS)
      const looked = await node.look({ cursor: await findCursor(sql, place), open, stop })
      const { cursor, gap } = looked
      const now = clock.now()
      await withTx(sql, async (tx) => {
        await holdLease(tx, own, { now, leaseMs: LEASE_MS })
        await saveSeen(tx, { seen: looked.seen, now, max: SEEN_MOST })
        await saveLook(tx, { ...place, cursor, lookedAt: gap === null ? began : null, note: gap, now })
      })
      left.delete(node)
      return gap
    } catch (error) {
      if (!(error instanceof NodeAway)) throw error
      const now = clock.now()
      left.set(node, now.getTime() + LEFT_ALONE_MS)
      parts.log.warn(
        { chain, node: node.name, why: error.message },
        'a node did not tell of deposit addresses; will retry',
      )
      await withTx(sql, async (tx) => {
        await holdLease(tx, own, { now, leaseMs: LEASE_MS })
        await saveAway(tx, { ...place, note: error.message, now })
      })
      return error.message
    }
  }

  return {
    name,
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now()
      lease = await claimLease(sql, { name, holder: parts.holder, now, leaseMs: LEASE_MS })
      if (lease === null) {
        away = null
        return 0
      }
      const own = lease
      if (!(await hasOpen(sql, { chain, from: lookedFrom(now) }))) {
        await withTx(sql, async (tx) => {
          await holdLease(tx, own, { now, leaseMs: LEASE_MS })
          for (const node of nodes) await saveNothing(tx, { chain, node: node.name, now })
        })
        away = null
        return 0
      }
      for (const node of inTurn(now)) {
        away = await tryNode(own, node)
        if (away === null) return 0
      }
      return 0
    },
    note: () => (away === null ? null : `NEAR Intents: no node of ${chain} tells of deposit addresses: ${away}`),
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }
}
