// Time ranges of statistics and their buckets, in UTC. Pure.
import { DAY_MS, HOUR_MS, type StatsBucket } from '@florin/protocol'
import { unreachable } from '../../platform/assert.ts'
import { AppError } from '../../platform/errors.ts'
import { parseMoment } from '../../platform/http/timestamp.ts'

/** From `from` up to, but excluding, `to`. */
export interface Range {
  from: Date
  to: Date
}

const RANGE_DEFAULT_DAYS = 30
/** Slightly more than a year, so that a month can be compared with the same month of last year. */
const RANGE_MAX_DAYS = 400
export const POINTS_MAX = 1_000

/** @throws AppError validation_failed */
export function readRange(query: { from?: string; to?: string }, now: Date): Range {
  const to = query.to === undefined ? now : parseMoment(query.to, 'to')
  const from =
    query.from === undefined ? new Date(to.getTime() - RANGE_DEFAULT_DAYS * DAY_MS) : parseMoment(query.from, 'from')
  if (from >= to) throw new AppError('validation_failed', { param: 'from', message: '"from" must be before "to".' })
  if (to.getTime() - from.getTime() > RANGE_MAX_DAYS * DAY_MS) {
    throw new AppError('validation_failed', {
      param: 'from',
      message: `A range has at most ${RANGE_MAX_DAYS} days.`,
    })
  }
  return { from, to }
}

/** The start of each bucket of a range, the first one at or before `from`. @throws AppError validation_failed */
export function bucketStarts(range: Range, bucket: StatsBucket): Date[] {
  const starts: Date[] = []
  for (let at = startOf(range.from, bucket); at < range.to; at = startAfter(at, bucket)) {
    starts.push(at)
    if (starts.length > POINTS_MAX) {
      throw new AppError('validation_failed', {
        param: 'bucket',
        message: `This range has more than ${POINTS_MAX} buckets of a ${bucket}: take larger buckets or a shorter range.`,
      })
    }
  }
  return starts
}

function startOf(at: Date, bucket: StatsBucket): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (bucket) {
    case 'hour':
      return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
    case 'day':
      return new Date(Date.UTC(year, month, day))
    case 'week':
      // Weeks begin on Monday (ISO 8601).
      return new Date(Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)))
    case 'month':
      return new Date(Date.UTC(year, month, 1))
    default:
      return unreachable(bucket)
  }
}

function startAfter(start: Date, bucket: StatsBucket): Date {
  switch (bucket) {
    case 'hour':
      return new Date(start.getTime() + HOUR_MS)
    case 'day':
      return new Date(start.getTime() + DAY_MS)
    case 'week':
      return new Date(start.getTime() + 7 * DAY_MS)
    case 'month':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    default:
      return unreachable(bucket)
  }
}
