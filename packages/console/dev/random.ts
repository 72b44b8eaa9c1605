// Invented data must be the same at every start, so that two pictures of a page can be compared: a seeded generator.

export interface Random {
  next(): number
  int(min: number, max: number): number
  pick<T>(from: readonly T[]): T
  text(length: number): string
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** mulberry32: small, even, and not for secrets. */
export function makeRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (from) => {
      const one = from[int(0, from.length - 1)]
      if (one === undefined) throw new RangeError('Nothing to pick from.')
      return one
    },
    text: (length) => Array.from({ length }, () => letters[int(0, letters.length - 1)]).join(''),
  }
}
