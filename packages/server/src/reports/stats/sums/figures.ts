// What a range of time amounts to, from the sums of days and hours and the orders at its ends.
import type { Sql } from '@florin/platform/db/pool'
import { orderStatuses } from '@florin/protocol'
import type { Asked } from '../store.ts'
import { type Figure, type Kinds, listAllSteps, listFigures, listSteps, type Step } from './figures.store.ts'
import { spansOf } from './spans.ts'

export type { Figure }

/** @param starts of the buckets; a summary has one. */
export async function readFigures(
  sql: Sql,
  a: Asked,
  starts: readonly Date[],
  { kinds = 'money', isByHour = false }: { kinds?: Kinds; isByHour?: boolean } = {},
): Promise<Figure[]> {
  return listFigures(sql, { ...a, kinds, starts, spans: spansOf(a, { starts, isByHour }) })
}

/** How many orders of the whole range were paid within which time. */
export async function readSteps(sql: Sql, a: Asked): Promise<Step[]> {
  const starts = [a.from]
  return listAllSteps(sql, { ...a, starts, spans: spansOf(a, { starts, isByHour: false }) })
}

/** Of each bucket: how many orders were settled, and within how many seconds half of them were paid, to 2 %. */
export async function readMiddleTimes(
  sql: Sql,
  a: Asked,
  starts: readonly Date[],
  isByHour: boolean,
): Promise<{ bucket: number; n: number; seconds: number }[]> {
  const rows = await listSteps(sql, { ...a, starts, spans: spansOf(a, { starts, isByHour }) })
  return rows.flatMap(({ bucket, kinds, counts: joined }) => {
    const counts: number[] = []
    const each = new DataView(joined.buffer, joined.byteOffset, joined.byteLength)
    const [, ...steps] = kinds.split('t')
    for (const [at, text] of steps.entries()) {
      const step = Number(text)
      counts[step] = (counts[step] ?? 0) + each.getInt32(4 * at)
    }
    const seconds = secondsWithin(counts, 0.5)
    return seconds === null ? [] : [{ bucket, n: counts.reduce((sum, n) => sum + n, 0), seconds }]
  })
}

const secondsOfStep = (step: number): number => 2 ** ((step + 0.5) / 16) - 1

const statuses: ReadonlySet<string> = new Set(orderStatuses)

/** Orders by when they were made. */
export const madeOf = (figures: readonly Figure[]): Figure[] => figures.filter((one) => statuses.has(one.kind))
/** Orders by when they were settled. */
export const settledOf = (figures: readonly Figure[]): Figure[] => figures.filter((one) => one.kind === 'settled')

/** Deliveries that ended, by when they were made. */
export const deliveredOf = (figures: readonly Figure[], status: 'succeeded' | 'dead'): Figure[] =>
  figures.filter((one) => one.kind === `d${status}`)

export const countOf = (figures: readonly Figure[]): number => figures.reduce((sum, one) => sum + one.n, 0)
export const microsOf = (figures: readonly Figure[]): bigint =>
  figures.reduce((sum, one) => sum + BigInt(one.micros), 0n)

/** By bucket; empty ones are not there. */
export function byBucket(figures: readonly Figure[]): Map<number, Figure[]> {
  const buckets = new Map<number, Figure[]>()
  for (const one of figures) buckets.set(one.bucket, [...(buckets.get(one.bucket) ?? []), one])
  return buckets
}

/** Sums of what was asked for in other currencies than dollars, by currency and its digits. */
export function othersOf(figures: readonly Figure[]) {
  const sums = new Map<string, { currency: string; exponent: number; orders: number; minor: string; micros: string }>()
  for (const one of figures.filter(({ currency }) => currency !== 'USD')) {
    const name = `${one.currency} ${one.exponent}`
    const sum = sums.get(name) ?? { currency: one.currency, exponent: one.exponent, orders: 0, minor: '0', micros: '0' }
    sums.set(name, {
      ...sum,
      orders: sum.orders + one.n,
      minor: String(BigInt(sum.minor) + BigInt(one.minor)),
      micros: String(BigInt(sum.micros) + BigInt(one.micros)),
    })
  }
  return [...sums.values()]
}

/** Seconds within which a share of the settled orders was paid, to 2 %; null: nothing was settled. */
export function secondsOf(steps: readonly Step[], share: number): number | null {
  const counts: number[] = []
  for (const { kind, n } of steps) {
    const [, step] = /^t(\d+)$/.exec(kind) ?? []
    if (step !== undefined) counts[Number(step)] = (counts[Number(step)] ?? 0) + n
  }
  return secondsWithin(counts, share)
}

/** @param counts of orders, by step; steps without any may be left out. */
function secondsWithin(counts: readonly number[], share: number): number | null {
  const rank = share * counts.reduce((sum, n) => sum + n, 0)
  let seen = 0
  for (const [step, n = 0] of counts.entries()) {
    seen += n
    if (n !== 0 && seen >= rank) return secondsOfStep(step)
  }
  return null
}
