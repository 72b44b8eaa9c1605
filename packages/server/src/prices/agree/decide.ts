// Whether what sources say of a currency is a rate: answers of independent groups, young enough, that agree. Pure.
// Counts groups, never addresses: two answers of one bank, or passed on by one operator, are one voice.
import type { Currency, FxMarket, FxSource } from '@florin/protocol'
import { apartBps, compareRates, product } from './arithmetic.ts'
import { type Fixing, fixings, isMarketOpen, nextPublication, publicationsBetween } from './calendar.ts'
import {
  ALONE_MS,
  FIXING_MAX_MS,
  FUTURE_MS,
  JUMP_STEPS_MAX,
  jumpBps,
  LIVE_MS,
  OVERDUE_MS,
  STUCK_FIXINGS,
  STUCK_MS,
  toleranceBps,
} from './classes.ts'

/** What one source said of one currency last. */
export interface Seen {
  source: string
  quote: string
  market: FxMarket
  /** Who is behind it. */
  group: string
  /** Who passed it on; null: the source is the group itself. */
  via: string | null
  kind: 'live' | 'fixing' | 'fixed'
  /** Of a fixing: whose days count. */
  fixing: keyof typeof fixings | null
  /** Units for one dollar. */
  rate: string
  observedAt: Date
  fetchedAt: Date
  /** Since when it says this same rate. */
  changedAt: Date
}

export interface Context {
  now: Date
  /** The rate that was agreed on last, whenever that was. */
  last: { rate: string; agreedAt: Date } | null
  /** A jump to about this rate was looked at by a person. */
  released: string | null
  /** Of what a peg is to: units for one dollar now; null: not known. */
  anchor: string | null
}

export interface Agreed {
  kind: 'agreed' | 'stale'
  rate: string
  observedAt: Date
  validUntil: Date
  apartBps: number
  sources: FxSource[]
}

export type Verdict =
  | Agreed
  /** Too few voices that are young enough. */
  | { kind: 'silent'; why: string }
  | { kind: 'disagree'; why: string }
  | { kind: 'off_peg'; why: string }
  /** They agree on what is too far from the rate before. */
  | { kind: 'held'; why: string; rate: string }

interface Voice extends Seen {
  at: Date
  until: Date
}

/** @param seen of one currency and one market. */
export function decide(currency: Currency, seen: readonly Seen[], context: Context): Verdict {
  const standing = seen.find((one) => one.kind === 'fixed')
  if (standing !== undefined) return alone(standing, context.now)
  const voices = oneEach(seen.flatMap((one) => voiceOf(currency, one, context.now)))
  if (voices.length < 2) return { kind: 'silent', why: whySilent(voices, seen.length) }
  const chosen = largestAgreement(currency, voices)
  if (chosen.length < 2 || chosen.length * 2 <= voices.length) return { kind: 'disagree', why: told(voices) }
  const found = composed(chosen, context.now)
  const peg = offPeg(currency, found, context)
  if (peg !== null) return peg
  return jumped(currency, found.rate, context) ?? found
}

/** Rates of a test install: they say themselves that they are no market's. */
function alone(one: Seen, now: Date): Agreed {
  const observedAt = now < one.fetchedAt ? now : one.fetchedAt
  const validUntil = new Date(one.fetchedAt.getTime() + LIVE_MS)
  return { kind: 'agreed', rate: one.rate, observedAt, validUntil, apartBps: 0, sources: [sourceOf(one, observedAt)] }
}

/** None where the answer is too old, from the future, or dead. The age is the observation's, never the fetch's. */
function voiceOf(currency: Currency, one: Seen, now: Date): Voice[] {
  if (one.observedAt.getTime() > one.fetchedAt.getTime() + FUTURE_MS) return []
  const at = one.observedAt < one.fetchedAt ? one.observedAt : one.fetchedAt
  const until = one.kind === 'live' ? new Date(at.getTime() + LIVE_MS) : fixingUntil(at, one.fixing)
  if (until <= now) return []
  return isStuck(currency, one, now) ? [] : [{ ...one, at, until }]
}

function fixingUntil(at: Date, of: Seen['fixing']): Date {
  const fixing: Fixing = fixings[of ?? 'any']
  const next = nextPublication(at, fixing).getTime() + OVERDUE_MS
  return new Date(Math.min(next, at.getTime() + FIXING_MAX_MS))
}

/** A market that is open moves, and so do fixings of free currencies; a closed one, or a peg, need not. */
function isStuck(currency: Currency, one: Seen, now: Date): boolean {
  if (currency.class === 'peg') return false
  if (one.kind === 'fixing') {
    const isFree = currency.class === 'deep' || currency.class === 'mid'
    return isFree && publicationsBetween(one.changedAt, one.observedAt) >= STUCK_FIXINGS
  }
  const before = new Date(now.getTime() - STUCK_MS)
  return one.changedAt < before && isMarketOpen(now) && isMarketOpen(before)
}

