import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEther } from 'viem'
import { runwayOf } from './trouble.ts'

test('gas lasts as many days as it did at what the last days cost', () => {
  const day = 86_400_000
  const cap = 1_000_000_000n
  const ether = parseEther('1')
  assert.deepEqual(runwayOf({ balance: ether, spent: ether / 10n, sinceMs: day, cap }), { days: 10, isBound: false })
  assert.deepEqual(runwayOf({ balance: ether, spent: ether / 10n, sinceMs: 7 * day, cap }), {
    days: 70,
    isBound: false,
  })
  assert.deepEqual(runwayOf({ balance: 0n, spent: 1n, sinceMs: day, cap }), { days: 0, isBound: false })
  // Ten orders of 120,000 gas at 1 gwei are 0.0012 a day.
  assert.deepEqual(runwayOf({ balance: ether, spent: 0n, sinceMs: day, cap }), { days: 833, isBound: true })
  assert.deepEqual(runwayOf({ balance: ether * 10_000n, spent: 0n, sinceMs: day, cap: 0n }), {
    days: 9_999,
    isBound: true,
  })
})
