// Dollar prices: when an answer is fresh, when two agree; without both nothing is quoted.
import type { Clock } from '@florin/platform/clock'
import { AppError } from '@florin/platform/errors'
import { decimalOf, parseDecimal } from '@florin/platform/money'
import { request } from 'undici'
import { type Address, formatUnits, type PublicClient, parseAbi } from 'viem'
import { firstLine } from './first-line.ts'
import { oldHead } from './old-head.ts'
import type { PriceSettings, PriceSource } from './settings/prices.ts'

/** What prices are read with: the settings of a chain and a node of it, for feeds that are contracts there. */
export interface PriceReader {
  readonly chain: {
    readonly nativeAsset: string
    readonly prices: PriceSettings | null
    readonly pegs: ReadonlyMap<string, Pick<PriceSettings, 'sources' | 'agreeBps'>>
    readonly headMaxAgeMs: number | null
  }
  readonly client: Pick<PublicClient, 'readContract'>
  head(): Promise<{ time: Date }>
}

export interface Price {
  /** USD micros for one whole unit. */
  micros: bigint
  /** The source, and the time of its answer. */
  source: string
}

export interface Prices {
  /** The native coin's. @throws AppError no_price */
  native(): Promise<Price>
  /** @throws AppError no_price when a stable coin left its peg, or where its price is looked for and not found. */
  checkPeg(token: { asset: string }): Promise<void>
  /** What each source of a stable coin says now, for people to read; none where its price is not looked for. */
  pegAnswers(asset: string): Promise<readonly string[]>
  /** USD micros of a stable coin that is worth so little that orders quoted before are held; null: settle. */
  depegged(asset: string): Promise<bigint | null>
}

const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
])
/** A feed may be this much later than its heartbeat. */
const FEED_SLACK_S = 600
/** A rollup's feeds are trusted once its sequencer has been up for an hour again. */
const SEQUENCER_UP_S = 3_600
const HTTP_TIMEOUT_MS = 5_000
const ANSWER_MAX_BYTES = 262_144
/** A clock may be this much ahead. */
const FUTURE_S = 60
/** One answer serves all quotes within this time. */
const KEPT_MS = 5_000
const PEG_MICROS = { from: 995_000n, to: 1_005_000n }
/** Below this, what was quoted before is not settled by itself. */
export const HELD_BELOW_MICROS = 980_000n

export function makePrices(rpc: PriceReader, parts: { clock: Clock }): Prices {
  let kept: { price: Price; at: number } | null = null
  const now = (): number => parts.clock.now().getTime()
  const coins = new Map<string, Coin & { at: number }>()

  async function coin(asset: string): Promise<Coin> {
    const peg = rpc.chain.pegs.get(asset)
    if (peg === undefined) return { price: null, told: [] }
    const known = coins.get(asset)
    if (known !== undefined && now() - known.at < KEPT_MS) return known
    const answers = await Promise.allSettled(peg.sources.map((source) => ask(source, rpc, now())))
    const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const price = agreed(given, peg)?.micros ?? null
    const told = peg.sources.map((source, n) => tell(source, answers[n]))
    coins.set(asset, { price, told, at: now() })
    return { price, told }
  }

  return {
    async native() {
      const { prices, nativeAsset } = rpc.chain
      if (prices === null) throw new AppError('no_price')
      if (kept !== null && now() - kept.at < KEPT_MS) return kept.price
      const answers = await Promise.allSettled(prices.sources.map((source) => ask(source, rpc, now())))
      const price = agreed(
        answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
        prices,
      )
      if (price === null) {
        const why = answers.map((answer) =>
          answer.status === 'fulfilled' ? `${answer.value.name} ${answer.value.micros}` : firstLine(answer.reason),
        )
        throw new AppError('no_price', {
          message: `No trustworthy price of ${nativeAsset} is known right now. Try another asset or try again later.`,
          cause: new Error(why.join('; ')),
          retryAfterS: 30,
        })
      }
      const at = parts.clock.now()
      kept = { price: { ...price, source: `${price.source} ${at.toISOString()}` }, at: at.getTime() }
      return kept.price
    },
    async checkPeg({ asset }) {
      if (!rpc.chain.pegs.has(asset)) return
      const { price } = await coin(asset)
      if (price !== null && price >= PEG_MICROS.from && price <= PEG_MICROS.to) return
      throw new AppError('no_price', {
        message: `${asset} is not quoted while its price is away from one dollar, or not known for sure.`,
        retryAfterS: price === null ? 30 : 300,
      })
    },
    async pegAnswers(asset) {
      return (await coin(asset)).told
    },
    async depegged(asset) {
      const { price } = await coin(asset)
      return price !== null && price < HELD_BELOW_MICROS ? price : null
    },
  }
}

interface Coin {
  /** null: it is not looked for, or its sources do not agree now. */
  price: bigint | null
  told: readonly string[]
}

function tell(source: PriceSource, answer: PromiseSettledResult<Answer> | undefined): string {
  const name = source.kind === 'http' ? source.name : source.kind
  if (answer?.status === 'fulfilled') return `${name} says $${formatUnits(answer.value.micros, 6)}`
  const why = firstLine(answer?.reason)
  return why.startsWith(`${name}: `) ? why : `${name}: ${why}`
}

