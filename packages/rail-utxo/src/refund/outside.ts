// Refunds that a merchant pays from an own wallet after the settlement, verified on the chain: the transaction that was named
// is looked for in blocks, read backwards by our own parser, and has to have an output of the asked amount to the address. Of what
// it spends is told whose coins they were.
import { AppError } from '@florin/platform/errors'
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import {
  BEFORE_IT_WAS_ASKED,
  CLOCKS_APART_MS,
  type OutsideSeen,
  type OutsideTransfer,
  type OutsideTransfers,
  type OutsideVerdict,
} from '@florin/rail-kit/interface/outside'
import { findScript, shownAddress, uriOfRefund } from '../address/payees.ts'
import { spendersOf } from '../address/spenders.ts'
import { listFirstSeen, listPaying, WATCH_DAYS, watchPayee } from '../address/waits.store.ts'
import { readBlock } from '../chain/block.ts'
import { dustOf } from '../chain/networks.ts'
import { type Spend, spendsIn } from '../chain/spends.ts'
import type { UtxoContext } from '../context.ts'
import { HostFailed } from '../node/http.ts'
import type { BlockSource, Sources } from '../node/view.ts'
import type { UtxoChain } from '../settings/config.ts'
import { findCursor } from '../watch/watch.store.ts'
import { findTaken } from './refund.store.ts'

/** One look reads so many blocks; the next goes on where it ended. A host is asked for fewer. */
const A_LOOK = 50
const A_LOOK_OF_HOSTS = 6
/** A block's time may be so much before the moment it was made in. */
const SKEW_MS = 2 * HOUR_MS
const LOOKS_KEPT = 200

/** A transaction was looked for in the blocks of these heights. */
interface Looked {
  low: number
  high: number
  /** The blocks below are older than what it pays back. */
  isAll: boolean
}

export function outsideTransfers(
  { sql, clock, addresses }: Pick<UtxoContext, 'sql' | 'clock' | 'addresses'>,
  chains: ReadonlyMap<string, UtxoChain>,
  sourcesOf: (chain: UtxoChain) => Sources,
): OutsideTransfers {
  const looked = new Map<string, Looked>()
  const chainOf = (a: Pick<OutsideTransfer, 'livemode' | 'asset'>): UtxoChain | null => {
    const chain = chains.get(a.asset.chain)
    const isOurs = chain !== undefined && chain.asset === a.asset.asset && (chain.mode === 'live') === a.livemode
    return isOurs ? chain : null
  }
  const scriptOf = ({ asset, livemode, to }: Pick<OutsideTransfer, 'asset' | 'livemode' | 'to'>): string => {
    const script = findScript({ chain: asset.chain, livemode, to })
    if (script === null) throw new Error(`a refund on ${asset.chain} names an address that is none there`)
    return script
  }
  return {
    hasOwner: true,
    sees: (a) => chainOf(a) !== null,
    request(a) {
      const asked = { chain: a.asset.chain, livemode: a.livemode, script: scriptOf(a), amount: a.amount }
      return { uri: uriOfRefund(asked) ?? a.to, to: shownAddress(asked) ?? a.to, transaction: null }
    },
    async begin(a) {
      requireRelayed(a)
      const now = clock.now()
      const watchUntil = new Date(now.getTime() + WATCH_DAYS * DAY_MS)
      return watchPayee(sql, { chain: a.asset.chain, script: scriptOf(a), watchUntil })
    },
    async isStillFree(tx, { key, partOf }) {
      const [chain = '', txid = '', vout] = key.split(':')
      const output = { chain, txid, vout: Number(vout), key: `${chain}:${txid}:${vout}` }
      const taken = await findTaken(tx, output)
      return partOf === undefined ? taken.byRail === 0 : taken.amount <= partOf
    },
    // Coins have no sender: who paid is the merchant's own word, so the transaction has to be named.
    search: async ({ after }) => ({ found: [], upTo: after }),
    async look(a) {
      const chain = chainOf(a)
      const txid = a.txHash.toLowerCase()
      if (chain === null) throw new Error(`${a.asset.asset} on ${a.asset.chain} is not on this rail`)
      if (!/^[0-9a-f]{64}$/.test(txid))
        return { kind: 'other', why: 'This is no transaction id: it has 64 letters and digits.' }
      return lookFor(chain, { ...a, txid, script: scriptOf(a) })
    },
  }

  /** @throws AppError refund_not_possible */
  function requireRelayed(a: Pick<OutsideTransfer, 'livemode' | 'asset' | 'to' | 'amount'>): void {
    const chain = chainOf(a)
    const least = chain === null ? 0n : dustOf(chain.network, scriptOf(a))
    if (a.amount <= 0n || a.amount >= least) return
    const asked = `${a.amount} smallest units of ${a.asset.asset}`
    throw new AppError('refund_not_possible', {
      message: `No node relays a payment of ${asked} to this address: it takes at least ${least}.`,
    })
  }

  async function lookFor(
    chain: UtxoChain,
    a: OutsideTransfer & { txid: string; script: string },
  ): Promise<OutsideVerdict> {
    const { node, hosts } = sourcesOf(chain)
    const source = node ?? hosts[0]
    const cursor = await findCursor(sql, chain.id)
    if (source === undefined || cursor === null) return { kind: 'waiting' }
    const since = new Date(a.notBefore.getTime() - SKEW_MS)
    // As deep as a large order's payment has to be.
    const top = cursor.height - (chain.depths.at(-1)?.blocks ?? 1) + 1
    const so = looked.get(a.txid) ?? { low: top + 1, high: top, isAll: false }
    for (const height of heightsFor(so, top, node === null ? A_LOOK_OF_HOSTS : A_LOOK)) {
      const { time, found } = await transactionIn(source, height, a.txid)
      if (found !== null) {
        looked.delete(a.txid)
        if (time < since) return { kind: 'other', why: 'The transaction is older than the order.' }
        if (await isBefore(chain, a, height)) return { kind: 'other', why: BEFORE_IT_WAS_ASKED }
        const verdict = await judge(chain, a, found)
        if (verdict.kind !== 'found') return verdict
        const madeBy = new Date(time.getTime() + CLOCKS_APART_MS.slow)
        return { kind: 'found', transfers: verdict.transfers.map((one) => ({ ...one, madeBy })) }
      }
      if (height > so.high) so.high = height
      else so.low = height
      if (time < since) so.isAll = true
    }
    if (looked.size >= LOOKS_KEPT) looked.delete(looked.keys().next().value ?? '')
    looked.set(a.txid, so)
    return { kind: 'waiting' }
  }

  /** Whoever asks for what the chain shows already asks for what somebody else paid, or for something else. */
  async function isBefore({ id }: UtxoChain, { asked, txid }: OutsideTransfer & { txid: string }, height: number) {
    if (asked == null) return false
    // When it was announced says more than its block: after a reorg a new one has an old height.
    const firstSeen = (await listFirstSeen(sql, id, [txid])).get(txid)
    return firstSeen === undefined ? BigInt(height) < asked.fromHeight : firstSeen < asked.at
  }

  async function judge(
    chain: UtxoChain,
    a: OutsideTransfer & { txid: string; script: string },
    { outputs, spends }: Found,
  ): Promise<OutsideVerdict> {
    const to = outputs.filter((one) => one.script === a.script)
    const { asset } = chain
    // One output of the merchant's own coins pays as many refunds as it is large enough for.
    const least = a.amount
    if (!to.some((one) => one.amount >= least)) {
      const moved = to.map((one) => String(one.amount)).join(' and ')
      const payee = shownAddress({ ...a, chain: chain.id }) ?? a.to
      const why =
        to.length === 0
          ? `The transaction moves no ${asset} to ${payee}.`
          : `The transaction moves ${moved} smallest units of ${asset} to ${payee}, not ${a.amount}.`
      return { kind: 'other', why }
    }
    const merchants = await spendersOf(sql, { chain: chain.id, spends, addresses })
    const isPayment = (await listPaying(sql, chain.id, [a.txid])).has(a.txid)
    const seen = { txHash: a.txid, from: null, merchants, isPayment }
    const free: OutsideSeen[] = []
    let left = 0n
    for (const { vout, amount } of to) {
      const key = `${chain.id}:${a.txid}:${vout}`
      const taken = await findTaken(sql, { chain: chain.id, txid: a.txid, vout, key })
      if (amount - taken.amount > left) left = amount - taken.amount
      // What counts for another refund after the settlement is for who asked to tell.
      if (amount === least && taken.byRail === 0) free.push({ ...seen, key, amount })
      else if (amount > least && amount - taken.amount >= least)
        free.push({ ...seen, key: taken.count === 0 ? key : `${key}:${taken.count}`, amount: least, partOf: amount })
    }
    if (free.length > 0) return { kind: 'found', transfers: free }
    const rest = left === 0n ? 'nothing of it is' : `${left} smallest units of ${asset} are`
    return {
      kind: 'other',
      why: `This transfer counts already, for another refund: ${rest} left, and this refund needs ${least}.`,
    }
  }
}

