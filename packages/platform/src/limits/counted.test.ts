// Promises: no number of processes passes a limit, no sliding window holds more than its limit wherever it begins, and what is over
// is forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDeps } from '../../../server/test/harness.ts'
import { withTx } from '../db/tx.ts'
import { countWithin, forgetCounts } from './store.ts'

test('limits: many at once → exactly as many as there is room for, and what is rolled back counts nowhere', async (t) => {
  const {
    deps: { sql },
    clock,
  } = await testDeps(t)
  for (const kind of ['clock', 'sliding'] as const) {
    const limit = { scope: kind, max: 7, windowMs: 60_000, kind }
    await withTx(sql, async (tx) => {
      assert.equal(await countWithin(tx, limit, clock.now()), 1)
      throw new Error('rolled back')
    }).catch(() => undefined)
    const counts = await Promise.all(Array.from({ length: 20 }, () => countWithin(sql, limit, clock.now())))
    assert.deepEqual(counts.filter((n) => n !== null).sort(), [1, 2, 3, 4, 5, 6, 7])
  }
})

test('limits: any times → a sliding window never holds more, and a clock window begins anew', async (t) => {
  const {
    deps: { sql },
    clock,
  } = await testDeps(t)
  const windowMs = 1_200
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(700), { minLength: 5, maxLength: 25 }), async (pauses) => {
      run++
      const taken: number[] = []
      for (const pause of pauses) {
        clock.advance(pause)
        const now = clock.now()
        if ((await countWithin(sql, { scope: `s ${run}`, max: 3, windowMs, kind: 'sliding' }, now)) !== null)
          taken.push(now.getTime())
        const within = taken.filter((at) => at > now.getTime() - windowMs)
        assert.ok(within.length <= 3)
        // It refuses nothing longer than a twelfth after there is room again.
        const held = taken.filter((at) => at > now.getTime() - windowMs - windowMs / 12)
        if (taken.at(-1) !== now.getTime()) assert.ok(held.length >= 3)
      }
    }),
    { numRuns: 30 },
  )
  const clockLimit = { scope: 'c', max: 1, windowMs }
  clock.advance(windowMs - (clock.now().getTime() % windowMs))
  assert.equal(await countWithin(sql, clockLimit, clock.now()), 1)
  clock.advance(windowMs - 1)
  assert.equal(await countWithin(sql, clockLimit, clock.now()), null)
  clock.advance(1)
  assert.equal(await countWithin(sql, clockLimit, clock.now()), 1)
  clock.advance(10 * windowMs)
  while ((await forgetCounts(sql, clock.now())) > 0);
  assert.deepEqual(await sql`select 1 from limits`, [])
})
