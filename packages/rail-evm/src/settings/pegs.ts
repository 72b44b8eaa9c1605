// Peg settings: where the dollar price of a stable coin is read. Real money asks for two sources, or for "none" said aloud.
import { checkApart, type PriceSettings, type PriceSource, readSource } from '@florin/rail-kit/settings/prices'
import type { Fields } from '@florin/rail-kit/settings/reader'

export type PegSettings = Pick<PriceSettings, 'sources' | 'agreeBps'>

const NONE = 'none'
const ASKED = 'it takes two price sources, or "none" said aloud (docs/rails.md, When a coin leaves its peg)'
/** Two answers about a dollar that differ by more are not one price. */
const AGREE_BPS = 50

export interface Pegs {
  /** For each coin where its price is read; a coin that nobody looks at is not in it. */
  pegs: ReadonlyMap<string, PegSettings>
  /** Coins of which the file says aloud that nobody looks at them. */
  unpegged: ReadonlySet<string>
}

export function readPegs(fields: Fields, mode: 'live' | 'test', coins: readonly string[]): Pegs {
  const pegs = new Map<string, PegSettings>()
  const unpegged = new Set<string>()
  if (fields.value.peg === NONE || coins.length === 0) {
    fields.skip('peg')
    return { pegs, unpegged: new Set(coins) }
  }
  const given = fields.object('peg', mode === 'live' ? {} : null)
  if (given === null) return { pegs, unpegged }
  for (const coin of coins) {
    if (given.value[coin] === NONE) {
      given.skip(coin)
      unpegged.add(coin)
      continue
    }
    const sources: PriceSource[] = given.has(coin) ? given.list(coin).map((entry) => readSource(entry, mode)) : []
    const isFixed = sources.some((source) => source.kind === 'fixed')
    if (sources.length < 2 && !isFixed && (mode === 'live' || given.has(coin))) given.fault(coin, ASKED)
    if (mode === 'live') checkApart(given, coin, sources)
    if (sources.length > 0) pegs.set(coin, { sources, agreeBps: AGREE_BPS })
  }
  given.end()
  return { pegs, unpegged }
}
