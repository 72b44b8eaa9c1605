// Proof of work: what a header had to cost, and which difficulty the rules of its chain ask for. Pure.
import { scryptSync } from 'node:crypto'
import { type Header, sha256d } from './block.ts'

export interface WorkRules {
  algorithm: 'sha256d' | 'scrypt'
  /** Compact form of the easiest target that the network takes. */
  limitBits: number
  /** null: the target never moves (regtest). */
  retarget: {
    blocks: number
    spanS: number
    /** How far below an adjusted block the first one stands whose time counts: Litecoin goes one further back. */
    reach: number
  } | null
}

/** The target that a header's four bytes stand for; null where they stand for none. */
export function targetOf(bits: number): bigint | null {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7fffff)
  if ((bits & 0x800000) !== 0 || mantissa === 0n || exponent > 34) return null
  return exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
}

/** The four bytes of a target, as rounded as nodes round it. */
export function bitsOf(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2)
  let mantissa = size <= 3 ? Number(target << BigInt(8 * (3 - size))) : Number(target >> BigInt(8 * (size - 3)))
  if ((mantissa & 0x800000) !== 0) {
    mantissa >>= 8
    size++
  }
  return ((size << 24) | mantissa) >>> 0
}

/** How many tries a block of this difficulty takes on average. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits)
  return target === null || target <= 0n ? 0n : (1n << 256n) / (target + 1n)
}

/** Difficulty as people say it, in whole numbers. */
export function bitsOfDifficulty(difficulty: bigint): number {
  return bitsOf((targetOf(0x1d00ffff) ?? 0n) / difficulty)
}

const littleEndian = (bytes: Buffer): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

function powHash(header: Header, { algorithm }: WorkRules): bigint {
  if (algorithm === 'sha256d') return littleEndian(sha256d(header.raw))
  return littleEndian(scryptSync(header.raw, header.raw, 32, { N: 1024, r: 1, p: 1 }))
}

/** Why the header does not carry the work that it claims; null: it does. */
export function workFault(header: Header, rules: WorkRules): string | null {
  const target = targetOf(header.bits)
  const limit = targetOf(rules.limitBits)
  if (target === null || limit === null || target > limit) return 'it claims no work at all'
  return powHash(header, rules) <= target ? null : 'it does not carry the work that it claims'
}

/** The target after a period, from the times of its ends. */
export function retargeted(bits: number, tookS: number, rules: WorkRules): number {
  const target = targetOf(bits)
  const limit = targetOf(rules.limitBits)
  if (rules.retarget === null || target === null || limit === null) return bits
  const { spanS } = rules.retarget
  const bounded = Math.min(Math.max(tookS, Math.floor(spanS / 4)), spanS * 4)
  const next = (target * BigInt(bounded)) / BigInt(spanS)
  return bitsOf(next > limit ? limit : next)
}

/**
 * Why a header's difficulty does not follow from its parent's; null: it does.
 * @param periodStart the time of the block from which the parent's period is counted; null: it is not known, and only the
 * rule's bounds are held.
 */
export function difficultyFault(
  a: { height: number; bits: number; parent: { bits: number; time: Date }; periodStart: Date | null },
  rules: WorkRules,
): string | null {
  const { parent, bits } = a
  if (rules.retarget === null || a.height % rules.retarget.blocks !== 0)
    return bits === parent.bits ? null : 'its difficulty moved between two adjustments'
  const { spanS } = rules.retarget
  if (a.periodStart !== null) {
    const took = Math.trunc((parent.time.getTime() - a.periodStart.getTime()) / 1000)
    return bits === retargeted(parent.bits, took, rules) ? null : 'its difficulty is not the one that is due'
  }
  const easiest = targetOf(retargeted(parent.bits, spanS * 4, rules)) ?? 0n
  const target = targetOf(bits)
  return target !== null && target <= easiest ? null : 'its difficulty fell by more than the rules allow'
}
