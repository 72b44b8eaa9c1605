// Promises of the progress: rows are counted whatever the pieces, and a line end in a field is no row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportName, makeRowCounter } from './csv.ts'

test('rows are counted without the head, whatever the pieces', () => {
  const bytes = new TextEncoder().encode('order_no,title\nord_1,"two\nlines, ""quoted"""\nord_2,plain\n')
  assert.equal(makeRowCounter()(bytes), 2)
  const counter = makeRowCounter()
  let rows = 0
  for (const byte of bytes) rows = counter(Uint8Array.of(byte))
  assert.equal(rows, 2)
})

test('nothing but the head is no row', () => {
  const counter = makeRowCounter()
  assert.equal(counter(new Uint8Array()), 0)
  assert.equal(counter(new TextEncoder().encode('order_no\n')), 0)
})

test('the file says its mode and day', () => {
  assert.equal(exportName(false, new Date('2026-11-21T23:59:00Z')), 'florin-orders-test-2026-11-21.csv')
})
