// Promises: an amount is shown to the last digit whatever its size, and never by way of a float.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalText, dollars, rateText } from '../src/amount.ts'

test('smallest units become decimal text without needless zeros', () => {
  assert.equal(decimalText('1500000', 6), '1.5')
  assert.equal(decimalText('123977', 8), '0.00123977')
  assert.equal(decimalText('1', 18), '0.000000000000000001')
  assert.equal(decimalText('123456789012345678901234567890', 18), '123456789012.34567890123456789')
  assert.equal(decimalText('100', 0), '100')
  assert.equal(decimalText('0', 6), '0')
  assert.equal(decimalText('000', 2), '0')
})

test('the text says exactly the amount that it was made of', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(30), (units, decimals) => {
      const [whole = '', fraction = ''] = decimalText(units.toString(), decimals).split('.')
      assert.equal(BigInt(whole + fraction.padEnd(decimals, '0')), units)
      assert.ok(!fraction.endsWith('0'))
    }),
  )
})

test('what is no amount is refused rather than shown wrong', () => {
  for (const text of ['', '-1', '1.5', '1e6', ' 1', '0x1']) assert.throws(() => decimalText(text, 6), RangeError)
})

test('dollars have cents, and more where the order has more', () => {
  assert.equal(dollars(120.5, 'en-US'), '$120.50')
  assert.equal(dollars(1000000, 'en-US'), '$1,000,000.00')
  assert.equal(dollars(0.000001, 'en-US'), '$0.000001')
  assert.equal(dollars(1234.5, 'de-DE'), '1.234,50\u00a0$')
})

test('a rate is shown as closely as people compare prices', () => {
  assert.equal(rateText('97195.4123', 'en-US'), '$97,195.41')
  assert.equal(rateText('0.07263519', 'en-US'), '$0.072635')
  assert.equal(rateText('1', 'en-US'), '$1.00')
})
