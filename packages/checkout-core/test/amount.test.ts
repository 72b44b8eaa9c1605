// Promises: dollars and prices are shown as closely as people compare them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dollars, rateText } from '../src/amount.ts'

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
