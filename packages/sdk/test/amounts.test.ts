// Promise: amounts go both ways exactly, at any size, and what is not exact is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatUnits, parseUnits } from '../src/index.ts'

test('amounts are written as people read them', () => {
  const cases: [amount: string | bigint, decimals: number, text: string][] = [
    ['49900000', 6, '49.9'],
    ['1', 18, '0.000000000000000001'],
    ['0', 6, '0'],
    ['1000000', 6, '1'],
    [12n, 0, '12'],
    [-5n, 1, '-0.5'],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      18,
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
    ],
  ]
  for (const [amount, decimals, text] of cases) {
    assert.equal(formatUnits(amount, decimals), text)
    assert.equal(parseUnits(text, decimals), BigInt(amount))
  }
})

test('what is written can be read again', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.nat({ max: 80 }), (amount, decimals) => {
      assert.equal(parseUnits(formatUnits(amount, decimals), decimals), amount)
    }),
  )
})

test('zeros at the end are no decimals too many; digits are', () => {
  assert.equal(parseUnits('1.500', 1), 15n)
  assert.throws(() => parseUnits('1.51', 1), /more than the 1 decimals/)
})

test('nothing but plain numbers is read', () => {
  for (const text of ['', ' 1', '1.', '.5', '1e3', '0x1', '1,5', '+1', '1_000', 'NaN', '٣'])
    assert.throws(() => parseUnits(text, 6), TypeError)
  for (const amount of ['', '1.5', '1e3', ' 1', '0x1']) assert.throws(() => formatUnits(amount, 6), TypeError)
  for (const decimals of [-1, 1.5, Number.NaN, 256]) assert.throws(() => formatUnits('1', decimals), TypeError)
})
