// Reads a node's mempool: payments of ours that are announced, and what becomes of those that vanish from it. All of it
// is information; money counts from its first block on.
import { chunksOf } from '@florin/platform/chunks'
import { holdLease } from '@florin/platform/db/lease'
import { withTx } from '@florin/platform/db/tx'
import { parseDecimal } from '@florin/platform/money'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { noteAnnounced } from '../address/waits.store.ts'
import { BadBlock, type ReadTransaction, readTransaction } from '../chain/block.ts'
import { NodeRefused } from '../node/rpc.ts'
import type { OwnNode } from '../node/view.ts'
import { coinOf } from '../settings/coin.ts'
import { type DraftSpend, listDrawn, noteAnnouncedRefunds, noteDraftSpends } from './drafts.store.ts'
import { earlierOf, enteredAt } from './in-time.ts'
import { ownerOf } from './owners.ts'
import { type Announced, endAnnounced, insertAnnounced, isSamePayment, listWaiting } from './pool.store.ts'
import { LEASE_MS, type Written } from './record.ts'
import type { ScriptSet } from './scripts.ts'
import { keyOf, type Reported } from './settle.ts'
import { listLegsOf } from './watch.store.ts'

/** New transactions read in one round; the rest comes with the next. */
const A_ROUND = 2_000
const A_REQUEST = 250
/** Of one transaction so many outputs are announced: whoever makes more of them is told of by its block. */
const OUTPUTS_MOST = 100

export interface PoolReader {
  /**
   * One round, after the blocks up to `tip` were read.
   * @param a.since when blocks and mempool were last read to their end, by any process
   * @returns whether the mempool was read to its end.
   */
  read(written: Written, a: { tip: string; since: Date | null }): Promise<boolean>
  /** When a transaction was first read in the mempool; null: it was not there, or long before its block. */
  firstSeen(txid: string): Date | null
}

interface Payment {
  transaction: ReadTransaction
  outputs: { vout: number; amount: bigint; script: string }[]
  raw: string | null
}

