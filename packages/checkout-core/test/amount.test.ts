// Promises: dollars and prices are shown as closely as people compare them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fx } from '@florin/protocol'
import { askedText, coinText, fxText, rateText } from '../src/amount.ts'

const asked = (amount: string, currency: string, locale: string): string => askedText({ amount, currency }, locale)

test('what is asked for has the decimals of its currency', () => {
  assert.equal(asked('120.50', 'USD', 'en-US'), '$120.50')
  assert.equal(asked('0.000001', 'USD', 'en-US'), '$0.000001')
  assert.equal(asked('1234.50', 'EUR', 'de-DE'), '1.234,50\u00a0€')
  assert.equal(asked('1235.00', 'HUF', 'en'), 'HUF\u00a01,235.00')
  assert.equal(asked('155', 'JPY', 'en'), '¥155')
})

test('a coin stands beside it with the same point, and never with one decimal', () => {
  assert.equal(coinText('49900000', 6, 'de'), '49,90')
  assert.equal(coinText('49900000', 6, 'en'), '49.90')
  assert.equal(coinText('50000000', 6, 'de'), '50')
  assert.equal(coinText('1', 18, 'fr'), '0,000000000000000001')
})

test('the rate is said with the dollars that it makes', () => {
  const fx = { rate: '0.871234567', quote: 'EUR', sources: [] } as unknown as Fx
  assert.equal(fxText({ amount_usd: 57.277319, fx }, 'en'), '≈ $57.28 · 1 USD = 0.871234 EUR')
  assert.equal(fxText({ amount_usd: 57.277319, fx }, 'de'), '≈ 57,28\u00a0$ · 1 USD = 0,871234 EUR')
  assert.equal(
    fxText({ amount_usd: 1, fx: { ...fx, rate: '26355', quote: 'VND' } }, 'en'),
    '≈ $1.00 · 1 USD = 26355 VND',
  )
  assert.equal(fxText({ amount_usd: 1, fx: null }, 'en'), null)
})

test('a rate is shown as closely as people compare prices', () => {
  assert.equal(rateText('97195.4123', 'en-US'), '$97,195.41')
  assert.equal(rateText('0.07263519', 'en-US'), '$0.072635')
  assert.equal(rateText('1', 'en-US'), '$1.00')
})
