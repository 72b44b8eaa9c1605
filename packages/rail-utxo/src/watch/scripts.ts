// The scripts that are looked for, in memory, and what a block has for them. Built so that a full block against a
// hundred thousand scripts costs little: a number of four bytes decides about nearly every output.
import type { Sql } from '@florin/platform/db/pool'
import { listScriptsSince } from '../address/legs.store.ts'
import { type Header, type Place, readBlock } from '../chain/block.ts'

export interface FoundOutput {
  txid: string
  vout: number
  script: string
  amount: bigint
  kind: 'plain' | 'coinbase' | 'peg_out'
  /** The transaction, as the block has it. */
  transaction: Buffer
}

/** A transaction of the block spends a coin of a payment that was announced here, or of a refund that was drawn up. */
export interface FoundSpend {
  outpoint: string
  txid: string
}

export interface ScannedBlock {
  height: number
  header: Header
  outputs: FoundOutput[]
  spends: FoundSpend[]
}

export interface ScriptSet {
  readonly size: number
  has(script: string): boolean
  add(script: string): void
  /** @throws BadBlock */
  scan(raw: Buffer, height: number, outpoints: OutpointSet): ScannedBlock
}

export function scriptSet(): ScriptSet {
  const buckets = new Map<number, Buffer | Buffer[]>()
  const known = new Set<string>()
  return {
    get size() {
      return known.size
    },
    has: (script) => known.has(script),
    add(script) {
      if (known.has(script)) return
      known.add(script)
      const bytes = Buffer.from(script, 'hex')
      const key = keyOf(bytes, 0, bytes.length)
      const there = buckets.get(key)
      if (there === undefined) buckets.set(key, bytes)
      else if (Array.isArray(there)) there.push(bytes)
      else buckets.set(key, [there, bytes])
    },
    scan(raw, height, outpoints) {
      const found: { place: Place; at: number; length: number; amountAt: number }[] = []
      const spent: { tx: number; outpoint: string }[] = []
      const isHere = (one: Buffer, at: number, length: number): boolean =>
        one.length === length && raw.compare(one, 0, length, at, at + length) === 0
      const block = readBlock(raw, {
        output({ tx, index }, amountAt, at, length) {
          if (length < SHORTEST) return
          const there = buckets.get(keyOf(raw, at, length))
          if (there === undefined) return
          const isOne = Array.isArray(there) ? there.some((one) => isHere(one, at, length)) : isHere(there, at, length)
          if (isOne) found.push({ place: { tx, index }, at, length, amountAt })
        },
        input({ tx }, at) {
          const outpoint = outpoints.find(raw, at)
          if (outpoint !== null) spent.push({ tx, outpoint })
        },
      })
      // A copy, as the block itself is not kept; one for all outputs of a transaction, which may be thousands.
      const copies = new Map<number, Buffer>()
      const copyOf = (tx: number): Buffer => {
        const copy = copies.get(tx) ?? Buffer.from(raw.subarray(...block.bounds(tx)))
        copies.set(tx, copy)
        return copy
      }
      return {
        height,
        header: block.header,
        outputs: found.map(({ place, at, length, amountAt }) => ({
          txid: block.txids(place.tx),
          vout: place.index,
          script: raw.toString('hex', at, at + length),
          amount: raw.readBigUInt64LE(amountAt),
          kind: place.tx === 0 ? 'coinbase' : place.tx === block.hogEx ? 'peg_out' : 'plain',
          transaction: copyOf(place.tx),
        })),
        spends: spent.map(({ tx, outpoint }) => ({ outpoint, txid: block.txids(tx) })),
      }
    },
  }
}

/** Every script that an address stands for is longer. */
const SHORTEST = 22

/** Four bytes out of the hash, whatever the kind of script. */
const keyOf = (bytes: Buffer, at: number, length: number): number =>
  length < SHORTEST ? length : bytes.readUInt32LE(at + 6)

export interface OutpointSet {
  /** @returns `txid:vout` of the outpoint whose 36 bytes stand at `at`; null: it is not looked for. */
  find(raw: Buffer, at: number): string | null
}

/** @param outpoints as `txid:vout`. */
export function outpointSet(outpoints: Iterable<string>): OutpointSet {
  const byKey = new Map<number, { bytes: Buffer; text: string }[]>()
  for (const text of outpoints) {
    const [txid = '', vout = '0'] = text.split(':')
    const bytes = Buffer.alloc(36)
    Buffer.from(txid, 'hex').reverse().copy(bytes)
    bytes.writeUInt32LE(Number(vout), 32)
    const key = bytes.readUInt32LE(0)
    byKey.set(key, [...(byKey.get(key) ?? []), { bytes, text }])
  }
  if (byKey.size === 0) return { find: () => null }
  return {
    find(raw, at) {
      const some = byKey.get(raw.readUInt32LE(at))
      return some?.find((one) => raw.compare(one.bytes, 0, 36, at, at + 36) === 0)?.text ?? null
    },
  }
}

export interface WatchedScripts {
  readonly set: ScriptSet
  refresh(): Promise<void>
}

/** Brought up to date from the database: whoever refreshes after a block was seen knows every script it can have paid. */
export function watchedScripts(
  sql: Sql,
  chain: string,
  lookAhead: () => Promise<readonly { script: string }[]>,
): WatchedScripts {
  // One that is looked for no longer costs nothing until the next start.
  const set = scriptSet()
  let since: string | null = null
  return {
    set,
    async refresh() {
      const { scripts, next } = await listScriptsSince(sql, { chain, since })
      since = next
      for (const { script } of scripts) set.add(script)
      for (const { script } of await lookAhead()) set.add(script)
    },
  }
}