export function poolReader(node: OwnNode, scripts: ScriptSet): PoolReader {
  const known = new Map<string, Date>()
  /** What left with the last round: a block that came during it is read next. */
  let left = new Map<string, Date>()
  /** When this process last began to read it to its end: what is new here came since. */
  let readFrom: Date | null = null

  async function fetch(ids: readonly string[]): Promise<Payment[]> {
    const found: Payment[] = []
    for (const some of chunksOf(ids, A_REQUEST)) {
      const raws = await node.rpc.batch<string>(
        some.map((id) => ({ method: 'getrawtransaction', params: [id, false] })),
      )
      for (const [n, raw] of raws.entries()) {
        const payment = raw === null ? null : await paymentOf(some[n] ?? '', raw)
        if (payment !== null) found.push(payment)
      }
    }
    return found
  }

  async function paymentOf(txid: string, raw: string): Promise<Payment | null> {
    try {
      const transaction = readTransaction(Buffer.from(raw, 'hex'))
      const outputs = transaction.outputs
        .map((output, vout) => ({ ...output, vout }))
        .filter((output) => scripts.has(output.script))
      // What pays out of the extension block stands in a part that only the node reads.
      const pegged = transaction.isMweb ? (await pegOuts(txid)).filter((output) => scripts.has(output.script)) : []
      return {
        transaction: { ...transaction, txid },
        outputs: [...outputs, ...pegged].slice(0, OUTPUTS_MOST),
        raw: transaction.isMweb || outputs.length === 0 ? null : raw,
      }
    } catch (error) {
      // One that we cannot read is met again in its block.
      if (error instanceof BadBlock || error instanceof NodeRefused) return null
      throw error
    }
  }

  async function pegOuts(txid: string): Promise<Payment['outputs']> {
    const told = await node.rpc.call<{
      vkern?: { pegout?: { value: string; scriptPubKey: { hex: string } }[] }[]
    }>('getrawtransaction', txid, true)
    const all = (told.vkern ?? []).flatMap((kernel) => kernel.pegout ?? [])
    return all.flatMap(({ value, scriptPubKey }, vout) => {
      const amount = parseDecimal(String(value), 8)
      return amount === null || amount <= 0n ? [] : [{ vout, amount, script: scriptPubKey.hex }]
    })
  }

  async function entryOf(txid: string): Promise<Pick<Announced, 'feeRate' | 'ancestors'> & { told: Date | null }> {
    const entry = await node.rpc
      .call<{ vsize: number; time?: number; ancestorcount?: number; fees?: { base: number } }>('getmempoolentry', txid)
      .catch(() => null)
    const fee = entry?.fees === undefined ? null : parseDecimal(entry.fees.base.toFixed(8), 8)
    const told = entry?.time === undefined ? null : new Date(entry.time * 1_000)
    if (entry === null || fee === null || !(entry.vsize > 0)) return { feeRate: null, ancestors: null, told }
    const thousandths = (fee * 1_000n) / BigInt(Math.ceil(entry.vsize))
    const feeRate = `${thousandths / 1_000n}.${String(thousandths % 1_000n).padStart(3, '0')}`
    return { feeRate, ancestors: entry.ancestorcount ?? null, told }
  }

  return {
    async read(written, { tip, since }) {
      const { chain, parts } = written
      const began = parts.clock.now()
      const ids = await node.rpc.call<string[]>('getrawmempool')
      const readAt = parts.clock.now()
      const present = new Set(ids)
      const fresh = ids.filter((id) => !known.has(id)).slice(0, A_ROUND)
      const fetched = await fetch(fresh)
      const waiting = await listWaiting(parts.sql, chain.id)
      const rivals = new Map<string, string>()
      for (const { transaction } of fetched) {
        for (const { txid, vout } of transaction.inputs) rivals.set(`${txid}:${vout}`, transaction.txid)
      }
      const announced: Announced[] = []
      const firstSeen = new Map(fresh.map((id) => [id, readAt]))
      for (const { transaction, outputs, raw } of fetched.filter((one) => one.outputs.length > 0)) {
        const { told, ...fee } = await entryOf(transaction.txid)
        // The node knows better when it came, to the second. An address of an order was looked for before anybody saw it, so
        // whichever process read the mempool last would have found it; what may be a refund was perhaps not looked for then.
        const toldLast = told === null ? null : new Date(told.getTime() + 999)
        firstSeen.set(transaction.txid, enteredAt({ told: toldLast, readAt, since: readFrom }))
        const paidAt = enteredAt({ told, readAt, since })
        for (const { vout, amount, script } of outputs) {
          announced.push({
            ...{ txid: transaction.txid, vout, script, amount, raw, isMweb: transaction.isMweb, ...fee },
            inputs: transaction.inputs.map((input) => `${input.txid}:${input.vout}`),
            ...{ legRef: '', orderRef: '', firstSeen: paidAt },
          })
        }
      }
      const ended = new Map<string, string | null>()
      for (const [txid, rows] of Map.groupBy(waiting, (row) => row.txid)) {
        const rival = rows[0]?.inputs.map((input) => rivals.get(input)).find((id) => id !== undefined && id !== txid)
        if (rival !== undefined) ended.set(txid, rival)
        else if (!present.has(txid) && (await isGone(rows.find(({ raw }) => raw !== null)?.raw ?? null)))
          ended.set(txid, null)
      }
      // A block that came meanwhile explains what vanished: it is read first.
      if (ended.size > 0 && (await node.tip()).hash !== tip) return false
      await record(written, {
        announced,
        firstSeen,
        ended,
        waiting,
        draftSpends: await draftSpendsIn(written, fetched),
      })
      left = new Map([...known].filter(([id]) => !present.has(id)))
      for (const id of left.keys()) known.delete(id)
      for (const [id, at] of firstSeen) known.set(id, at)
      const isWhole = known.size === present.size
      readFrom = isWhole ? began : null
      return isWhole
    },
    firstSeen: (txid) => known.get(txid) ?? left.get(txid) ?? null,
  }

  /** Offers it again: a node forgets what waits for two weeks, and one that restarts may have forgotten everything. */
  async function isGone(raw: string | null): Promise<boolean> {
    if (raw === null) return true
    try {
      await node.rpc.call('sendrawtransaction', raw)
      return false
    } catch (error) {
      if (!(error instanceof NodeRefused)) throw error
      // −27: it is in a block that was not read yet.
      return error.code === -26 || error.code === -25
    }
  }
}

