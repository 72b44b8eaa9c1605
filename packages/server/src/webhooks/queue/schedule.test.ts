import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_RETRY_WAITS_MS } from '@florin/protocol'
import fc from 'fast-check'
import { afterAttempt } from './schedule.ts'
import { checkLease, tuning } from './tuning.ts'

const endedAt = new Date('2026-01-01T00:00:00Z')

test('five attempts in all: 1 min, 5 min, 30 min and 2 h after the end of the failure before, then dead', () => {
  const waits = [1, 2, 3, 4, 5].map((n) => {
    const verdict = afterAttempt({ n, ok: false, endedAt, waitsMs: WEBHOOK_RETRY_WAITS_MS })
    return verdict.kind === 'retry' ? (verdict.at.getTime() - endedAt.getTime()) / 60_000 : verdict.kind
  })
  assert.deepEqual(waits, [1, 5, 30, 120, 'dead'])
})

test('a 2xx ends it whatever the attempt; no failure is ever tried again earlier or a sixth time', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 1e8 }), { minLength: 0, maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), waits, (n, waitsMs) => {
      assert.equal(afterAttempt({ n, ok: true, endedAt, waitsMs }).kind, 'succeeded')
      const failed = afterAttempt({ n, ok: false, endedAt, waitsMs })
      assert.notEqual(failed.kind, 'succeeded')
      if (failed.kind !== 'retry') return
      assert.ok(n < 5)
      assert.equal(failed.at.getTime() - endedAt.getTime(), waitsMs[n - 1])
    }),
  )
})

test('a lease that could end before the work under it stops the start', () => {
  assert.doesNotThrow(() => checkLease(tuning, 10_000))
  assert.throws(() => checkLease({ ...tuning, leaseMs: 21_000 }, 10_000), /leased for 21000 ms.*may take 21050 ms/)
})
