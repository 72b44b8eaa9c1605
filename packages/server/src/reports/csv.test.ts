import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCsv } from '../../test/csv.ts'
import { csvLine } from './csv.ts'

test('records are written as RFC 4180 says, every cell quoted', () => {
  assert.equal(csvLine(['a', 1, null, 'b c']), '"a","1","","b c"\r\n')
  assert.equal(csvLine(['say "hi"', 'a,b', 'two\nlines']), '"say ""hi""","a,b","two\nlines"\r\n')
})

test('no cell is taken for a formula, whatever parts cells in the reader’s locale', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\uff1d1+1', '=HYPERLINK("http://x","y")']) {
    const [cell = ''] = readCsv(csvLine([text]))[0] ?? []
    assert.match(cell, /^\s?'[=+@\-\uff1d]/)
  }
  assert.equal(csvLine(['a=b', "'=1", -5]), `"a=b","'=1","-5"\r\n`)
  // A locale that separates by semicolons sees the quotes of our commas inside its cells.
  assert.equal(csvLine(['x;=cmd()', 'y; \uff0b1', 'z\n@a']), `"x;'=cmd()","y; '\uff0b1","z\n'@a"\r\n`)
  const cells = fc.array(fc.string({ unit: fc.constantFrom(...'=+-@;,|"\t\r\n a') }), { maxLength: 4 })
  fc.assert(
    fc.property(cells, (record) => {
      const parts = csvLine(record).split(/[;,|\t\r\n]/)
      assert.ok(
        parts.every((part) => !/^[\s"]*[=+\-@]/.test(part)),
        csvLine(record),
      )
    }),
  )
})

test('csv: a reference of the shop stays to the letter unless a formula could call something', () => {
  const read = (reference: string | null) => readCsv(csvLine([{ reference }]))[0]?.[0]
  for (const text of ['-17', '+A-2026/17', '@shop 17', 'A;-5', 'RE, -5 %', 'Ü-9', '--', '+49.1'])
    assert.equal(read(text), text)
  for (const text of ['=1+1', '-cmd|x!A', '@SUM(A1)', '+"x"&A1', "-'x'!A1", '\t-5'])
    assert.match(read(text) ?? '', /^\s*'/, text)
  assert.equal(read(null), '')
})

test('what is written is read back, whatever it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'ü', '😀', "'") })
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (records) => {
      assert.deepEqual(readCsv(records.map(csvLine).join('')), records)
    }),
  )
})
