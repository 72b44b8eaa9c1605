// Reads raw blocks and transactions of Bitcoin and Litecoin (segwit, MWEB): header, merkle root, every input and output,
// without building an object for each. Pure.
import { hash } from 'node:crypto'

/** What cannot be a block of this chain: another host is asked for it. */
export class BadBlock extends Error {}

export interface Header {
  hash: string
  parent: string
  merkleRoot: string
  time: Date
  bits: number
  raw: Buffer
}

export interface Visitor {
  /** The script is `raw[scriptAt, scriptAt + length)`, the amount eight bytes at `amountAt`. */
  output(a: Place, amountAt: number, scriptAt: number, length: number): void
  /** The 36 bytes of the outpoint that is spent stand at `at`. */
  input(a: Place, at: number): void
}

/** Where an input or output stands: its transaction's number in the block, and its own in the transaction. */
export interface Place {
  tx: number
  index: number
}

export const HEADER_BYTES = 80
const WITNESS = 0x01
const MWEB = 0x08
/** Two hashes beside each other: what a liar could pass off as a transaction. */
const AMBIGUOUS_BYTES = 64
const TRANSACTIONS_MAX = 200_000
const ITEMS_MAX = 500_000

export function sha256d(bytes: Buffer): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer')
}

/** Hashes are shown in reverse. */
export const shown = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex')

/** @throws BadBlock */
export function readHeader(raw: Buffer): Header {
  if (raw.length < HEADER_BYTES) throw new BadBlock('it is shorter than a header')
  const header = raw.subarray(0, HEADER_BYTES)
  return {
    hash: shown(sha256d(header)),
    parent: shown(header.subarray(4, 36)),
    merkleRoot: shown(header.subarray(36, 68)),
    time: new Date(header.readUInt32LE(68) * 1000),
    bits: header.readUInt32LE(72),
    raw: Buffer.from(header),
  }
}

export interface ReadBlock {
  header: Header
  /** In the order of the block, as they are shown. */
  txids: (tx: number) => string
  count: number
  /** Where a transaction stands in the block's bytes. */
  bounds: (tx: number) => readonly [from: number, to: number]
  /** The number of Litecoin's transaction that pays out of the extension block; null: there is none. */
  hogEx: number | null
}

/**
 * Reads a whole block and shows each input and output to the visitor, whose places are reused.
 * @throws BadBlock where it is malformed, or its transactions are not those of its header.
 */
export function readBlock(raw: Buffer, visitor: Visitor): ReadBlock {
  const header = readHeader(raw)
  const reader = readerOf(raw, HEADER_BYTES)
  const count = reader.count(TRANSACTIONS_MAX)
  const ids = Buffer.allocUnsafe(count * 32)
  let hogEx: number | null = null
  const starts: number[] = []
  for (let tx = 0; tx < count; tx++) {
    starts.push(reader.at())
    const { id, isMweb, bytes } = readOne(reader, tx, visitor)
    if (bytes === AMBIGUOUS_BYTES) throw new BadBlock('a transaction of it may be two hashes')
    id.copy(ids, tx * 32)
    if (isMweb && tx > 0 && tx === count - 1) hogEx = tx
  }
  starts.push(reader.at())
  // Behind the last transaction Litecoin carries its extension block, which no header of ours covers.
  if (reader.at() !== raw.length && hogEx === null) throw new BadBlock('it goes on behind its last transaction')
  if (shown(merkleRootOf(ids)) !== header.merkleRoot) throw new BadBlock('its transactions are not those of its header')
  return {
    header,
    count,
    hogEx,
    bounds: (tx) => [starts[tx] ?? 0, starts[tx + 1] ?? 0],
    txids: (tx) => shown(ids.subarray(tx * 32, tx * 32 + 32)),
  }
}

export interface ReadTransaction {
  txid: string
  inputs: { txid: string; vout: number; sequence: number }[]
  outputs: { amount: bigint; script: string }[]
  /** It has a part in Litecoin's extension block, which is not read. */
  isMweb: boolean
}

/** One transaction as nodes give it. @throws BadBlock */
export function readTransaction(raw: Buffer): ReadTransaction {
  const read: Pick<ReadTransaction, 'inputs' | 'outputs'> = { inputs: [], outputs: [] }
  const visitor: Visitor = {
    output(_place, amountAt, scriptAt, length) {
      const script = raw.toString('hex', scriptAt, scriptAt + length)
      read.outputs.push({ amount: raw.readBigUInt64LE(amountAt), script })
    },
    input(_place, at) {
      const script = readerOf(raw, at + 36)
      script.skip(script.count(raw.length))
      const sequence = raw.readUInt32LE(script.at())
      read.inputs.push({ txid: shown(raw.subarray(at, at + 32)), vout: raw.readUInt32LE(at + 32), sequence })
    },
  }
  const reader = readerOf(raw, 0)
  const { id, isMweb } = readOne(reader, 0, visitor)
  if (!isMweb && reader.at() !== raw.length) throw new BadBlock('it goes on behind its end')
  return { ...read, txid: shown(id), isMweb }
}

