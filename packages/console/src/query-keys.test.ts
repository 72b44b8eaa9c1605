// Promises of the cache: a change makes stale what it concerns, in its own mode only, and each thing once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Key, keys, parseChange, staleAfter } from './query-keys.ts'

/** Whether invalidating `prefix` reaches `key`, as the query cache judges it. */
const reaches = (prefix: Key, key: Key) => prefix.every((part, n) => part === key[n])
const isStale = (found: readonly Key[], key: Key) => found.some((prefix) => reaches(prefix, key))

test('an order that changed makes its own page and the lists of its mode stale, and nothing of the other mode', () => {
  const { soon, later } = staleAfter([{ kind: 'order', livemode: false, order_no: 'ord_1' }])
  assert.ok(isStale(soon, keys.orders(false, 'list', { q: 'x' })))
  assert.ok(isStale(soon, keys.order('ord_1', 'timeline')))
  assert.ok(isStale(later, keys.stats(false, 'summary')))
  assert.ok(!isStale([...soon, ...later], keys.orders(true, 'list', {})))
  assert.ok(!isStale([...soon, ...later], keys.order('ord_2')))
  assert.ok(!isStale([...soon, ...later], keys.stats(true, 'summary')))
  assert.ok(!isStale(soon, keys.stats(false, 'summary')))
})

test('a delivery that changed makes the delivery on the screen and those of its order stale, but not the order', () => {
  const { soon } = staleAfter([{ kind: 'delivery', livemode: true, order_no: 'ord_1' }])
  assert.ok(isStale(soon, keys.deliveries(true, {})))
  assert.ok(isStale(soon, keys.delivery('dlv_1')))
  assert.ok(isStale(soon, keys.orderDeliveries('ord_1')))
  assert.ok(!isStale(soon, keys.order('ord_1')))
})

test('many changes of one order are one reading', () => {
  const change = { kind: 'order', livemode: false, order_no: 'ord_1' } as const
  const { soon, later } = staleAfter([change, change, change])
  assert.equal(soon.length, 3)
  assert.equal(later.length, 1)
})

test('attention is stale in its mode', () => {
  const { soon } = staleAfter([{ kind: 'attention', livemode: true, order_no: null }])
  assert.deepEqual(soon, [keys.attention(true), keys.books(true)])
})

test('what the stream sends is read, and what is unknown passed over', () => {
  assert.deepEqual(parseChange('{"kind":"order","livemode":true,"order_no":"ord_1"}'), {
    kind: 'order',
    livemode: true,
    order_no: 'ord_1',
  })
  assert.equal(parseChange('{"kind":"rail","livemode":true}'), null)
  assert.equal(parseChange('{"kind":"order"}'), null)
  assert.equal(parseChange('nonsense'), null)
  assert.equal(parseChange('null'), null)
})
