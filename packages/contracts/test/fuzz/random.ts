// Chance that can be repeated: the same seed draws the same numbers on every machine.
import { type Address, type Hex, keccak256, toHex } from 'viem'

export class Random {
  readonly seed: string
  #state: number

  constructor(seed: string) {
    this.seed = seed
    this.#state = Number(BigInt(keccak256(toHex(seed))) & 0xffff_ffffn)
  }

  /** From 0 up to, not including, 1. The mulberry32 sequence. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  chance(percent: number): boolean {
    return this.#next() * 100 < percent
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  /** Picks a key in proportion to its weight. */
  weighted<T extends string>(weights: Record<T, number>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) {
      left -= weight
      if (left < 0) return key
    }
    throw new Error('no weights')
  }

  bytes32(): Hex {
    return keccak256(toHex(`${this.seed} ${this.#next()} ${this.#next()}`))
  }

  address(): Address {
    return `0x${this.bytes32().slice(26)}`
  }
}
