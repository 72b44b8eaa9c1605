// What a node can tell of the addresses of an account that were used before: coins that lie there now, and blocks read
// backwards by our own parser. A node without an index of addresses knows no more; one with block filters (scanblocks)
// says which blocks to read. Hosts are not asked: they would have to be asked for addresses, or for years of blocks.
import { type Account, type AccountAddress, deriveAddresses } from '@florin/accounts'
import { BadBlock, readBlock } from '../chain/block.ts'
import type { NodeSettings } from '../settings/config.ts'
import { HostFailed } from './http.ts'
import { NodeRefused, type NodeRpc, nodeRpc } from './rpc.ts'
import { BlockPruned, type OwnNode } from './view.ts'

/** Beyond the last that was used: many times what wallets look ahead. */
const RANGE = 1_000
const RANGE_MOST = 10_000
/** The node walks through every coin that there is. */
const SCAN_MS = 600_000
/** One part; the next goes on with another account's. */
const PART_MS = 1_000
const HASHES = 50
const PIECE = 20
/** Of a busy shop's blocks the newest have its highest addresses. */
const FILTERED_MOST = 2_000

/** @returns the highest index that holds coins; `unknown`: the node does not answer this question. */
export async function highestUnspent(node: NodeSettings, account: Account): Promise<bigint | 'none' | 'unknown'> {
  const rpc = nodeRpc(node, { timeoutMs: SCAN_MS })
  for (let range = RANGE; ; range = RANGE_MOST) {
    const scripts = await unspentScripts(rpc, account, range)
    if (scripts === null) return 'unknown'
    if (scripts.size === 0) return 'none'
    let last: number | null = null
    for (let from = 0; from < range && scripts.size > 0; from += PIECE) {
      for (const { index, scriptPubKey } of await derive(account, from, PIECE))
        if (scripts.delete(scriptPubKey)) last = index
    }
    if (last === null) return 'none'
    if (range === RANGE_MOST || last < range - 100) return BigInt(last)
  }
}

async function unspentScripts(rpc: NodeRpc, account: Account, range: number): Promise<Set<string> | null> {
  const scan = async (what: unknown[]): Promise<Set<string>> => {
    const { unspents } = await rpc.call<{ unspents: { scriptPubKey: string }[] }>('scantxoutset', 'start', what)
    return new Set(unspents.map((one) => one.scriptPubKey))
  }
  try {
    return await scan([{ desc: account.descriptor, range: [0, range - 1] }])
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error
    // Another scan runs: later.
    if (/in progress/i.test(error.message)) throw error
    // Litecoin's node knows no `tr()`, but every script as it is.
    if (error.code === METHOD_NOT_FOUND || account.script !== 'tr') return null
  }
  const scripts = (await derive(account, 0, range)).map((one) => `raw(${one.scriptPubKey})`)
  return scan(scripts).catch((error: unknown) => {
    if (error instanceof NodeRefused && !/in progress/i.test(error.message)) return null
    throw error
  })
}

const METHOD_NOT_FOUND = -32_601

export interface Part {
  account: Account
  top: bigint | null
  readDownTo: bigint | null
  usedBelow: bigint
  from: bigint
  signal?: AbortSignal
}

export interface Read {
  highest: bigint | null
  top: bigint | null
  readDownTo: bigint | null
  end: 'whole' | 'part' | 'none' | null
}

