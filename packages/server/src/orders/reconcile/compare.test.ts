import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { usdc } from '../../../test/order-state.ts'
import {
  AGAIN_MS,
  type Compared,
  compare,
  type KnownDifference,
  nextLookAt,
  nextOf,
  type OrderPace,
} from './compare.ts'

const now = new Date('2026-01-02T00:00:00Z')
const line = (found: bigint, height: bigint | null = 10n): Compared => ({
  ...{ legId: 'leg', asset: usdc, booked: 5n, found, height },
})
const known = (fields: Partial<KnownDifference> = {}): KnownDifference => ({
  ...{ booked: 5n, found: 4n, height: 10n, seenAt: now, toldAt: null },
  ...fields,
})

test('a difference is told when it was the same at two final blocks, and ends when it is gone', () => {
  assert.equal(nextOf(null, line(5n), now), 'nothing')
  assert.equal(nextOf(null, line(4n), now), 'note')
  assert.equal(nextOf(known(), line(4n, 10n), now), 'nothing', 'the same block says nothing new')
  assert.equal(nextOf(known(), line(4n, 9n), now), 'nothing')
  assert.equal(nextOf(known(), line(4n, 11n), now), 'tell')
  assert.equal(nextOf(known(), line(3n, 11n), now), 'change', 'another amount begins anew')
  assert.equal(nextOf(known(), { ...line(3n, 11n), booked: 4n }, now), 'tell', 'what moved in both is the same gap')
  assert.equal(nextOf(known({ toldAt: now }), line(4n, 12n), now), 'nothing')
  assert.equal(nextOf(known({ toldAt: now }), line(5n, 12n), now), 'end')
  // Without blocks, time has to pass.
  assert.equal(nextOf(known({ height: null }), line(4n, null), now), 'nothing')
  assert.equal(nextOf(known({ height: null }), line(4n, null), new Date(now.getTime() + 1)), 'tell')
})

test('what lies there and was never booked is a line as well; a contract is the same in every spelling', () => {
  const books = [{ legId: 'leg', legRef: 'r.1', asset: usdc, booked: 5n }]
  const other = { ...usdc, asset: 'DUST', contract: '0xd' }
  const holdings = [
    { legRef: 'r.1', asset: { ...usdc, contract: usdc.contract?.toUpperCase() ?? null }, amount: 5n, height: 1n },
    { legRef: 'r.1', asset: other, amount: 3n, height: 1n },
    { legRef: 'r.2', asset: usdc, amount: 9n, height: 1n },
  ]
  assert.deepEqual(
    compare(books, holdings).map(({ asset, booked, found }) => [asset.asset, booked, found]),
    [
      [usdc.asset, 5n, 5n],
      ['DUST', 0n, 3n],
    ],
  )
})

test('an order that closed has two looks of its own, and more only while something differs or is unread', () => {
  const wait = (fields: Partial<OrderPace>, ageMs = 0): number | null => {
    const updatedAt = new Date(now.getTime() - ageMs)
    const next = nextLookAt({ status: 'success', updatedAt, differs: 'no', missed: 'nothing', ...fields }, now)
    return next === null ? null : next.getTime() - now.getTime()
  }
  assert.equal(wait({}, AGAIN_MS), HOUR_MS - AGAIN_MS, 'once more when what closed it is final')
  assert.equal(wait({}, HOUR_MS), null)
  for (const status of ['pending', 'processing']) {
    assert.equal(wait({ status }), null, 'the rounds have the open ones')
    assert.equal(wait({ status, missed: 'all' }), null)
    assert.equal(wait({ status, differs: 'new' }), AGAIN_MS)
  }
  for (const ageMs of [0, 100 * DAY_MS]) {
    assert.equal(wait({ differs: 'new' }, ageMs), AGAIN_MS)
    assert.equal(wait({ differs: 'told' }, ageMs), 5 * MINUTE_MS, 'an open difference is followed to its end')
    assert.equal(wait({ differs: 'told', missed: 'all' }, ageMs), 10 * MINUTE_MS)
  }
  assert.equal(wait({ missed: 'part' }), MINUTE_MS)
  assert.equal(wait({ missed: 'all' }), 10 * MINUTE_MS)
  assert.equal(wait({ missed: 'all' }, DAY_MS), null, 'after a day the rounds have it')
})
