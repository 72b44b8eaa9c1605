import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { apartBps, compareRates, middle, minorOf, product, quotient, scaleDown, usdMicrosOf } from './arithmetic.ts'

test('dollars of an amount: rounded once, up', () => {
  assert.equal(usdMicrosOf({ minor: 1_234n, exponent: 3 }, '0.3070'), 4_019_544n)
  assert.equal(usdMicrosOf({ minor: 1_000n, exponent: 0 }, '155.20'), 6_443_299n)
  assert.equal(usdMicrosOf({ minor: 5_000n, exponent: 2 }, '1'), 50_000_000n)
  assert.equal(usdMicrosOf({ minor: 1n, exponent: 2 }, '1000000'), 1n)
})

test('rates are fractions of text', () => {
  assert.equal(quotient('1', '3'), '0.333333333333333333')
  assert.equal(quotient('1', '0.0000000001'), '10000000000')
  assert.equal(quotient('1.1587', '1'), '1.1587')
  assert.equal(product('1.5', '2'), '3')
  assert.equal(product('99999999999999999999', '10'), '999999999999999999000')
  assert.equal(scaleDown('0.87', 0), '0.87')
  assert.equal(scaleDown('1.01', 100), '1')
  assert.equal(apartBps('1', '1.01'), 100)
  assert.equal(apartBps('100', '1'), 990_000)
  assert.equal(compareRates('1.10', '1.1'), 0)
  assert.equal(compareRates('9.9', '10'), -1)
  assert.equal(compareRates('10', '9.9'), 1)
  assert.equal(apartBps('1', '99999999999'), 1_000_000_000)
  assert.equal(middle('1', '1.5'), '1.25')
  assert.equal(middle('0.105', '0.2'), '0.1525')
  assert.equal(middle('12345678901234567890', '12345678901234567890'), '12345678901234567800')
})

test('a rate is a plain decimal number above zero', () => {
  for (const text of ['', 'x1', '1x', '1.', '.5', '-1', '1e3', '1.2.3', '1'.repeat(61)]) {
    assert.throws(() => product(text, '1'), /is a plain decimal number/, text)
  }
  assert.throws(() => product(`${'9'.repeat(70)}x`, '1'), { message: /"9{60}"/ })
  const none = /a rate is above zero/
  for (const compute of [quotient, apartBps]) {
    assert.throws(() => compute('0', '1'), none)
    assert.throws(() => compute('1', '0'), none)
  }
  assert.throws(() => usdMicrosOf({ minor: 1n, exponent: 2 }, '0.0'), none)
})

const rates = fc
  .tuple(fc.bigInt(1n, 10n ** 17n), fc.nat(17))
  .map(([digits, scale]) => quotient(String(digits), String(10n ** BigInt(scale))))

test('never against the merchant: what the dollars buy back is at least the amount, and less than a micro-dollar more', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), fc.constantFrom(0, 2, 3), rates, (minor, exponent, rate) => {
      const micros = usdMicrosOf({ minor, exponent }, rate)
      assert.ok(minorOf(micros, exponent, rate) >= minor)
      assert.ok(micros === 1n || minorOf(micros - 1n, exponent, rate) < minor)
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(rates, fc.nat(1_000), (rate, spread) => assert.ok(compareRates(scaleDown(rate, spread), rate) <= 0)),
    { numRuns: 200 },
  )
})