/** @param a.blocksMost how far back it is read. */
export function historyReader(node: OwnNode, settings: NodeSettings, a: { blocksMost: number }) {
  const looked = new Map<string, { from: number; indexes: Map<string, bigint> }>()

  return async function read(part: Part): Promise<Read> {
    if (a.blocksMost === 0) return { highest: null, top: part.top, readDownTo: part.readDownTo, end: 'none' }
    const scripts = await scriptsOf(part)
    const top = part.top ?? BigInt((await node.tip()).height)
    if (part.readDownTo === null) {
      const filtered = await byFilters(part.account, scripts, part.signal)
      if (filtered !== null) return { ...filtered, top, readDownTo: filtered.end === 'whole' ? 0n : null }
    }
    const lowest = top - BigInt(a.blocksMost) + 1n
    const until = performance.now() + PART_MS
    let highest: bigint | null = null
    let downTo = part.readDownTo
    const done = (end: Read['end']): Read => ({ highest, top, readDownTo: downTo, end })
    while (performance.now() < until && part.signal?.aborted !== true) {
      const next = (downTo ?? top + 1n) - 1n
      // The first block pays nobody who could spend it.
      if (next < 1n) return done('whole')
      if (next < lowest) return done('part')
      for (const { height, hash } of await hashesFrom(next)) {
        if (BigInt(height) < lowest || performance.now() >= until) break
        try {
          highest = most(highest, paidIn(await node.block(hash), scripts))
        } catch (error) {
          if (isUnreadable(error)) return done(downTo === null ? 'none' : 'part')
          throw error
        }
        downTo = BigInt(height)
      }
    }
    return done(null)
  }

  /** From what is known to be used to far beyond the counter; derived once, in pieces, since each costs a millisecond. */
  async function scriptsOf({ account, usedBelow, from }: Part): Promise<ReadonlyMap<string, bigint>> {
    const known = looked.get(account.identity)
    if (known !== undefined && Number(usedBelow) - known.from < RANGE / 2) return known.indexes
    const first = Number(usedBelow)
    const count = Math.min(RANGE_MOST, RANGE + Math.max(0, Number(from) - first))
    const derived = await derive(account, first, count)
    const indexes = new Map(derived.map((one) => [one.scriptPubKey, BigInt(one.index)]))
    if (looked.size >= 20) looked.delete(looked.keys().next().value ?? '')
    looked.set(account.identity, { from: first, indexes })
    return indexes
  }

  async function hashesFrom(height: bigint): Promise<{ height: number; hash: string }[]> {
    const heights = Array.from({ length: HASHES }, (_, n) => Number(height) - n).filter((one) => one >= 1)
    const hashes = await node.rpc.batch<string>(heights.map((one) => ({ method: 'getblockhash', params: [one] })))
    return heights.map((one, n) => {
      const hash = hashes[n] ?? null
      if (hash === null) throw new HostFailed(`${node.name}: it has no block ${one} below its own tip`)
      return { height: one, hash }
    })
  }

  /** null: the node keeps no filters, and every block has to be read. */
  async function byFilters(
    account: Account,
    scripts: ReadonlyMap<string, bigint>,
    signal?: AbortSignal,
  ): Promise<Pick<Read, 'highest' | 'end'> | null> {
    const rpc = nodeRpc(settings, { timeoutMs: SCAN_MS })
    const last = [...scripts.values()].at(-1) ?? 0n
    const found = await rpc
      .call<{ relevant_blocks: string[]; completed?: boolean }>('scanblocks', 'start', [
        { desc: account.descriptor, range: [0, Number(last)] },
      ])
      .catch((error: unknown) => {
        if (error instanceof NodeRefused || error instanceof HostFailed) return null
        throw error
      })
    if (found === null || found.completed === false) return null
    let highest: bigint | null = null
    const newest = found.relevant_blocks.slice(-FILTERED_MOST).reverse()
    for (const hash of newest) {
      if (signal?.aborted === true) return null
      try {
        highest = most(highest, paidIn(await node.block(hash), scripts))
      } catch (error) {
        // What stands in it is not known: the newer ones were read.
        if (isUnreadable(error)) return { highest, end: 'part' }
        throw error
      }
    }
    return { highest, end: newest.length === found.relevant_blocks.length ? 'whole' : 'part' }
  }
}

/** It will not be another time: what is known by then is what there is. */
const isUnreadable = (error: unknown): boolean => error instanceof BlockPruned || error instanceof BadBlock

const most = (a: bigint | null, b: bigint | null): bigint | null => (a === null || (b !== null && b > a) ? b : a)

function paidIn(raw: Buffer, scripts: ReadonlyMap<string, bigint>): bigint | null {
  let highest: bigint | null = null
  readBlock(raw, {
    output(_place, _amountAt, at, length) {
      if (length < SHORTEST || length > LONGEST) return
      highest = most(highest, scripts.get(raw.toString('hex', at, at + length)) ?? null)
    },
    input: () => undefined,
  })
  return highest
}

/** Of the scripts that accounts pay to. */
const SHORTEST = 22
const LONGEST = 34

/** In pieces: the process has other things to do meanwhile. */
async function derive(account: Account, from: number, count: number): Promise<AccountAddress[]> {
  const all: AccountAddress[] = []
  for (let at = 0; at < count; at += PIECE) {
    all.push(...deriveAddresses(account, from + at, Math.min(PIECE, count - at)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}
