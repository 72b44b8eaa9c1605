// Compares two copies of a table's rows, in whatever order they are: PostgreSQL puts restored rows where there is room.
// Each row's hash is added to a sum, so a copy of any size takes the same memory.
import { hash } from 'node:crypto'

const BUCKETS = 65_536
/** Of a bucket: how many rows, and 128 bits of the sum of their hashes. */
const WORDS = 5
const LINE_FEED = 0x0a

export interface RowSums {
  /** @param chunk of COPY text, cut anywhere. */
  data(chunk: Buffer): void
  readonly rows: number
}

interface Sums extends RowSums {
  words: Uint32Array
}

/** Calls `take` with each row of COPY text, which arrives cut anywhere. Within a row a line feed is written as \n. */
export function rowCutter(take: (row: Buffer) => void): (chunk: Buffer) => void {
  let begun: Buffer[] = []
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const rest = chunk.subarray(from, end)
      take(begun.length === 0 ? rest : Buffer.concat([...begun, rest]))
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
}

const hashOf = (row: Buffer): Buffer => hash('sha256', row, 'buffer')

export function rowSums(): Sums {
  const words = new Uint32Array(BUCKETS * WORDS)
  let rows = 0
  const add = (row: Buffer): void => {
    const hashed = hashOf(row)
    const at = hashed.readUInt16BE(0) * WORDS
    rows++
    // Each word wraps around by itself.
    words[at] = (words[at] ?? 0) + 1
    for (let n = 1; n < WORDS; n++) words[at + n] = (words[at + n] ?? 0) + hashed.readUInt32BE(n * 4)
  }
  return {
    data: rowCutter(add),
    words,
    get rows() {
      return rows
    },
  }
}

/** Where the rows differ: a row belongs to the bucket of its hash. Empty: they are the same rows. */
export function differingBuckets(a: Sums, b: Sums): Set<number> {
  const differing = new Set<number>()
  for (let at = 0; at < a.words.length; at++) if (a.words[at] !== b.words[at]) differing.add(Math.floor(at / WORDS))
  return differing
}

/** The rows of some buckets that one copy has and the other lacks. */
export function rowDifferences(buckets: ReadonlySet<number>) {
  const counts = new Map<string, number>()
  const counting = (step: number) =>
    rowCutter((row) => {
      if (!buckets.has(hashOf(row).readUInt16BE(0))) return
      const text = row.toString('utf8')
      counts.set(text, (counts.get(text) ?? 0) + step)
    })
  const withSign = (sign: number): string[] =>
    [...counts].flatMap(([row, count]) => new Array<string>(Math.max(0, sign * count)).fill(row))
  return { saved: counting(1), found: counting(-1), missing: () => withSign(1), added: () => withSign(-1) }
}
