// Which part of a range is read as days, as hours and as orders. Pure.
import { DAY_MS, HOUR_MS } from '@florin/protocol'
import type { Range } from '../range.ts'
import type { Spans } from './figures.store.ts'

/**
 * @param a.isWhole the sums hold every order; else all of the range is read as orders.
 * @param a.isByHour buckets are hours.
 */
export function spansOf(range: Range, a: { isWhole: boolean; isByHour: boolean }): Spans {
  const { from, to } = range
  const up = (at: Date, ms: number): Date => new Date(Math.ceil(at.getTime() / ms) * ms)
  const down = (at: Date, ms: number): Date => new Date(Math.floor(at.getTime() / ms) * ms)
  const firstHour = up(from, HOUR_MS)
  const lastHour = down(to, HOUR_MS)
  if (!a.isWhole || firstHour >= lastHour) return { orders: [range], hours: [], days: [] }
  const firstDay = up(firstHour, DAY_MS)
  const lastDay = down(lastHour, DAY_MS)
  const hasDays = !a.isByHour && firstDay < lastDay
  const span = (start: Date, end: Date): { from: Date; to: Date }[] => (start < end ? [{ from: start, to: end }] : [])
  return {
    orders: [...span(from, firstHour), ...span(lastHour, to)],
    hours: hasDays ? [...span(firstHour, firstDay), ...span(lastDay, lastHour)] : span(firstHour, lastHour),
    days: hasDays ? span(firstDay, lastDay) : [],
  }
}
