// Promises of the plots: ticks are round and reach above every value, and what has no value draws nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasValues, labelled, linePath, niceTicks } from './plot-scale.ts'

test('ticks are round, begin at zero and reach the largest value', () => {
  assert.deepEqual(niceTicks(47), [0, 20, 40, 60])
  assert.deepEqual(niceTicks(0.3), [0, 0.1, 0.2, 0.3])
  assert.deepEqual(niceTicks(0), [0, 1])
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (max) => {
      const ticks = niceTicks(max)
      assert.ok((ticks.at(-1) ?? 0) >= max * (1 - 1e-9))
      assert.ok(ticks.length >= 2 && ticks.length <= 6)
    }),
  )
})

test('a line breaks where there is no value', () => {
  const line = (values: (number | null)[]) =>
    linePath(
      values,
      (n) => n * 10,
      (value) => 100 - value,
    )
  assert.equal(line([1, 2, null, 3, 4]), 'M0 99L10 98M30 97L40 96')
  assert.equal(line([null, 5, null]), 'M10 95h0')
  assert.equal(line([null, null]), '')
})

test('labels are spread over the room there is', () => {
  assert.deepEqual(labelled(7, 7), [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual(labelled(30, 5), [0, 6, 12, 18, 24])
  assert.deepEqual(labelled(1, 5), [0])
  assert.deepEqual(labelled(0, 5), [])
})

test('a series of nothing is empty', () => {
  assert.ok(!hasValues([0, null, 0]))
  assert.ok(hasValues([0, null, 0.5]))
})
