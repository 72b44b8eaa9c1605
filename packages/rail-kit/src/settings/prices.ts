// Price settings: where the dollar price of a native coin is read and when answers are trusted.
import type { Address } from 'viem'
import type { Fields } from './reader.ts'

export type PriceSource =
  /** A Chainlink feed on the same chain; on a rollup with the feed that tells whether its sequencer is up. */
  | { kind: 'chainlink'; feed: Address; heartbeatS: number; sequencer: Address | null }
  /** A JSON answer over HTTP; `path` leads to the price: `data.amount`, `result.XETHZUSD.c.0`. */
  | {
      kind: 'http'
      name: string
      url: string
      path: readonly string[]
      /** What else the answer must say, such as its pair: path and text. */
      expect: readonly (readonly [path: readonly string[], text: string])[]
      /** Where its own time is, and how old it may be; null: it says none. */
      time: { path: readonly string[]; maxAgeS: number } | null
    }
  /** A price that never moves, for test chains only; one is enough. */
  | { kind: 'fixed'; micros: bigint }

export interface PriceSettings {
  sources: readonly PriceSource[]
  /** Two answers that differ by more are rejected. */
  agreeBps: number
  /** Added to what is due, for the time between the quote and the payment. */
  spreadBps: number
  quoteMs: number
}

/** @returns null where the file has no prices: native coins are not quoted then. */
export function readPrices(fields: Fields, mode: 'live' | 'test'): PriceSettings | null {
  const prices = fields.object('prices', null)
  if (prices === null) return null
  const settings: PriceSettings = {
    sources: prices.list('sources').map((entry) => readSource(entry, mode)),
    agreeBps: prices.integer('agreeBps', 1, 1_000, 100),
    spreadBps: prices.integer('spreadBps', 0, 1_000, 50),
    quoteMs: prices.integer('quoteS', 30, 3_600, 900) * 1000,
  }
  const isFixed = settings.sources.some((source) => source.kind === 'fixed')
  if (settings.sources.length < 2 && !isFixed)
    prices.fault('sources', 'it takes two sources that do not depend on each other')
  if (mode === 'live') checkApart(prices, 'sources', settings.sources)
  prices.end()
  return settings
}

export function readSource(entry: Fields, mode: 'live' | 'test'): PriceSource {
  const kind = entry.oneOf('kind', ['chainlink', 'http', 'fixed'])
  const source = ((): PriceSource => {
    switch (kind) {
      case 'chainlink':
        return {
          kind,
          feed: entry.address('feed'),
          heartbeatS: entry.integer('heartbeatS', 60, 172_800, 3_600),
          sequencer: entry.has('sequencer') ? entry.address('sequencer') : null,
        }
      case 'http': {
        const url = entry.text('url')
        if (!/^https?:\/\//.test(url) || !URL.canParse(url)) entry.fault('url', 'it takes an http or https address')
        else if (new URL(url).username !== '')
          entry.fault('url', 'it has a user or a password in it, which nothing sends')
        return { kind, name: entry.text('name'), url, path: entry.text('path').split('.'), ...readChecks(entry) }
      }
      case 'fixed':
        if (mode === 'live') entry.fault('kind', 'a live chain takes no fixed price')
        return { kind, micros: entry.decimal('usd', 6, '') }
    }
  })()
  entry.end()
  return source
}

function readChecks(entry: Fields): Pick<PriceSource & { kind: 'http' }, 'expect' | 'time'> {
  const expected = entry.object('expect', null)
  const expect = Object.keys(expected?.value ?? {}).map(
    (path) => [path.split('.'), expected?.text(path) ?? ''] as const,
  )
  const path = entry.has('time') ? entry.text('time').split('.') : null
  if (path === null && entry.has('maxAgeS'))
    entry.fault('maxAgeS', 'it needs "time", the path to the time of the answer')
  const maxAgeS = entry.integer('maxAgeS', 5, 86_400, 600)
  return { expect, time: path === null ? null : { path, maxAgeS } }
}

/** Two names for one exchange are one voice. */
export function checkApart(fields: Fields, name: string, sources: readonly PriceSource[]): void {
  const hosts = sources.flatMap((source) =>
    source.kind === 'http' && URL.canParse(source.url) ? [ownerOf(new URL(source.url).hostname)] : [],
  )
  const isTwice = new Set(hosts).size < hosts.length
  if (isTwice && hosts.some((host) => !/^[\d.:[\]]+$|localhost$/.test(host)))
    fields.fault(name, 'two of its sources are one host: they are one voice')
}

/** The part of a host's name that somebody registered: the last two labels, three below co.uk and the like. */
function ownerOf(host: string): string {
  const labels = host.split('.')
  return labels.slice(/^(co|com|net|org)$/.test(labels.at(-2) ?? '') ? -3 : -2).join('.')
}
