// Which coins a transaction spends, and what it shows of the scripts they were locked by: a key or a script whose hash an
// address is. Pure.
import { hash } from 'node:crypto'
import { BadBlock, readerOf, shown } from './block.ts'

export interface Spend {
  /** `txid:vout` */
  coin: string
  /** In hexadecimal; empty where nothing is shown, as by a taproot key. */
  scripts: readonly string[]
}

const hash160 = (bytes: Uint8Array): string => hash('ripemd160', hash('sha256', bytes, 'buffer'), 'hex')

const WITNESS = 1
const ITEMS_MAX = 100_000

/** @param raw one transaction, as a block has it. @throws BadBlock */
export function readSpends(raw: Buffer): Spend[] {
  const reader = readerOf(raw, 4)
  let flag = 0
  if (raw[4] === 0) {
    flag = raw[5] ?? 0
    reader.skip(2)
  }
  const take = (): Buffer => {
    const length = reader.count(raw.length)
    const at = reader.at()
    reader.skip(length)
    return raw.subarray(at, at + length)
  }
  const inputs = Array.from({ length: reader.count(ITEMS_MAX) }, () => {
    const at = reader.at()
    reader.skip(36)
    const unlocked = take()
    reader.skip(4)
    return { coin: `${shown(raw.subarray(at, at + 32))}:${raw.readUInt32LE(at + 32)}`, unlocked }
  })
  for (let left = reader.count(ITEMS_MAX); left > 0; left--) {
    reader.skip(8)
    take()
  }
  return inputs.map(({ coin, unlocked }) => {
    const witness = (flag & WITNESS) === 0 ? [] : Array.from({ length: reader.count(ITEMS_MAX) }, take)
    return { coin, scripts: scriptsOf(unlocked, witness) }
  })
}

function scriptsOf(unlocked: Buffer, witness: readonly Buffer[]): string[] {
  const [, key] = witness
  if (witness.length === 2 && key !== undefined && key.length === 33) {
    const program = `0014${hash160(key)}`
    if (unlocked.length === 0) return [program]
    // Nested: what unlocks it is the program alone, pushed.
    return unlocked.toString('hex') === `16${program}` ? [`a914${hash160(Buffer.from(program, 'hex'))}87`] : []
  }
  const last = lastPush(unlocked)
  return witness.length === 0 && last !== null && (last.length === 33 || last.length === 65)
    ? [`76a914${hash160(last)}88ac`]
    : []
}

/** Of a signature and a key, the key; null: it is not made of two short pushes. */
function lastPush(script: Buffer): Buffer | null {
  const first = script[0] ?? 0
  const second = script[1 + first] ?? 0
  const isTwo = first >= 1 && first <= 75 && second >= 1 && second <= 75 && script.length === 2 + first + second
  return isTwo ? script.subarray(2 + first) : null
}

/** One transaction of a whole block. @throws BadBlock */
export function spendsIn(raw: Buffer, bounds: readonly [from: number, to: number] | undefined): Spend[] {
  if (bounds === undefined) throw new BadBlock('it has no such transaction')
  return readSpends(raw.subarray(...bounds))
}
