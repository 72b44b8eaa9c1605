// Records a branch: what left the chain and what came, in one commit under the chain's lease. A payment that a reorg only
// moved to another block has not left: nobody hears of it.
import { holdLease, type Lease } from '../../../platform/db/lease.ts'
import { type Tx, withTx } from '../../../platform/db/tx.ts'
import type { RailFact } from '../../interface/fact.ts'
import { reportFactsOfMany } from '../../report.store.ts'
import { addressOf } from '../chain/script.ts'
import type { UtxoContext } from '../context.ts'
import type { KnownBlock } from '../node/branch.ts'
import { coinOf } from '../settings/coin.ts'
import type { UtxoChain } from '../settings/config.ts'
import { listRefundsDoneAbove } from './money.store.ts'
import { ownerOf } from './owners.ts'
import { type Announced, awaitAgain, endAnnounced, listAnnounced, listWaiting } from './pool.store.ts'
import { refundFacts } from './refunds.ts'
import type { FoundOutput, ScannedBlock } from './scripts.ts'
import { accountFor, keyOf, type Reported } from './settle.ts'
import {
  confirmOutputs,
  insertOutputs,
  listLegsOf,
  listOutputsAbove,
  listUnpaidPlaces,
  lockCursor,
  moveCursor,
  type OutputRow,
  orphanOutputsAbove,
  replaceBlocks,
  type WatchedLeg,
} from './watch.store.ts'

export const LEASE_MS = 60_000

/** Another process moved the cursor: what was read no longer fits and is read again. */
export class CursorMoved extends Error {}

export interface Written {
  chain: UtxoChain
  parts: UtxoContext
  lease: Lease
}

export interface NewBranch {
  from: KnownBlock
  fork: KnownBlock
  /** Above the fork, oldest first. */
  blocks: readonly ScannedBlock[]
  head: number
  /** When the mempool first had it, as far as this process saw. */
  firstSeen?(txid: string): Date | null
}

/** @throws LeaseLost, CursorMoved */
export async function recordBranch({ chain, parts, lease }: Written, a: NewBranch): Promise<void> {
  const now = parts.clock.now()
  const told = await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
    if (!(await lockCursor(tx, chain.id, a.from))) throw new CursorMoved(chain.id)
    const facts = await applied(tx, { chain, parts, lease }, a, now)
    await reportFactsOfMany(tx, { rail: 'utxo', facts, now })
    return facts.length
  })
  if (told > 0) parts.wake.facts.fire()
}

async function applied(tx: Tx, { chain, parts }: Written, a: NewBranch, now: Date): Promise<Reported[]> {
  const top = a.blocks.at(-1)
  if (top === undefined) return []
  const isReorg = a.fork.height < a.from.height
  const before = isReorg ? await listOutputsAbove(tx, chain.id, a.fork.height) : []
  const undone = isReorg ? await listRefundsDoneAbove(tx, chain.id, a.fork.height) : []
  const found = a.blocks.flatMap((block) => block.outputs.map((output) => ({ block, output })))
  const scripts = [...new Set(found.map(({ output }) => output.script))]
  const legs = scripts.length === 0 ? [] : await listLegsOf(tx, chain.id, scripts)
  const announced = await listAnnounced(tx, chain.id, [...found.map(({ output }) => output), ...before])
  const pegged = found.some(({ output }) => output.kind === 'peg_out')
    ? (await listWaiting(tx, chain.id)).filter((row) => row.isMweb)
    : []
  const { rows, doubts } = toRows(chain, { found, legs, announced, pegged, before })
  if (isReorg) {
    await orphanOutputsAbove(tx, chain.id, a.fork.height)
    await awaitAgain(
      tx,
      chain.id,
      before.map((row) => row.txid),
    )
  }
  await insertOutputs(tx, chain.id, rows, now)
  if (isReorg) await parts.addresses.left?.(tx, await listUnpaidPlaces(tx, before))
  await tellAccounts(tx, parts, { legs, scripts }, now)
  const dropped = await endPool(tx, chain, { rows, blocks: a.blocks })
  const confirmed = await confirmOutputs(tx, chain.id, top.height)
  const { left, final } = await accountFor(
    tx,
    [...before, ...confirmed].map((row) => row.legRef),
    sumByLeg(confirmed),
  )
  const stays = new Set(rows.map((row) => row.key))
  const gone = before.filter((row) => !stays.has(row.key))
  const refunds = await refundFacts(tx, chain, { undone, legs, ...parts, ...a, now })
  const blocks = a.blocks.map(({ height, header }) => ({ height, ...header }))
  await replaceBlocks(tx, chain.id, { fork: a.fork.height, blocks })
  await moveCursor(tx, { chain: chain.id, to: { height: top.height, ...top.header }, head: a.head, now })
  const of = (row: OutputRow, fact: RailFact): Reported => ({ orderRef: row.orderRef, fact })
  return [
    ...left,
    ...refunds.left,
    ...gone.map((row) => of(row, { kind: 'payment_orphaned', key: row.key })),
    ...dropped,
    ...rows.map((row) => of(row, seenFact(chain, row))),
    ...doubts.map(({ row, leg }) => doubtOf(chain, row, leg)),
    ...confirmed.map((row) => of(row, { kind: 'payment_confirmed', key: row.key })),
    ...final,
    ...refunds.made,
  ]
}

export const seenFact = (chain: UtxoChain, row: OutputRow): RailFact => ({
  ...{ kind: 'payment_seen', key: row.key, legRef: row.legRef, txHash: row.txid, outputIndex: row.vout },
  ...{ asset: coinOf(chain.id), amount: row.amount, from: null, height: BigInt(row.height), seenAt: row.seenAt },
  floor: chain.refundCostSat,
})

