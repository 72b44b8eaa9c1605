// The range of time that the overview shows, and the size of its buckets. Pure. Days are those of the merchant's time zone, as the
// server cuts them, and ranges end on bucket edges, so that the same range is the same question for as long as it can be.
import { addDays, dayOf, type StatsBucket, startOfDay } from '@florin/protocol'

export const rangeNames = ['24h', '7d', '30d', '90d', 'custom'] as const
export type RangeName = (typeof rangeNames)[number]

export interface RangeSearch {
  range?: RangeName
  /** Days, with `range: 'custom'`. */
  from?: string
  to?: string
}

export interface Range {
  name: RangeName
  from: string
  to: string
  bucket: StatsBucket
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const day = /^\d{4}-\d{2}-\d{2}$/

export function parseRangeSearch(search: Record<string, unknown>): RangeSearch {
  const range = rangeNames.find((name) => name === search.range)
  const dayOf = (value: unknown) =>
    typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
  const from = dayOf(search.from)
  const to = dayOf(search.to)
  return {
    ...(range === undefined ? {} : { range }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

export function rangeOf(search: RangeSearch, now: number, zone: string): Range {
  const today = dayOf(new Date(now), zone)
  const days = (name: RangeName, first: string, last: string): Range =>
    ranged(name, startOfDay(first, zone).getTime(), startOfDay(addDays(last, 1), zone).getTime())
  const named = (name: RangeName, count: number): Range => days(name, addDays(today, 1 - count), today)
  switch (search.range) {
    case '24h': {
      const midnight = startOfDay(today, zone).getTime()
      const to = midnight + Math.floor((now - midnight) / HOUR) * HOUR + HOUR
      return ranged('24h', to - DAY, to)
    }
    case '30d':
      return named('30d', 30)
    case '90d':
      return named('90d', 90)
    case 'custom': {
      const last = search.to ?? today
      const first = search.from ?? addDays(last, -6)
      return first < last ? days('custom', first, last) : days('custom', last, first)
    }
    default:
      return named('7d', 7)
  }
}

function ranged(name: RangeName, from: number, to: number): Range {
  return {
    name,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucket: bucketFor(Math.round((to - from) / DAY)),
  }
}

/** So that a plot has some twenty to ninety points. */
function bucketFor(days: number): StatsBucket {
  if (days <= 3) return 'hour'
  if (days <= 92) return 'day'
  return days <= 730 ? 'week' : 'month'
}

/** The label of a bucket below a plot and in its table. */
export function bucketLabel(at: string, bucket: StatsBucket, zone: string): string {
  const options: Intl.DateTimeFormatOptions =
    bucket === 'hour'
      ? { day: 'numeric', hour: '2-digit', minute: '2-digit' }
      : bucket === 'month'
        ? { month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short' }
  const text = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(new Date(at))
  // The day adds nothing within one day's plot.
  return bucket === 'hour' ? text.replace(/^\d+,? /, '') : text
}