/** One voice for each group, and one for each operator: the live one first, then who was asked itself, then the youngest. */
function oneEach(voices: readonly Voice[]): Voice[] {
  const sorted = [...voices].sort(
    (a, b) =>
      Number(a.kind !== 'live') - Number(b.kind !== 'live') ||
      Number(a.via !== null) - Number(b.via !== null) ||
      b.at.getTime() - a.at.getTime() ||
      (a.source < b.source ? -1 : 1),
  )
  const kept: Voice[] = []
  for (const voice of sorted) {
    const isNew = kept.every((other) => other.group !== voice.group && operatorOf(other) !== operatorOf(voice))
    if (isNew) kept.push(voice)
  }
  return kept
}

const operatorOf = (voice: Voice): string => voice.via ?? voice.group

/** The most voices that all agree with each other. Few enough to look from each of them. */
function largestAgreement(currency: Currency, voices: readonly Voice[]): Voice[] {
  let best: Voice[] = []
  for (const first of voices) {
    const set: Voice[] = []
    for (const voice of [first, ...voices.filter((other) => other !== first)]) {
      if (set.every((other) => agree(currency, voice, other))) set.push(voice)
    }
    if (set.length > best.length) best = set
  }
  return best
}

const agree = (currency: Currency, a: Voice, b: Voice): boolean =>
  apartBps(a.rate, b.rate) <= toleranceBps(currency, publicationsBetween(a.at, b.at))

/** A live market says the rate where there is one, else the youngest fixings; of two the one that is better for merchants. */
function composed(agreeing: readonly Voice[], now: Date): Agreed {
  const live = agreeing.filter((voice) => voice.kind === 'live')
  const young = agreeing.filter((voice) => voice.at.getTime() + ALONE_MS > now.getTime())
  const chosen = live.length === 0 && young.length >= 2 ? young : agreeing
  const youngest = Math.max(...chosen.map((voice) => voice.at.getTime()))
  const leading =
    live.length > 0 ? live : chosen.filter((voice) => publicationsBetween(voice.at, new Date(youngest)) === 0)
  const sorted = leading.map((voice) => voice.rate).sort(compareRates)
  const all = chosen.map((voice) => voice.rate).sort(compareRates)
  const oldest = Math.min(...chosen.map((voice) => voice.at.getTime()))
  const until = Math.min(...chosen.map((voice) => voice.until.getTime()))
  const isStale = live.length === 0 && oldest + ALONE_MS <= now.getTime()
  return {
    kind: isStale ? 'stale' : 'agreed',
    rate: sorted[Math.floor((sorted.length - 1) / 2)] ?? '0',
    observedAt: new Date(oldest),
    validUntil: new Date(isStale || live.length > 0 ? until : Math.min(until, oldest + ALONE_MS)),
    apartBps: apartBps(all[0] ?? '1', all.at(-1) ?? '1'),
    sources: chosen.map((voice) => sourceOf(voice, voice.at)),
  }
}

const sourceOf = (one: Seen, at: Date): FxSource => ({
  id: one.source,
  group: one.group,
  via: one.via,
  rate: one.rate,
  observed_at: at.toISOString(),
  fetched_at: one.fetchedAt.toISOString(),
})

function offPeg(currency: Currency, found: Agreed, { anchor, now }: Context): Verdict | null {
  const { peg } = currency
  if (peg === undefined) return null
  const each = peg.to === 'USD' ? '1' : anchor
  if (each === null) return { kind: 'silent', why: `it is fixed to ${peg.to}, whose rate is not known` }
  const lawful = product(peg.rate, each)
  const bps = apartBps(found.rate, lawful)
  if (bps <= toleranceBps(currency, publicationsBetween(found.observedAt, now))) return null
  return { kind: 'off_peg', why: `${found.rate} is ${bps} bps from the peg, ${lawful}` }
}

/** A jump, or another number of zeros: a person has to look, since sources may all follow one mistake. */
function jumped(currency: Currency, rate: string, { last, released, now }: Context): Verdict | null {
  if (released !== null && apartBps(rate, released) <= toleranceBps(currency, 1)) return null
  if (last === null) {
    const { redenominated } = currency
    if (redenominated === undefined) return null
    return { kind: 'held', rate, why: `new money since ${redenominated.on} under the old code: look which one this is` }
  }
  const bps = apartBps(rate, last.rate)
  const days = Math.min(publicationsBetween(last.agreedAt, now), JUMP_STEPS_MAX)
  if (bps <= jumpBps(currency, days) && !isPowerOfTen(rate, last.rate)) return null
  return { kind: 'held', rate, why: `${rate} is ${bps} bps from ${last.rate} of ${last.agreedAt.toISOString()}` }
}

/** Whether the ratio is within 5 % of 10, 100, … either way. */
function isPowerOfTen(a: string, b: string): boolean {
  const [low, high] = [a, b].sort(compareRates) as [string, string]
  for (let n = 1; n <= 6; n++) if (apartBps(product(low, String(10 ** n)), high) <= 500) return true
  return false
}

function whySilent(voices: readonly Voice[], asked: number): string {
  if (asked === 0) return 'no source knows it'
  return voices.length === 0 ? 'no answer is young enough' : `only ${voices[0]?.group} answers`
}

const told = (voices: readonly Voice[]): string =>
  voices.map((voice) => `${voice.group} ${voice.rate} of ${voice.at.toISOString().slice(0, 16)}`).join(', ')
