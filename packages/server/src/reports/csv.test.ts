import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCsv } from '../../test/csv.ts'
import { csvLine } from './csv.ts'

test('records are written as RFC 4180 says', () => {
  assert.equal(csvLine(['a', 1, null, 'b c']), 'a,1,,b c\r\n')
  assert.equal(csvLine(['say "hi"', 'a,b', 'two\nlines']), '"say ""hi""","a,b","two\nlines"\r\n')
})

test('no cell is taken for a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")']) {
    const [cell] = readCsv(csvLine([text]))[0] ?? []
    assert.equal(cell, `'${text}`)
  }
  assert.equal(csvLine(['a=b', "'=1", '']), "a=b,'=1,\r\n")
})

test('what is written is read back, whatever it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', ' ', 'ü', '😀', "'") })
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (records) => {
      const expected = records.map((cells) => cells.map((cell) => (/^[=\r]/.test(cell) ? `'${cell}` : cell)))
      assert.deepEqual(readCsv(records.map(csvLine).join('')), expected)
    }),
  )
})
