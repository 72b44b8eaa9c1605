// Whether the answers of sources about a currency are a rate: at least two that are young enough, and their median. Pure.
import { type Currency, DAY_MS, type FxSource, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { apartBps, compareRates, product } from './arithmetic.ts'

/** A market's answer counts for this long. */
export const LIVE_MAX_AGE_MS = 10 * MINUTE_MS
/** A daily fixing is published in the afternoon and serves until the end of the next day. */
export const FIXING_SERVES_MS = 2 * DAY_MS
/** It counts for so long after that: from the Thursday before Easter until the end of the Tuesday after it. */
export const FIXING_MAX_AGE_MS = 4 * DAY_MS
/** A date further ahead than this is a fault, not a time zone. */
const FUTURE_MS = 48 * HOUR_MS
/** How far an answer may be from the median. From one fixing to the next, 99 of 100 moves are within it. */
export const TOLERANCE_BPS = 200
/** With fewer answers there is no rate. */
export const SOURCES_LEAST = 2

/** The last answer of one source about one currency. */
export interface Seen {
  source: string
  quote: string
  kind: 'live' | 'fixing' | 'fixed'
  /** Units for one dollar. */
  rate: string
  /** Of a fixing: the beginning of its day. */
  observedAt: Date
  fetchedAt: Date
}

/** The operator's word for one currency: a rate, or the one source that it is taken from. */
export type Override = { kind: 'rate'; rate: string } | { kind: 'source'; source: string }

export interface Context {
  now: Date
  override: Override | null
  /** Of the currency that a peg is to: units for one dollar now; null: not known. */
  anchor: string | null
}

export interface Agreed {
  kind: 'agreed'
  rate: string
  observedAt: Date
  validUntil: Date
  apartBps: number
  sources: FxSource[]
}

export type Verdict =
  | Agreed
  /** Too few answers that are young enough. */
  | { kind: 'silent'; why: string }
  | { kind: 'disagree'; why: string }
  | { kind: 'off_peg'; why: string }

interface Voice extends Seen {
  at: Date
  until: Date
}

/** @param seen of one currency. */
export function decide(currency: Currency, seen: readonly Seen[], { now, override, anchor }: Context): Verdict {
  if (override?.kind === 'rate') return alone(ofOperator(currency, override.rate, now))
  const named = override === null ? seen.filter((one) => one.kind === 'fixed') : seen.filter(isNamed(override))
  const voices = (named.length > 0 || override !== null ? named : seen).flatMap((one) => voiceOf(one, now))
  const [first] = voices
  if (first !== undefined && (override !== null || first.kind === 'fixed')) return alone(first)
  if (voices.length < SOURCES_LEAST) return { kind: 'silent', why: whySilent(voices, seen.length) }
  const sorted = [...voices].sort((a, b) => compareRates(a.rate, b.rate))
  // Of two the one that is better for merchants.
  const rate = sorted[Math.floor((sorted.length - 1) / 2)]?.rate ?? '0'
  const near = sorted.filter((voice) => apartBps(voice.rate, rate) <= TOLERANCE_BPS)
  if (near.length < SOURCES_LEAST || near.length * 2 <= voices.length) return { kind: 'disagree', why: listed(voices) }
  return offPeg(currency, rate, anchor) ?? agreed(rate, near)
}

const isNamed = (override: Override) => (one: Seen) => override.kind === 'source' && one.source === override.source

const ofOperator = ({ code }: Currency, rate: string, now: Date): Voice => ({
  ...{ source: 'operator', quote: code, kind: 'fixed', rate, observedAt: now, fetchedAt: now },
  ...{ at: now, until: new Date(now.getTime() + LIVE_MAX_AGE_MS) },
})

/** None where the answer is too old or from the future. The age is the observation's, never the fetch's. */
function voiceOf(one: Seen, now: Date): Voice[] {
  if (one.observedAt.getTime() > one.fetchedAt.getTime() + FUTURE_MS) return []
  const at = one.observedAt < one.fetchedAt ? one.observedAt : one.fetchedAt
  const until = new Date(
    at.getTime() + (one.kind === 'fixing' ? FIXING_SERVES_MS + FIXING_MAX_AGE_MS : LIVE_MAX_AGE_MS),
  )
  return until <= now ? [] : [{ ...one, at, until }]
}

const alone = (voice: Voice): Agreed => agreed(voice.rate, [voice])

/** @param near the answers within the tolerance, by rate */
function agreed(rate: string, near: readonly Voice[]): Agreed {
  return {
    ...{ kind: 'agreed', rate },
    observedAt: new Date(Math.min(...near.map((voice) => voice.at.getTime()))),
    validUntil: new Date(Math.min(...near.map((voice) => voice.until.getTime()))),
    apartBps: apartBps(near[0]?.rate ?? '1', near.at(-1)?.rate ?? '1'),
    sources: near.map(({ source, rate: its, at, fetchedAt }) => ({
      ...{ id: source, rate: its, observed_at: at.toISOString(), fetched_at: fetchedAt.toISOString() },
    })),
  }
}

function offPeg({ peg }: Currency, rate: string, anchor: string | null): Verdict | null {
  if (peg === undefined) return null
  const each = peg.to === 'USD' ? '1' : anchor
  if (each === null) return { kind: 'silent', why: `it is fixed to ${peg.to}, whose rate is not known` }
  const lawful = product(peg.rate, each)
  const bps = apartBps(rate, lawful)
  return bps <= TOLERANCE_BPS ? null : { kind: 'off_peg', why: `${rate} is ${bps} bps from the peg, ${lawful}` }
}

function whySilent(voices: readonly Voice[], asked: number): string {
  if (asked === 0) return 'no source has it'
  return voices.length === 0 ? 'no answer is young enough' : `only ${voices[0]?.source} answers`
}

const listed = (voices: readonly Voice[]): string =>
  voices.map((voice) => `${voice.source} ${voice.rate} of ${voice.at.toISOString().slice(0, 16)}`).join(', ')