let scratch = Buffer.allocUnsafe(1 << 16)

/** @returns its id, which leaves out witnesses, and how many bytes the id is made of. */
function readOne(reader: Reader, tx: number, visitor: Visitor): { id: Buffer; isMweb: boolean; bytes: number } {
  const { raw } = reader
  const start = reader.at()
  reader.skip(4)
  let flag = 0
  if (raw[reader.at()] === 0) {
    flag = raw[reader.at() + 1] ?? 0
    if (flag === 0 || (flag & ~(WITNESS | MWEB)) !== 0) throw new BadBlock('a transaction has an unknown flag')
    reader.skip(2)
  }
  const body = reader.at()
  const place: Place = { tx, index: 0 }
  const inputs = reader.count(ITEMS_MAX)
  for (place.index = 0; place.index < inputs; place.index++) {
    const at = reader.at()
    reader.skip(36)
    reader.skip(reader.count(raw.length))
    reader.skip(4)
    visitor.input(place, at)
  }
  const outputs = reader.count(ITEMS_MAX)
  for (place.index = 0; place.index < outputs; place.index++) {
    const amountAt = reader.at()
    reader.skip(8)
    const length = reader.count(raw.length)
    const scriptAt = reader.at()
    reader.skip(length)
    visitor.output(place, amountAt, scriptAt, length)
  }
  const bodyEnd = reader.at()
  if ((flag & WITNESS) !== 0) {
    for (let input = 0; input < inputs; input++) {
      for (let left = reader.count(ITEMS_MAX); left > 0; left--) reader.skip(reader.count(raw.length))
    }
  }
  const isMweb = (flag & MWEB) !== 0
  // In a block the part is left out (a zero); in the mempool it stands here, and the rest is not read.
  if (isMweb && raw[reader.at()] !== 0) return { id: Buffer.alloc(32), isMweb, bytes: 0 }
  if (isMweb) reader.skip(1)
  const lockTime = reader.at()
  reader.skip(4)
  if (flag === 0) return { id: sha256d(raw.subarray(start, reader.at())), isMweb, bytes: reader.at() - start }
  const bytes = 4 + (bodyEnd - body) + 4
  if (scratch.length < bytes) scratch = Buffer.allocUnsafe(bytes * 2)
  raw.copy(scratch, 0, start, start + 4)
  raw.copy(scratch, 4, body, bodyEnd)
  raw.copy(scratch, bytes - 4, lockTime, lockTime + 4)
  return { id: sha256d(scratch.subarray(0, bytes)), isMweb, bytes }
}

/** @throws BadBlock where transactions are repeated so that the root stays the same (CVE-2012-2459). */
export function merkleRootOf(ids: Buffer): Buffer {
  if (ids.length === 0) throw new BadBlock('it has no transactions')
  let row = Buffer.from(ids)
  while (row.length > 32) {
    const next = Buffer.allocUnsafe(Math.ceil(row.length / 64) * 32)
    for (let at = 0, to = 0; at < row.length; at += 64, to += 32) {
      const isPair = at + 64 <= row.length
      const left = row.subarray(at, at + 32)
      const right = isPair ? row.subarray(at + 32, at + 64) : left
      if (isPair && left.equals(right)) throw new BadBlock('it repeats transactions')
      sha256d(isPair ? row.subarray(at, at + 64) : Buffer.concat([left, right])).copy(next, to)
    }
    row = next
  }
  return row
}

interface Reader {
  readonly raw: Buffer
  at(): number
  skip(bytes: number): void
  /** A length of one to nine bytes. @throws BadBlock above `max`. */
  count(max: number): number
}

export function readerOf(raw: Buffer, from: number): Reader {
  let at = from
  const need = (bytes: number): void => {
    if (at + bytes > raw.length) throw new BadBlock('it ends too early')
  }
  return {
    raw,
    at: () => at,
    skip(bytes) {
      need(bytes)
      at += bytes
    },
    count(max) {
      need(1)
      const first = raw[at++] ?? 0
      let value = first
      if (first >= 0xfd) {
        const bytes = first === 0xfd ? 2 : first === 0xfe ? 4 : 8
        need(bytes)
        value = bytes === 8 ? Number(raw.readBigUInt64LE(at)) : raw.readUIntLE(at, bytes)
        at += bytes
      }
      if (value > max) throw new BadBlock('a length of it is beyond all bounds')
      return value
    },
  }
}
