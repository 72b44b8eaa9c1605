// Records a branch: what left the chain and what came, in one commit under the chain's lease. A payment that a reorg only
// moved to another block has not left: nobody hears of it.
import { holdLease, type Lease } from '@florin/platform/db/lease'
import { type Tx, withTx } from '@florin/platform/db/tx'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { addressOf } from '../chain/script.ts'
import type { LostPayment, UtxoContext } from '../context.ts'
import type { KnownBlock } from '../node/branch.ts'
import { coinOf } from '../settings/coin.ts'
import type { UtxoChain } from '../settings/config.ts'
import { type DraftSpend, type Drawn, freeDraftSpends, listDrawn, noteDraftSpends } from './drafts.store.ts'
import { seenAtOf } from './in-time.ts'
import { listRefundsDoneAbove } from './money.store.ts'
import { ownerOf } from './owners.ts'
import { type Announced, awaitAgain, endAnnounced, isSamePayment, listAnnounced, listWaiting } from './pool.store.ts'
import { refundFacts } from './refunds.ts'
import type { FoundOutput, ScannedBlock } from './scripts.ts'
import { accountFor, keyOf, type Reported } from './settle.ts'
import {
  confirmOutputs,
  insertOutputs,
  listLegsOf,
  listOutputsAbove,
  listSeenBefore,
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
  const seenBefore = await listSeenBefore(
    tx,
    chain.id,
    found.map(({ output }) => output.txid),
  )
  const spends = a.blocks.flatMap((block) => block.spends)
  const waiting = spends.length === 0 ? [] : await listWaiting(tx, chain.id)
  const replaced = replacedBy(waiting, spends)
  const { rows, doubts, lost } = toRows(chain, {
    found,
    legs,
    announced,
    pegged,
    before,
    seenBefore,
    replaced,
    readAt: now,
  })
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
  if (lost.length > 0) await parts.addresses.paidLost?.(tx, lost, now)
  const dropped = await endPool(tx, chain, { rows, spends })
  const confirmed = await confirmOutputs(tx, chain.id, top.height)
  const { left, final } = await accountFor(
    tx,
    [...before, ...confirmed].map((row) => row.legRef),
    sumByLeg(confirmed),
  )
  const stays = new Set(rows.map((row) => row.key))
  const gone = before.filter((row) => !stays.has(row.key))
  if (isReorg) await freeDraftSpends(tx, chain.id, a.fork.height)
  await noteDraftSpends(tx, spends.length === 0 ? [] : draftSpendsOf(await listDrawn(tx, chain.id), a.blocks))
  const refunds = await refundFacts(tx, chain, { undone, legs, ...parts, ...a, now })
  const blocks = a.blocks.map(({ height, header }) => ({ height, ...header }))
  await replaceBlocks(tx, chain.id, { fork: a.fork.height, blocks })
  await moveCursor(tx, { chain: chain.id, to: { height: top.height, ...top.header }, head: a.head, now })
  const timeAt = new Map(a.blocks.map(({ height, header }) => [height, header.time]))
  const of = (row: OutputRow, fact: RailFact): Reported => ({ orderRef: row.orderRef, fact })
  return [
    ...left,
    ...refunds.left,
    ...gone.map((row) => of(row, { kind: 'payment_orphaned', key: row.key })),
    ...dropped,
    ...rows.map((row) => of(row, seenFact(chain, row, timeAt.get(row.height)))),
    ...doubts.map(({ row, leg }) => doubtOf(chain, row, leg)),
    ...confirmed.map((row) => of(row, { kind: 'payment_confirmed', key: row.key })),
    ...final,
    ...refunds.made,
  ]
}

export const seenFact = (chain: UtxoChain, row: OutputRow, minedAt: Date | undefined): RailFact => ({
  ...{ kind: 'payment_seen', key: row.key, legRef: row.legRef, txHash: row.txid, outputIndex: row.vout },
  ...{ asset: coinOf(chain.id), amount: row.amount, from: null, height: BigInt(row.height), seenAt: row.seenAt },
  minedAt: minedAt ?? null,
  floor: chain.refundCostSat,
})

