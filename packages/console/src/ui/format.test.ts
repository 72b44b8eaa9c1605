import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as format from './format.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const ago = (ms: number) => new Date(now - ms).toISOString()

test('US dollars show cents always and more decimals only where there are any', () => {
  assert.equal(format.usd(1234.5), '$1,234.50')
  assert.equal(format.usd(0.000001), '$0.000001')
  assert.equal(format.usd(1_000_000), '$1,000,000.00')
  assert.equal(format.usdShort(12_345), '$12.3K')
  assert.equal(format.usdShort(0), '$0')
})

test('a share that is not all is never rounded to all', () => {
  assert.equal(format.percent(1), '100%')
  assert.equal(format.percent(0.9999), '99.9%')
  assert.equal(format.percent(0.5), '50%')
  assert.equal(format.percent(0), '0%')
  assert.equal(format.bps(50), '0.5%')
})

test('chain amounts are written without loss', () => {
  assert.equal(format.units('1234500000', 6), '1,234.50')
  assert.equal(format.units('1', 18), '0.000000000000000001')
  assert.equal(format.units('0', 6), '0')
  assert.equal(format.units('1000000', 6), '1')
  assert.equal(format.units('42', 0), '42')
  assert.equal(format.units('-1500000', 6), '-1.50')
  assert.equal(format.unitsShort('1234567890123456789', 18), '1.23456789…')
  assert.equal(format.unitsShort('1230000000000000000', 18), '1.23')
})

test('an amount can be read back from what is written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 24 }), (amount, decimals) => {
      const [integer = '', fraction = ''] = format.units(amount.toString(), decimals).replaceAll(',', '').split('.')
      assert.equal(BigInt(integer + fraction.padEnd(decimals, '0')), amount)
    }),
  )
})

test('times are told in the coarsest unit, before and after', () => {
  assert.equal(format.relative(ago(0), now), 'just now')
  assert.equal(format.relative(ago(30_000), now), '30 s ago')
  assert.equal(format.relative(ago(3 * 60_000), now), '3 min ago')
  assert.equal(format.relative(ago(-2 * 3_600_000), now), 'in 2 h')
  assert.equal(format.relative(ago(3 * 86_400_000), now), '3 days ago')
  assert.equal(format.relative(ago(100 * 86_400_000), now), '3 months ago')
  assert.equal(format.relative(ago(800 * 86_400_000), now), '2 years ago')
})

test('moments are written with the year where it is needed', () => {
  const zone = { timeZone: 'UTC' }
  assert.equal(format.absolute('2026-11-21T04:43:12Z', zone), '21 Nov 2026, 04:43:12')
  assert.equal(format.absoluteShort('2026-11-21T04:43:12Z', now, zone), '21 Nov, 04:43')
  assert.equal(format.absoluteShort('2025-11-21T04:43:12Z', now, zone), '21 Nov 2025, 04:43')
  assert.equal(format.utc('2026-11-21T04:43:12.345Z'), '2026-11-21 04:43:12 UTC')
})

test('durations, sizes and ids', () => {
  assert.equal(format.duration(45), '45 s')
  assert.equal(format.duration(200), '3 min 20 s')
  assert.equal(format.duration(3725), '1 h 2 min')
  assert.equal(format.duration(86_400 * 3), '3 days')
  assert.equal(format.latency(87.4), '87 ms')
  assert.equal(format.latency(10_000), '10.0 s')
  assert.equal(format.bytes(999), '999 B')
  assert.equal(format.bytes(312_400), '312 kB')
  assert.equal(format.middle('0x1234567890abcdef', 6, 4), '0x1234…cdef')
  assert.equal(format.middle('short', 6, 4), 'short')
  assert.equal(format.counted(1, 'order'), '1 order')
  assert.equal(format.counted(1200, 'order'), '1,200 orders')
})
