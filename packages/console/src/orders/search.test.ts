// Promises of the filter: what is in the address bar is understood or left out, and days are those of the merchant's zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFiltered, orderQuery, parseOrderSearch } from './search.ts'

test('only what is understood is kept', () => {
  assert.deepEqual(parseOrderSearch({ status: 'success', q: ' A-1 ', chain: 'base', from: '2026-01-31', to: 'soon' }), {
    status: ['success'],
    q: 'A-1',
    chain: 'base',
    from: '2026-01-31',
  })
  assert.deepEqual(parseOrderSearch({ status: ['nonsense'], q: '  ', from: '2026-99-99', page: 3 }), {})
  assert.deepEqual(parseOrderSearch({ q: 1001 }), { q: '1001' })
})

test('all statuses are no filter', () => {
  const all = ['pending', 'processing', 'success', 'failed', 'refunded', 'expired']
  assert.ok(!isFiltered(parseOrderSearch({ status: all })))
  assert.ok(isFiltered(parseOrderSearch({ status: ['failed'] })))
})

test('a range of days reaches from the first moment to the end of the last', () => {
  assert.equal(
    orderQuery(parseOrderSearch({ currency: 'eur', min: '9,5', max: 'x' }), { live: true, zone: 'UTC' })
      .amount_usd_from,
    '9.5',
  )
  const { created_from, created_to } = orderQuery(
    { from: '2026-01-31', to: '2026-01-31' },
    { live: false, zone: 'Asia/Tokyo' },
  )
  assert.deepEqual([created_from, created_to], ['2026-01-30T15:00:00.000Z', '2026-01-31T15:00:00.000Z'])
})

test('the mode is always asked for', () => {
  assert.equal(orderQuery({}, { live: true, zone: 'UTC' }).livemode, true)
  assert.equal(orderQuery({}, { live: false, zone: 'UTC' }).livemode, false)
})
