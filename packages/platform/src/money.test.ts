// Amounts that do not divide evenly: the direction of rounding is part of the contract (api.md 4.3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUnits } from '@florin/protocol'
import fc from 'fast-check'
import { divCeil, feeUnits, parseDecimal, parseUsdMicros, unitsDue, usdNumber } from './money.ts'

test('a fee is rounded down: a merchant is never charged a unit more', () => {
  const cases: [gross: bigint, bps: number, fee: bigint][] = [
    [9_999n, 1, 0n],
    [10_000n, 1, 1n],
    [10_001n, 1, 1n],
    [19_999n, 1, 1n],
    [333n, 100, 3n],
    [50_000_001n, 100, 500_000n],
    [33_333_333n, 37, 123_333n],
    [1n, 1_000, 0n],
    [7n, 0, 0n],
  ]
  for (const [gross, bps, fee] of cases) assert.equal(feeUnits(gross, bps), fee, `${bps} bps of ${gross}`)
})

test('what is due is rounded up, by less than a unit', () => {
  const due = (usdMicros: bigint, priceMicros: bigint, decimals: number, spreadBps = 0) =>
    unitsDue({ usdMicros, priceMicros, decimals, spreadBps })
  assert.equal(due(50_000_000n, 1_000_000n, 6), 50_000_000n)
  assert.equal(due(1n, 1_000_000n, 2), 1n, 'a part of a cent is a cent')
  assert.equal(due(50_000_000n, 3_000_000_000n, 18), 16_666_666_666_666_667n)
  assert.equal(due(50_000_000n, 64_000_000_000n, 8), 78_125n)
  assert.equal(due(50_000_001n, 64_000_000_000n, 8), 78_126n)
  assert.equal(due(50_000_000n, 1_000_000n, 6, 30), 50_150_000n)
  assert.equal(due(1n, 1_000_000n, 6, 1), 2n, 'the spread is in the amount before it is rounded')
})

test('what was due is worth what was asked, and a unit less is not', () => {
  const amounts = fc.record({
    usdMicros: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
    priceMicros: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
    decimals: fc.integer({ min: 0, max: 18 }),
    spreadBps: fc.integer({ min: 0, max: 1_000 }),
  })
  fc.assert(
    fc.property(amounts, (a) => {
      const units = unitsDue(a)
      const wanted = a.usdMicros * BigInt(10_000 + a.spreadBps) * 10n ** BigInt(a.decimals)
      assert.ok(units * a.priceMicros * 10_000n >= wanted)
      assert.ok((units - 1n) * a.priceMicros * 10_000n < wanted)
    }),
    { seed: 8 },
  )
  assert.deepEqual([divCeil(6n, 3n), divCeil(7n, 3n), divCeil(1n, 3n)], [2n, 3n, 1n])
})

test('a decimal text is taken whole or not at all', () => {
  const taken: [text: string, decimals: number, value: bigint][] = [
    ['1.5', 6, 1_500_000n],
    ['0.000001', 6, 1n],
    ['1.500000000', 6, 1_500_000n],
    ['12', 0, 12n],
    ['007', 2, 700n],
  ]
  for (const [text, decimals, value] of taken) {
    assert.equal(parseDecimal(text, decimals), value, text)
    assert.equal(parseDecimal(formatUnits(value, decimals), decimals), value, text)
  }
  for (const text of ['', '.', '1.', '.5', '-1', '+1', '1e3', '1,5', ' 1', '0x10', 'NaN', '0.0000001', '1.0000005']) {
    assert.equal(parseDecimal(text, 6), null, JSON.stringify(text))
  }
  assert.equal(formatUnits(-1_500_000n, 6), '-1.5')
})

test('an amount of dollars is what the sender wrote, above nothing, with at most six decimals', () => {
  const taken: [value: number | string, micros: bigint][] = [
    [0.000001, 1n],
    [1e-6, 1n],
    [0.1 + 0.7, 0n],
    [19.99, 19_990_000n],
    ['19.99', 19_990_000n],
    [1_000_000, 1_000_000_000_000n],
    [1e21, 10n ** 27n],
    [1.5e21, 15n * 10n ** 26n],
  ]
  for (const [value, micros] of taken) assert.equal(parseUsdMicros(value), micros === 0n ? null : micros, String(value))
  for (const value of [0, -0, -1, 0.0000001, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, '0', '0.0', '-1', '1e3', '']) {
    assert.equal(parseUsdMicros(value), null, String(value))
  }
  assert.equal(usdNumber(19_990_000n), 19.99)
})
