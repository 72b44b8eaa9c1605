// Which part of a range is read as days, as hours and as orders. Pure.
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import type { Range } from '../range.ts'
import type { Spans } from './figures.store.ts'

interface Asked {
  /** Buckets are hours. */
  isByHour: boolean
  /** The starts of the buckets: no sum is of two of them. */
  starts: readonly Date[]
}

/**
 * Sums are of hours and days of UTC. Where a bucket begins within an hour, as the days of a zone with half an hour or a quarter do,
 * that hour is read as orders; where it begins within a day, the rest of the day is read as hours.
 */
export function spansOf(range: Range, a: Asked): Spans {
  const within = a.starts.filter((start) => start > range.from && start < range.to)
  const ends = [range.from, ...within, range.to]
  const spans = ends.slice(1).map((to, n) => spansWithin({ from: ends[n] ?? to, to }, a.isByHour))
  return {
    orders: joined(spans.flatMap((span) => span.orders)),
    hours: joined(spans.flatMap((span) => span.hours)),
    days: joined(spans.flatMap((span) => span.days)),
  }
}

function spansWithin(range: Range, isByHour: boolean): Spans {
  const { from, to } = range
  const up = (at: Date, ms: number): Date => new Date(Math.ceil(at.getTime() / ms) * ms)
  const down = (at: Date, ms: number): Date => new Date(Math.floor(at.getTime() / ms) * ms)
  const firstHour = up(from, HOUR_MS)
  const lastHour = down(to, HOUR_MS)
  if (firstHour >= lastHour) return { orders: [range], hours: [], days: [] }
  const firstDay = up(firstHour, DAY_MS)
  const lastDay = down(lastHour, DAY_MS)
  const hasDays = !isByHour && firstDay < lastDay
  const span = (start: Date, end: Date): Range[] => (start < end ? [{ from: start, to: end }] : [])
  return {
    orders: [...span(from, firstHour), ...span(lastHour, to)],
    hours: hasDays ? [...span(firstHour, firstDay), ...span(lastDay, lastHour)] : span(firstHour, lastHour),
    days: hasDays ? span(firstDay, lastDay) : [],
  }
}

/** Spans that touch are read as one. */
function joined(spans: readonly Range[]): Range[] {
  const found: Range[] = []
  for (const span of spans) {
    const last = found.at(-1)
    if (last !== undefined && last.to.getTime() === span.from.getTime())
      found.splice(-1, 1, { from: last.from, to: span.to })
    else found.push(span)
  }
  return found
}
