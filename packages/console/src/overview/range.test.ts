// Promises of the range: it covers today, ends on edges of buckets, and stays the same question for a while.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketLabel, parseRangeSearch, rangeOf } from './range.ts'

const now = Date.parse('2026-11-21T12:34:56Z')

test('named ranges cover today and whole days', () => {
  assert.deepEqual(rangeOf({}, now, 'UTC'), {
    name: '7d',
    from: '2026-11-15T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    bucket: 'day',
  })
  assert.equal(rangeOf({ range: '90d' }, now, 'UTC').from, '2026-08-24T00:00:00.000Z')
})

test('a day is cut by the hour and ends with the present one', () => {
  const range = rangeOf({ range: '24h' }, now, 'UTC')
  assert.equal(range.to, '2026-11-21T13:00:00.000Z')
  assert.equal(range.bucket, 'hour')
  assert.deepEqual(rangeOf({ range: '24h' }, now + 60_000, 'UTC'), range)
})

test('a custom range includes both its days, whichever way round they are given', () => {
  const range = rangeOf({ range: 'custom', from: '2026-10-01', to: '2026-10-31' }, now, 'UTC')
  assert.equal(range.from, '2026-10-01T00:00:00.000Z')
  assert.equal(range.to, '2026-11-01T00:00:00.000Z')
  const turned = rangeOf({ range: 'custom', from: '2026-10-31', to: '2026-10-01' }, now, 'UTC')
  assert.deepEqual([turned.from, turned.to], [range.from, range.to])
})

test('long ranges have coarser buckets', () => {
  assert.equal(rangeOf({ range: 'custom', from: '2026-01-01', to: '2026-11-01' }, now, 'UTC').bucket, 'week')
  assert.equal(rangeOf({ range: 'custom', from: '2020-01-01', to: '2026-11-01' }, now, 'UTC').bucket, 'month')
})

test('the address bar is understood or ignored', () => {
  assert.deepEqual(parseRangeSearch({ range: '30d', from: 'x', to: 7 }), { range: '30d' })
  assert.deepEqual(parseRangeSearch({ range: 'ever' }), {})
})

test('ranges: of a zone → its days, also where a clock is set', () => {
  const at = Date.parse('2026-11-21T16:30:00Z')
  assert.deepEqual(
    [rangeOf({}, at, 'Asia/Tokyo').to, rangeOf({}, at, 'America/New_York').to],
    ['2026-11-22T15:00:00.000Z', '2026-11-22T05:00:00.000Z'],
  )
  assert.equal(rangeOf({ range: '24h' }, at, 'Asia/Kathmandu').to, '2026-11-21T17:15:00.000Z')
  const days = { range: 'custom', from: '2026-10-24', to: '2026-10-26' } as const
  const { from, to, bucket } = rangeOf(days, at, 'Europe/Berlin')
  assert.deepEqual([from, to, bucket], ['2026-10-23T22:00:00.000Z', '2026-10-26T23:00:00.000Z', 'hour'])
  assert.equal(bucketLabel('2026-11-21T15:00:00Z', 'day', 'Asia/Tokyo'), '22 Nov')
})

test('buckets are named as they are cut', () => {
  assert.equal(bucketLabel('2026-11-21T05:00:00Z', 'hour', 'UTC'), '05:00')
  assert.equal(bucketLabel('2026-11-21T00:00:00Z', 'day', 'UTC'), '21 Nov')
  assert.equal(bucketLabel('2026-11-01T00:00:00Z', 'month', 'UTC'), 'Nov 2026')
})