/** The address was given to both orders: the older one has the money, and a person decides. */
const doubtOf = (chain: UtxoChain, row: OutputRow, newer: WatchedLeg): Reported => ({
  orderRef: newer.orderRef,
  fact: {
    ...{ kind: 'alarm_raised', what: 'payment_of_two_orders', chain: chain.id, token: null, amount: row.amount },
    ...{ to: addressOf(chain.network, row.script), txHash: row.txid, why: null },
  },
})

/**
 * A wallet looks so far beyond the last address that was paid: its owner's account counts from there. Only what is in a block
 * counts: what is announced and replaced again would push the next payers beyond it.
 */
async function tellAccounts(
  tx: Tx,
  { addresses }: UtxoContext,
  { legs, scripts }: { legs: readonly WatchedLeg[]; scripts: readonly string[] },
  now: Date,
): Promise<void> {
  const ofNobody = scripts.filter((script) => !legs.some((leg) => leg.script === script))
  if (ofNobody.length > 0) await addresses.seenScripts?.(tx, ofNobody, now)
  const paid = legs.flatMap(({ account, index }) => (account === null || index === null ? [] : [{ account, index }]))
  if (paid.length > 0) await addresses.seen?.(tx, paid, now)
}

function toRows(
  chain: UtxoChain,
  a: {
    found: readonly { block: ScannedBlock; output: FoundOutput }[]
    legs: readonly WatchedLeg[]
    announced: readonly Announced[]
    pegged: readonly Announced[]
    before: readonly OutputRow[]
  },
): { rows: OutputRow[]; doubts: { row: OutputRow; leg: WatchedLeg }[] } {
  const free = [...a.pegged]
  // Of a transaction of thousands of outputs not all are kept that were announced, and all were announced with the others.
  const firstSeen = new Map(a.announced.map((one) => [one.txid, one.firstSeen]))
  const doubts: { row: OutputRow; leg: WatchedLeg }[] = []
  const rows = a.found.flatMap(({ block, output }): OutputRow[] => {
    const { header, height } = block
    const own = a.legs.filter((leg) => leg.script === output.script)
    const { amount } = output
    // The last that was given it has waited least.
    const newest = own.at(-1)
    if (newest === undefined || amount <= 0n) return []
    // Out of Litecoin's extension block a payment comes under another id: script and amount tell that it is the same.
    const at = output.kind === 'peg_out' ? free.findIndex((one) => isSamePayment(one, output)) : -1
    const [pegged] = at < 0 ? [] : free.splice(at, 1)
    const earlier = pegged ?? a.announced.find((one) => one.txid === output.txid && one.vout === output.vout) ?? null
    const known = a.before.find((row) => row.txid === output.txid && row.vout === output.vout)
    const announcedAt = earlier?.firstSeen ?? firstSeen.get(output.txid) ?? null
    // What waited for more than the day it had comes when its block does: a rate is held for a day, not for ever.
    const isHeld = announcedAt !== null && header.time <= newest.lateAfter
    const seenAt = known?.seenAt ?? (isHeld && announcedAt < header.time ? announcedAt : header.time)
    const { leg, doubt } = ownerOf(own, { amount, seenAt }) ?? { leg: newest, doubt: null }
    const legRef = own.find((one) => one.ref === earlier?.legRef && one.orderRef === leg.orderRef)?.ref ?? leg.ref
    const row: OutputRow = {
      ...{ key: known?.key ?? keyOf(chain.id, earlier?.txid ?? output.txid, earlier?.vout ?? output.vout) },
      ...{ txid: output.txid, vout: output.vout, legRef, orderRef: leg.orderRef },
      ...{ script: output.script, amount, height, blockHash: header.hash, kind: output.kind },
      seenAt: seenAt < leg.createdAt ? leg.createdAt : seenAt,
      // What was deep enough stays so where a reorg only moved it.
      state: known?.state ?? 'seen',
    }
    if (doubt !== null && known === undefined) doubts.push({ row, leg: doubt })
    return [row]
  })
  return { rows, doubts }
}

function sumByLeg(rows: readonly OutputRow[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { legRef, amount } of rows) sums.set(legRef, (sums.get(legRef) ?? 0n) + amount)
  return sums
}

const isSamePayment = (a: Announced, b: FoundOutput): boolean => a.script === b.script && a.amount === b.amount

/** Announcements that a block has, and those whose money another transaction of a block took. */
async function endPool(
  tx: Tx,
  chain: UtxoChain,
  a: { rows: readonly OutputRow[]; blocks: readonly ScannedBlock[] },
): Promise<Reported[]> {
  const mined = a.rows.map((row) => row.key.split(':')[1] ?? '')
  if (mined.length > 0) await endAnnounced(tx, { chain: chain.id, txids: mined, state: 'mined', rival: null })
  const spends = a.blocks.flatMap((block) => block.spends)
  if (spends.length === 0) return []
  const waiting = await listWaiting(tx, chain.id)
  const dropped: Reported[] = []
  for (const row of waiting) {
    const spend = spends.find((one) => one.txid !== row.txid && row.inputs.includes(one.outpoint))
    if (spend === undefined) continue
    await endAnnounced(tx, { chain: chain.id, txids: [row.txid], state: 'gone', rival: spend.txid })
    dropped.push({
      orderRef: row.orderRef,
      fact: { kind: 'payment_dropped', key: keyOf(chain.id, row.txid, row.vout) },
    })
  }
  return dropped
}
