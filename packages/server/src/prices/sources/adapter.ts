// What a source of exchange rates is: what it is asked, and how its answer is read into units for one dollar. Pure.
// An answer is read whole or refused: HTML, another base, an error inside a 200. A single bad currency is left out.
import { decimalOf } from '@florin/platform/money'
import { currencies } from '@florin/protocol'
import { quotient } from '../agree/arithmetic.ts'
import type { Seen } from '../agree/decide.ts'

export type Answer = Pick<Seen, 'quote' | 'kind' | 'rate' | 'observedAt'>

export interface Adapter {
  id: string
  /** Between two questions; after failures longer. */
  everyMs: number
  /** None: its rates are built in. */
  urls: readonly string[]
  /** The type that its answers must say they are. */
  type: 'json' | 'csv'
  /**
   * @param texts the bodies, one for each address.
   * @throws UnreadableAnswer with a reason for people
   */
  read(texts: readonly string[], fetchedAt: Date): Answer[]
}

export class UnreadableAnswer extends Error {}

export const refuse = (why: string): never => {
  throw new UnreadableAnswer(why)
}

export type Json = Record<string, unknown>

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('it is not JSON')
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function objectAt(value: unknown, name: string): Json {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return isObject(found) ? found : refuse(`there is no ${name} in it`)
}

export function listAt(value: unknown, name: string): unknown[] {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  if (!Array.isArray(found)) return refuse(`there is no list ${name} in it`)
  return found.length > 0 ? found : refuse(`${name} is empty`)
}

/** A rate above zero as text of at most 18 significant digits: numbers and decimal text, read to their end; else null. */
export function readRate(value: unknown): string | null {
  const text = decimalOf(value)
  if (text === null || !/[1-9]/.test(text)) return null
  const [whole = '0', fraction = ''] = text.split('.')
  if (whole.length > 12) return null
  const rate = quotient(`${whole}.${fraction.slice(0, 40)}0`, '1')
  // No money is worth a trillion times another.
  return /^0(\.0{12}|$)/.test(rate) ? null : rate
}

/** The beginning of a day. A fixing names no hour, and is never taken for younger than it is. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`)

/** A day that exists, written YYYY-MM-DD; else null. */
export function readDay(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const at = startOf(value)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) ? value : null
}

/** What we price in, dollars apart: coins, metals and dead codes are left out. */
export const isQuote = (code: unknown): code is string =>
  typeof code === 'string' && code !== 'USD' && currencies.get(code)?.ended === undefined && currencies.has(code)

/** Each currency once; one that stands in it twice with two rates is not known. */
export function onlyOnce(answers: readonly Answer[]): Answer[] {
  const byCode = new Map<string, Answer | null>()
  for (const answer of answers) {
    const before = byCode.get(answer.quote)
    if (before === undefined) byCode.set(answer.quote, answer)
    else if (before?.rate !== answer.rate) byCode.set(answer.quote, null)
  }
  return [...byCode.values()].filter((answer) => answer !== null)
}