interface Found {
  outputs: Output[]
  spends: Spend[]
}

interface Output {
  vout: number
  script: string
  amount: bigint
}

/** What is new above first, then further back. Pure. */
function heightsFor(so: Looked, top: number, most: number): number[] {
  const above = Array.from({ length: Math.max(0, top - so.high) }, (_, n) => so.high + 1 + n)
  const below = so.isAll
    ? []
    : Array.from({ length: Math.min(most, Math.max(0, so.low - 1)) }, (_, n) => so.low - 1 - n)
  return [...above, ...below].slice(0, most)
}

/** @returns what it pays and spends; null: this block does not have it. */
async function transactionIn(
  source: BlockSource,
  height: number,
  txid: string,
): Promise<{ time: Date; found: Found | null }> {
  const hash = await source.hashAt(height)
  if (hash === null) throw new HostFailed(`${source.name}: it has no block ${height} below its own tip`)
  const raw = await source.block(hash)
  const all: (Output & { tx: number })[] = []
  const block = readBlock(raw, {
    output({ tx, index }, amountAt, at, length) {
      const script = length > SCRIPT_MOST ? '' : raw.toString('hex', at, at + length)
      all.push({ tx, vout: index, script, amount: raw.readBigUInt64LE(amountAt) })
    },
    input: () => undefined,
  })
  if (block.header.hash !== hash) throw new HostFailed(`${source.name}: it gave another block than ${hash}`)
  for (let tx = 0; tx < block.count; tx++)
    if (block.txids(tx) === txid) {
      const outputs = all.filter((one) => one.tx === tx)
      return { time: block.header.time, found: { outputs, spends: spendsIn(raw, block.bounds(tx)) } }
    }
  return { time: block.header.time, found: null }
}

/** No script that an address stands for is longer. */
const SCRIPT_MOST = 34
