// Promises of the range: it covers today, ends on edges of buckets, and stays the same question for a while.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketLabel, parseRangeSearch, rangeOf } from './range.ts'

const now = Date.parse('2026-11-21T12:34:56Z')

test('named ranges cover today and whole days', () => {
  assert.deepEqual(rangeOf({}, now), {
    name: '7d',
    from: '2026-11-15T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    bucket: 'day',
  })
  assert.equal(rangeOf({ range: '90d' }, now).from, '2026-08-24T00:00:00.000Z')
})

test('a day is cut by the hour and ends with the present one', () => {
  const range = rangeOf({ range: '24h' }, now)
  assert.equal(range.to, '2026-11-21T13:00:00.000Z')
  assert.equal(range.bucket, 'hour')
  assert.deepEqual(rangeOf({ range: '24h' }, now + 60_000), range)
})

test('a custom range includes both its days, whichever way round they are given', () => {
  const range = rangeOf({ range: 'custom', from: '2026-10-01', to: '2026-10-31' }, now)
  assert.equal(range.from, '2026-10-01T00:00:00.000Z')
  assert.equal(range.to, '2026-11-01T00:00:00.000Z')
  const turned = rangeOf({ range: 'custom', from: '2026-10-31', to: '2026-10-01' }, now)
  assert.deepEqual([turned.from, turned.to], [range.from, range.to])
})

test('long ranges have coarser buckets', () => {
  assert.equal(rangeOf({ range: 'custom', from: '2026-01-01', to: '2026-11-01' }, now).bucket, 'week')
  assert.equal(rangeOf({ range: 'custom', from: '2020-01-01', to: '2026-11-01' }, now).bucket, 'month')
})

test('the address bar is understood or ignored', () => {
  assert.deepEqual(parseRangeSearch({ range: '30d', from: 'x', to: 7 }), { range: '30d' })
  assert.deepEqual(parseRangeSearch({ range: 'ever' }), {})
})

test('buckets are named in UTC', () => {
  assert.equal(bucketLabel('2026-11-21T05:00:00Z', 'hour'), '05:00')
  assert.equal(bucketLabel('2026-11-21T00:00:00Z', 'day'), '21 Nov')
  assert.equal(bucketLabel('2026-11-01T00:00:00Z', 'month'), 'Nov 2026')
})