/** A refund that was drawn up, read after the mempool: what pays it was signed later. */
async function draftSpendsIn({ chain, parts }: Written, fetched: readonly Payment[]): Promise<DraftSpend[]> {
  const drawn = fetched.length === 0 ? [] : await listDrawn(parts.sql, chain.id)
  const byCoin = Map.groupBy(
    drawn.flatMap((row) => row.inputs.map((coin) => ({ coin, row }))),
    (one) => one.coin,
  )
  return fetched.flatMap(({ transaction, outputs }) =>
    transaction.inputs.flatMap(({ txid, vout }) =>
      (byCoin.get(`${txid}:${vout}`) ?? []).map(({ row }): DraftSpend => {
        const pays = outputs.some((one) => one.script === row.script && one.amount >= row.owed)
        return { refundId: row.refundId, txid: transaction.txid, height: null, pays }
      }),
    ),
  )
}

interface Round {
  draftSpends: readonly DraftSpend[]
  announced: readonly Announced[]
  firstSeen: ReadonlyMap<string, Date>
  ended: ReadonlyMap<string, string | null>
  waiting: readonly Announced[]
}

async function record(
  { chain, parts, lease }: Written,
  { announced, firstSeen, ended, waiting, draftSpends }: Round,
): Promise<void> {
  if (announced.length === 0 && ended.size === 0 && draftSpends.length === 0) return
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
    const legs = await listLegsOf(tx, chain.id, [...new Set(announced.map((one) => one.script))])
    const kept = new Set<string>()
    const bumped = [...waiting]
    const rows = announced.flatMap((one): Announced[] => {
      const own = legs.filter((leg) => leg.script === one.script)
      // A bump of the fee is the payment that it replaces, under another id.
      const replaced = bumped.findIndex((row) => ended.get(row.txid) === one.txid && isSamePayment(row, one))
      const [earlier] = replaced < 0 ? [] : bumped.splice(replaced, 1)
      const firstSeen = earlier === undefined ? one.firstSeen : earlierOf(earlier.firstSeen, one.firstSeen)
      const owner = ownerOf(own, { amount: one.amount, seenAt: firstSeen })
      // Its block tells of money of a lost order.
      if (owner === null || owner.leg.isLost) return []
      const raw = kept.has(one.txid) ? null : one.raw
      kept.add(one.txid)
      const { ref: legRef, orderRef, createdAt } = owner.leg
      return [{ ...one, raw, legRef, orderRef, firstSeen: firstSeen < createdAt ? createdAt : firstSeen }]
    })
    // What pays no order may pay back: not what was there before it was asked for.
    const others = announced.filter((one) => !legs.some((leg) => leg.script === one.script))
    await noteAnnounced(
      tx,
      chain.id,
      others.map(({ txid }) => ({ txid, firstSeen: firstSeen.get(txid) ?? now })),
    )
    await noteAnnouncedRefunds(
      tx,
      chain.id,
      others.map((one) => ({ ...one, firstSeen: firstSeen.get(one.txid) ?? now })),
    )
    await noteDraftSpends(tx, draftSpends)
    const facts: Reported[] = []
    for (const row of waiting) {
      const rival = ended.get(row.txid)
      if (rival === undefined) continue
      await endAnnounced(tx, { chain: chain.id, txids: [row.txid], state: 'gone', rival })
      facts.push({
        orderRef: row.orderRef,
        fact: { kind: 'payment_dropped', key: keyOf(chain.id, row.txid, row.vout) },
      })
    }
    const fresh = await insertAnnounced(tx, chain.id, rows)
    const places = legs.flatMap(({ account, index }) =>
      account === null || index === null ? [] : [{ account, index }],
    )
    if (places.length > 0) await parts.addresses.announced?.(tx, places, now)
    for (const row of rows.filter((one) => fresh.has(`${one.txid}:${one.vout}`))) {
      facts.push({
        orderRef: row.orderRef,
        fact: {
          ...{ kind: 'payment_unconfirmed', key: keyOf(chain.id, row.txid, row.vout), legRef: row.legRef },
          ...{ txHash: row.txid, outputIndex: row.vout, asset: coinOf(chain.id), amount: row.amount, from: null },
          ...{ seenAt: row.firstSeen, floor: chain.refundCostSat },
        },
      })
    }
    await reportFactsOfMany(tx, { rail: 'utxo', facts, now })
  })
  parts.wake.facts.fire()
}
