// Time ranges of statistics and their buckets, which are days, weeks and months of a time zone. Pure.
import { AppError } from '@florin/platform/errors'
import { parseMoment } from '@florin/platform/http/timestamp'
import {
  addDays,
  addMonths,
  DAY_MS,
  dayOf,
  firstOfMonth,
  HOUR_MS,
  mondayOf,
  type StatsBucket,
  startOfDay,
} from '@florin/protocol'

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
export function bucketStarts(range: Range, bucket: StatsBucket, zone: string): Date[] {
  const starts: Date[] = []
  for (const start of bucket === 'hour' ? hoursFrom(range.from, zone) : daysFrom(range.from, bucket, zone)) {
    if (start >= range.to) break
    // A day that the zone skipped begins where the next one does.
    if (start.getTime() === starts.at(-1)?.getTime()) continue
    starts.push(start)
    if (starts.length > POINTS_MAX) {
      throw new AppError('validation_failed', {
        param: 'bucket',
        message: `This range has more than ${POINTS_MAX} buckets of a ${bucket}: take larger buckets or a shorter range.`,
      })
    }
  }
  return starts
}

/** As the clock of the zone strikes at the beginning; a change by half an hour later moves none. */
function* hoursFrom(from: Date, zone: string): Generator<Date> {
  const midnight = startOfDay(dayOf(from, zone), zone).getTime()
  for (let n = Math.floor((from.getTime() - midnight) / HOUR_MS); ; n++) yield new Date(midnight + n * HOUR_MS)
}

function* daysFrom(from: Date, bucket: Exclude<StatsBucket, 'hour'>, zone: string): Generator<Date> {
  const today = dayOf(from, zone)
  // Weeks begin on Monday (ISO 8601).
  const first = bucket === 'day' ? today : bucket === 'week' ? mondayOf(today) : firstOfMonth(today)
  const after = (day: string): string =>
    bucket === 'month' ? addMonths(day, 1) : addDays(day, bucket === 'week' ? 7 : 1)
  for (let day = first; ; day = after(day)) yield startOfDay(day, zone)
}
