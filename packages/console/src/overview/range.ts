// The range of time that the overview shows, and the size of its buckets. Pure. Buckets are cut in UTC, as the server
// cuts them, and ranges end on bucket edges, so that the same range is the same question for as long as it can be.
import type { StatsBucket } from '@florin/protocol'

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

export function rangeOf(search: RangeSearch, now: number): Range {
  const tomorrow = Math.floor(now / DAY) * DAY + DAY
  const named = (name: RangeName, days: number): Range => ranged(name, tomorrow - days * DAY, tomorrow)
  switch (search.range) {
    case '24h': {
      const to = Math.floor(now / HOUR) * HOUR + HOUR
      return ranged('24h', to - DAY, to)
    }
    case '30d':
      return named('30d', 30)
    case '90d':
      return named('90d', 90)
    case 'custom': {
      const last = search.to === undefined ? tomorrow - DAY : Date.parse(search.to)
      const first = search.from === undefined ? last - 6 * DAY : Date.parse(search.from)
      return ranged('custom', Math.min(first, last), Math.max(first, last) + DAY)
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
    bucket: bucketFor((to - from) / DAY),
  }
}

/** So that a plot has some twenty to ninety points. */
function bucketFor(days: number): StatsBucket {
  if (days <= 3) return 'hour'
  if (days <= 92) return 'day'
  return days <= 730 ? 'week' : 'month'
}

/** What a bucket is called below a plot and in its table, in UTC. */
export function bucketLabel(at: string, bucket: StatsBucket): string {
  const options: Intl.DateTimeFormatOptions =
    bucket === 'hour'
      ? { day: 'numeric', hour: '2-digit', minute: '2-digit' }
      : bucket === 'month'
        ? { month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short' }
  const text = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(at))
  // The day adds nothing within one day's plot.
  return bucket === 'hour' ? text.replace(/^\d+,? /, '') : text
}
