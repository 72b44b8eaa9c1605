// Promises of the progress: rows are counted whatever the pieces, and a line end in a field is no row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportName, makeRowReader, orderOfRow } from './csv.ts'

test('rows are counted without the head, whatever the pieces', () => {
  const bytes = new TextEncoder().encode('order_no,title\nord_1,"two\nlines, ""quoted"""\nord_2,plain\n')
  assert.equal(makeRowReader().read(bytes), 2)
  const reader = makeRowReader()
  let rows = 0
  for (const byte of bytes) rows = reader.read(Uint8Array.of(byte))
  assert.equal(rows, 2)
})

test('nothing but the head is no row', () => {
  const reader = makeRowReader()
  assert.equal(reader.read(new Uint8Array()), 0)
  assert.equal(reader.read(new TextEncoder().encode('order_no\n')), 0)
})

test('a broken off row is told from the last whole one', () => {
  const no = `ord_${'0'.repeat(26)}`
  const text = `"order_no","title"\r\n"${no}","two\r\nlines"\r\n"ord_1`
  const reader = makeRowReader()
  reader.read(new TextEncoder().encode(text))
  const row = reader.lastRow()
  assert.ok(row)
  assert.equal(text.slice(0, row.end), text.slice(0, text.lastIndexOf('"ord_1')))
  assert.equal(orderOfRow(text.slice(row.start, row.end)), no)
  const empty = makeRowReader()
  empty.read(new TextEncoder().encode('"order_no"\r\n"ord'))
  assert.equal(empty.lastRow(), null)
})

test('the file says its mode and day', () => {
  assert.equal(exportName(false, new Date('2026-11-21T23:59:00Z'), 'UTC'), 'florin-orders-test-2026-11-21.csv')
  assert.equal(exportName(true, new Date('2026-11-21T23:59:00Z'), 'Asia/Tokyo'), 'florin-orders-live-2026-11-22.csv')
})
