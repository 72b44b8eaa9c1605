import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, dayOf, HOUR_MS, statsBuckets } from '@florin/protocol'
import fc from 'fast-check'
import { bucketStarts, POINTS_MAX, readRange } from './range.ts'

const now = new Date('2026-03-11T10:20:30.400Z')
const texts = (starts: readonly Date[]): string[] => starts.map((start) => start.toISOString().slice(0, 13))

test('without a range it is the last thirty days', () => {
  assert.deepEqual(readRange({}, now), { from: new Date(now.getTime() - 30 * DAY_MS), to: now })
})

test('a range that is empty, backwards or too long is refused', () => {
  const refused = (query: { from?: string; to?: string }, param: string): void =>
    assert.throws(
      () => readRange(query, now),
      (error) => error instanceof AppError && error.param === param,
    )
  refused({ from: '2026-03-11T10:20:30.400Z' }, 'from')
  refused({ from: '2026-03-12', to: '2026-03-11' }, 'from')
  refused({ from: '2024-01-01' }, 'from')
  refused({ from: 'last week' }, 'from')
  refused({ to: '2026-13-01' }, 'to')
})

test('buckets begin on whole hours, days, Mondays and firsts of a month', () => {
  const range = { from: new Date('2026-02-27T22:30:00Z'), to: new Date('2026-03-03T00:00:00Z') }
  assert.deepEqual(texts(bucketStarts({ ...range, to: new Date('2026-02-28T01:00:00Z') }, 'hour', 'UTC')), [
    '2026-02-27T22',
    '2026-02-27T23',
    '2026-02-28T00',
  ])
  assert.deepEqual(texts(bucketStarts(range, 'day', 'UTC')), [
    '2026-02-27T00',
    '2026-02-28T00',
    '2026-03-01T00',
    '2026-03-02T00',
  ])
  assert.deepEqual(texts(bucketStarts(range, 'week', 'UTC')), ['2026-02-23T00', '2026-03-02T00'])
  assert.deepEqual(texts(bucketStarts(range, 'month', 'UTC')), ['2026-02-01T00', '2026-03-01T00'])
})

test('buckets: of a zone → its days, Mondays and months, however long they are', () => {
  const range = { from: new Date('2026-03-28T12:00:00Z'), to: new Date('2026-03-30T12:00:00Z') }
  const iso = (zone: string, bucket: 'day' | 'week' | 'month') =>
    bucketStarts(range, bucket, zone).map((start) => start.toISOString().slice(0, 16))
  assert.deepEqual(iso('Europe/Berlin', 'day'), ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00'])
  assert.deepEqual(iso('Asia/Kathmandu', 'day'), ['2026-03-27T18:15', '2026-03-28T18:15', '2026-03-29T18:15'])
  assert.deepEqual(iso('Asia/Tokyo', 'week'), ['2026-03-22T15:00', '2026-03-29T15:00'])
  assert.deepEqual(iso('America/New_York', 'month'), ['2026-03-01T05:00'])
})

test('buckets: a day that the zone skipped → none of its own', () => {
  for (const [zone, from, ...days] of [
    ['Pacific/Apia', '2011-12-28T12:00:00Z', '2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02'],
    ['Pacific/Kwajalein', '1993-08-19T12:00:00Z', '1993-08-19', '1993-08-20', '1993-08-22', '1993-08-23'],
  ] as const) {
    const range = { from: new Date(from), to: new Date(Date.parse(from) + 4 * DAY_MS) }
    assert.deepEqual(
      bucketStarts(range, 'day', zone).map((start) => dayOf(start, zone)),
      days,
    )
  }
})

test('buckets cover their range without gap or overlap', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const moment = fc.integer({ min: Date.UTC(2019, 0), max: Date.UTC(2031, 0) })
  fc.assert(
    fc.property(
      moment,
      fc.integer({ min: 1, max: 40 * 24 }),
      fc.constantFrom(...statsBuckets),
      zone,
      (at, hours, bucket, zone) => {
        const range = { from: new Date(at), to: new Date(at + hours * HOUR_MS) }
        const starts = bucketStarts(range, bucket, zone)
        assert.ok(starts.length >= 1 && starts.length <= POINTS_MAX)
        assert.ok((starts[0] as Date) <= range.from)
        assert.ok((starts.at(-1) as Date) < range.to)
        assert.ok(starts[1] === undefined || starts[1] > range.from)
        for (const [n, start] of starts.entries()) {
          const after = starts[n + 1]
          if (after !== undefined)
            assert.ok(after > start && after.getTime() - start.getTime() <= 31 * DAY_MS + HOUR_MS)
        }
      },
    ),
  )
})

test('more points than a plot can show are refused', () => {
  const range = { from: new Date(now.getTime() - 90 * DAY_MS), to: now }
  assert.throws(() => bucketStarts(range, 'hour', 'UTC'), /larger buckets/)
})