/** The address was given to both orders: the older one has the money, and a person decides. */
const doubtOf = (
  chain: UtxoChain,
  row: Pick<OutputRow, 'script' | 'amount' | 'txid'>,
  newer: WatchedLeg,
): Reported => ({
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
    /** By `txid:vout`. */
    seenBefore: ReadonlyMap<string, Date>
    /** By the id of what replaces them. */
    replaced: ReadonlyMap<string, Announced[]>
    readAt: Date
  },
): {
  rows: OutputRow[]
  doubts: { row: Pick<OutputRow, 'script' | 'amount' | 'txid'>; leg: WatchedLeg }[]
  lost: LostPayment[]
} {
  const free = [...a.pegged]
  // Of a transaction of thousands of outputs not all are kept that were announced, and all were announced with the others.
  const firstSeen = new Map(a.announced.map((one) => [one.txid, one.firstSeen]))
  const doubts: ReturnType<typeof toRows>['doubts'] = []
  const lost: LostPayment[] = []
  const bumpedAt = (output: FoundOutput): Date | undefined => {
    const some = a.replaced.get(output.txid) ?? []
    const at = some.findIndex((one) => isSamePayment(one, output))
    return at < 0 ? undefined : some.splice(at, 1)[0]?.firstSeen
  }
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
    const ownAt = earlier?.firstSeen ?? firstSeen.get(output.txid)
    const times = [ownAt, bumpedAt(output), a.seenBefore.get(`${output.txid}:${output.vout}`)]
    const announcedAt = times.reduce<Date | null>(
      (first, at) => (at === undefined || (first !== null && first <= at) ? first : at),
      null,
    )
    const mined = { headerTime: header.time, readAt: a.readAt, lateAfter: newest.lateAfter }
    const seenAt = known?.seenAt ?? seenAtOf({ announcedAt, ...mined })
    const { leg, doubt } = ownerOf(own, { amount, seenAt }) ?? { leg: newest, doubt: null }
    if (leg.isLost) {
      lost.push(lostPayment(chain, output, leg))
      if (doubt !== null) doubts.push({ row: output, leg: doubt })
      return []
    }
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
  return { rows, doubts, lost }
}

const lostPayment = (chain: UtxoChain, output: FoundOutput, leg: WatchedLeg): LostPayment => ({
  ...{ account: leg.account ?? '', orderRef: leg.orderRef, chain: chain.id, asset: chain.asset },
  ...{ livemode: chain.mode === 'live', address: addressOf(chain.network, output.script) ?? output.script },
  ...{ amount: output.amount, txid: output.txid, vout: output.vout },
})

function sumByLeg(rows: readonly OutputRow[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { legRef, amount } of rows) sums.set(legRef, (sums.get(legRef) ?? 0n) + amount)
  return sums
}

function draftSpendsOf(drawn: readonly Drawn[], blocks: readonly ScannedBlock[]): DraftSpend[] {
  return blocks.flatMap(({ height, spends, outputs }) =>
    spends.flatMap(({ outpoint, txid }) =>
      drawn
        .filter((row) => row.inputs.includes(outpoint))
        .map(({ refundId, script, owed }): DraftSpend => {
          const pays = outputs.some((one) => one.txid === txid && one.script === script && one.amount >= owed)
          return { refundId, txid, height, pays }
        }),
    ),
  )
}

/** Announcements whose coins a transaction of these blocks spends, by its id. */
function replacedBy(
  waiting: readonly Announced[],
  spends: readonly { outpoint: string; txid: string }[],
): ReadonlyMap<string, Announced[]> {
  const found = new Map<string, Announced[]>()
  for (const row of waiting) {
    const spend = spends.find((one) => one.txid !== row.txid && row.inputs.includes(one.outpoint))
    if (spend !== undefined) found.set(spend.txid, [...(found.get(spend.txid) ?? []), row])
  }
  return found
}

/** Announcements that a block has, and those whose money another transaction of a block took. */
async function endPool(
  tx: Tx,
  chain: UtxoChain,
  a: { rows: readonly OutputRow[]; spends: ScannedBlock['spends'] },
): Promise<Reported[]> {
  const mined = a.rows.map((row) => row.key.split(':')[1] ?? '')
  if (mined.length > 0) await endAnnounced(tx, { chain: chain.id, txids: mined, state: 'mined', rival: null })
  if (a.spends.length === 0) return []
  const dropped: Reported[] = []
  for (const [rival, rows] of replacedBy(await listWaiting(tx, chain.id), a.spends)) {
    for (const row of rows) {
      await endAnnounced(tx, { chain: chain.id, txids: [row.txid], state: 'gone', rival })
      dropped.push({
        orderRef: row.orderRef,
        fact: { kind: 'payment_dropped', key: keyOf(chain.id, row.txid, row.vout) },
      })
    }
  }
  return dropped
}