export interface Answer {
  name: string
  micros: bigint
}

/**
 * The mean of the two closest answers, if they agree, which leaves an outlier out. A fixed price of a test chain stands
 * alone. Pure.
 */
export function agreed(answers: readonly Answer[], rules: Pick<PriceSettings, 'agreeBps'>): Price | null {
  const fixed = answers.find((answer) => answer.name === 'fixed')
  if (fixed !== undefined) return { micros: fixed.micros, source: fixed.name }
  const sorted = [...answers].sort((a, b) => (a.micros < b.micros ? -1 : 1))
  let best: { low: Answer; high: Answer; apart: bigint } | null = null
  for (const [n, high] of sorted.entries()) {
    const low = sorted[n - 1]
    if (low === undefined) continue
    const apart = high.micros - low.micros
    if (best === null || apart < best.apart) best = { low, high, apart }
  }
  if (best === null || best.apart * 10_000n > best.low.micros * BigInt(rules.agreeBps)) return null
  return { micros: (best.low.micros + best.high.micros) / 2n, source: `${best.low.name}+${best.high.name}` }
}

async function ask(source: PriceSource, rpc: PriceReader, nowMs: number): Promise<Answer> {
  switch (source.kind) {
    case 'fixed':
      return { name: 'fixed', micros: source.micros }
    case 'chainlink':
      return { name: 'chainlink', micros: await readFeed(rpc, source, nowMs) }
    case 'http':
      return { name: source.name, micros: await readTicker(source, nowMs) }
  }
}

async function readFeed(
  { chain, client, head }: PriceReader,
  a: { feed: Address; heartbeatS: number; sequencer: Address | null },
  nowMs: number,
): Promise<bigint> {
  const old = chain.headMaxAgeMs === null ? null : oldHead(chain, await head(), new Date(nowMs))
  if (old !== null) throw new Error(`chainlink: ${old}`)
  const read = (address: Address) => client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' })
  const [round, decimals, sequencer] = await Promise.all([
    read(a.feed),
    client.readContract({ address: a.feed, abi: feedAbi, functionName: 'decimals' }),
    a.sequencer === null ? null : read(a.sequencer),
  ])
  const ageS = (since: bigint): number => nowMs / 1000 - Number(since)
  const [, answer, , updatedAt] = round
  if (answer <= 0n || decimals < 6) throw new Error('chainlink: the feed has no answer')
  if (ageS(updatedAt) > a.heartbeatS + FEED_SLACK_S) throw new Error('chainlink: the answer is stale')
  if (sequencer !== null && (sequencer[1] !== 0n || ageS(sequencer[2]) < SEQUENCER_UP_S)) {
    throw new Error('chainlink: the sequencer is or was just down')
  }
  return answer / 10n ** BigInt(decimals - 6)
}

async function readTicker(source: PriceSource & { kind: 'http' }, nowMs: number): Promise<bigint> {
  const { statusCode, body } = await request(source.url, {
    headersTimeout: HTTP_TIMEOUT_MS,
    bodyTimeout: HTTP_TIMEOUT_MS,
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > ANSWER_MAX_BYTES) throw new Error(`${source.name}: the answer is too long`)
  }
  if (statusCode !== 200) throw new Error(`${source.name}: it answered ${statusCode}`)
  const answer: unknown = JSON.parse(text)
  for (const [path, expected] of source.expect) {
    if (String(at(answer, path)) !== expected) throw new Error(`${source.name}: ${path.join('.')} is not ${expected}`)
  }
  if (source.time !== null) checkAge(source.name, at(answer, source.time.path), { ...source.time, nowMs })
  const micros = microsOf(at(answer, source.path))
  if (micros === null || micros <= 0n) throw new Error(`${source.name}: there is no price at ${source.path.join('.')}`)
  return micros
}

function at(answer: unknown, path: readonly string[]): unknown {
  let found = answer
  for (const step of path) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, step) ? (found as Json)[step] : undefined
  }
  return found
}

type Json = Record<string, unknown>

/** Read to its end, exponents expanded. More decimals than a micro-dollar are cut: a lower price asks for more coins. */
function microsOf(value: unknown): bigint | null {
  const text = decimalOf(value)
  if (text === null) return null
  const [whole = '0', fraction = ''] = text.split('.')
  return whole.length > 12 ? null : parseDecimal(`${whole}.${fraction.slice(0, 6).padEnd(6, '0')}`, 6)
}

/** Seconds or milliseconds since 1970, or a time with its zone. */
function checkAge(name: string, value: unknown, a: { maxAgeS: number; nowMs: number }): void {
  const isNumber = /^\d{9,17}(\.\d+)?$/.test(String(value))
  const number = Number(value)
  const ms = isNumber
    ? number * (number > 1e14 ? 1e-3 : number > 1e11 ? 1 : 1_000)
    : typeof value === 'string' && /T.*(Z|[+-]\d\d:?\d\d)$/.test(value)
      ? Date.parse(value)
      : Number.NaN
  if (Number.isNaN(ms)) throw new Error(`${name}: its time cannot be read`)
  const ageS = (a.nowMs - ms) / 1_000
  if (ageS > a.maxAgeS) throw new Error(`${name}: the answer is stale`)
  if (ageS < -FUTURE_S) throw new Error(`${name}: the answer is from the future`)
}
