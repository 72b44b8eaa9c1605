import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencies, judgeCurrency, listCurrencies } from '../src/currencies.ts'
import { dollarMoney, formatMoney, minorText, parseMinor } from '../src/money.ts'

test('digits are those of ISO 4217, whatever Intl believes', () => {
  for (const [code, digits] of Object.entries({
    EUR: 2,
    JPY: 0,
    KWD: 3,
    HUF: 2,
    IQD: 3,
    COP: 2,
    ISK: 0,
    UGX: 0,
    TND: 3,
  }))
    assert.equal(currencies.get(code)?.digits, digits, code)
  assert.equal(formatMoney('1234.5', 'HUF', 'en'), 'HUF\u00a01,234.50')
  assert.equal(formatMoney('49.9', 'EUR', 'de'), '49,90\u00a0€')
  assert.equal(formatMoney('49.9', 'USD', 'de'), '49,90\u00a0$')
  assert.equal(formatMoney('1.234', 'KWD', 'en'), 'KWD\u00a01.234')
  assert.equal(formatMoney('1000', 'JPY', 'en'), '¥1,000')
  assert.equal(formatMoney('0.123456', 'USD', 'en'), '$0.123456')
  assert.equal(formatMoney('1234567890123456.78', 'IDR', 'en').replace(/\D/g, ''), '123456789012345678')
})

test('the table is whole: every current code prints, pegs and successors lead somewhere', () => {
  const now = listCurrencies('2026-11-22')
  assert.equal(now.length, 154)
  for (const { code } of now) {
    assert.match(code, /^[A-Z]{3}$/)
    assert.ok(formatMoney('1', code, 'en').length > 1, code)
  }
  for (const { code, ended, successor } of currencies.values()) {
    assert.equal(ended === undefined, successor === undefined, code)
    if (successor !== undefined) assert.equal(judgeCurrency(successor, '2026-11-22').kind, 'current', code)
  }
})

test('a code ends, and its successor begins, on its day', () => {
  assert.equal(judgeCurrency('BGN', '2025-12-31T23:59:59.999Z').kind, 'current')
  assert.equal(judgeCurrency('BGN', '2026-01-01T00:00:00.000Z').kind, 'ended')
  assert.equal(judgeCurrency('XCG', '2025-03-30').kind, 'not_yet')
  assert.equal(judgeCurrency('XCG', '2025-03-31').kind, 'current')
  for (const code of ['XAU', 'XTS', 'BTC', 'eur', '__proto__', 'constructor', ''])
    assert.equal(judgeCurrency(code, '2026-11-22').kind, 'unknown', code)
})

test('amounts are read exactly or not at all', () => {
  assert.equal(parseMinor(49.9, 2), 4_990n)
  assert.equal(parseMinor('49.900', 2), 4_990n)
  assert.equal(parseMinor(1e-7, 7), 1n)
  assert.equal(parseMinor(1e21, 2), 10n ** 23n)
  assert.equal(parseMinor('1000.00', 0), 1_000n)
  for (const bad of ['49,90', '4.9.0', '1e3', ' 1', '-1', '+1', '', '.5', '5.', '0x10', '1_0', '１'])
    assert.equal(parseMinor(bad, 2), null, bad)
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.005]) assert.equal(parseMinor(bad, 2), null)
  assert.equal(minorText(4_990n, 2), '49.90')
  assert.equal(minorText(5n, 3), '0.005')
  assert.equal(minorText(1_000n, 0), '1000')
  assert.deepEqual(dollarMoney(49_900_000n), { currency: 'USD', minor: 4_990n, exponent: 2 })
  assert.deepEqual(dollarMoney(1n), { currency: 'USD', minor: 1n, exponent: 6 })
})
