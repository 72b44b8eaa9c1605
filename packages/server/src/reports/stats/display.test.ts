// Sums in the display currency: exact for what was asked for in it, rounded down for the rest, whatever the digits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Display, displayText, inDisplay } from './display.ts'

const euro: Display = { currency: 'EUR', exponent: 2, rate: '0.8712', observedAt: new Date(0) }
const own = (minor: bigint, exponent: number, micros: bigint) => ({
  minor: String(minor),
  exponent,
  micros: String(micros),
})

test('what was asked for in it keeps its cents, and dollars beside it are told at the rate of now', () => {
  const sold = own(4_990n, 2, 57_277_318n)
  assert.equal(displayText(euro, { micros: 57_277_318n, own: [sold] }), '49.90')
  // 10 dollars more are 8.712 euros.
  assert.equal(displayText(euro, { micros: 67_277_318n, own: [sold] }), '58.61')
  assert.equal(displayText(euro, { micros: 0n, own: [] }), '0.00')
  const yen: Display = { ...euro, currency: 'JPY', exponent: 0, rate: '155.2' }
  assert.equal(displayText(yen, { micros: 9_999n, own: [] }), '1')
})

test('whatever the sums, no unit of what was asked for is lost, and the rest is never above its dollars', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(amount, amount, amount, (minor, micros, rest) => {
      const all = inDisplay(euro, { micros: micros + rest, own: [own(minor, 2, micros)] })
      const more = all - minor
      assert.ok(more >= 0n && more * 1_000_000_00n <= rest * 8_712n && (more + 1n) * 1_000_000_00n > rest * 8_712n)
    }),
  )
})
