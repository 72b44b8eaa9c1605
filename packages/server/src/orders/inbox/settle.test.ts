// A simulated act ends as its answer promised, whatever a worker does with the same order meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sized } from '../../../../../scripts/sizes.ts'
import { testDeps } from '../../../test/harness.ts'
import { interleaved } from '../../../test/kills/interleaved.ts'
import { aCaller, anOrder, settleDue } from '../../../test/orders.ts'
import type { OrderDeps } from '../advance.ts'
import { simulate } from '../simulate.ts'
import { getOrder } from '../store.ts'

const wanted = { settle: 'success', fail: 'failed', refund: 'refunded' } as const
/** As many statements as a worker runs for one order. */
const A_ROUND = 32

test('simulate: a worker takes the order between any two statements → settled, failed or refunded all the same', async (t) => {
  const { deps, clock } = await testDeps(t)
  const lines = deps.sql.apart({ max: 20, settings: {} })
  const caller = await aCaller(deps)
  /** The clocks of two processes differ by a little. */
  const worker: OrderDeps = { ...deps, clock: { ...clock, now: () => new Date(clock.now().getTime() + 3) } }
  /** @param lengths how many statements the request runs, then the worker, and so on. */
  const run = async (action: keyof typeof wanted, lengths: readonly number[]): Promise<void> => {
    const { orderNo } = await anOrder(deps, caller)
    const order = await simulate(deps, await getOrder(deps.sql, orderNo), 'pay', null)
    let isAnswered = false
    const turns = lengths.flatMap((length, n) => Array.from({ length }, () => n % 2))
    const request = async (sql: OrderDeps['sql']): Promise<void> => {
      await simulate({ ...deps, sql }, order, action, null).finally(() => {
        isAnswered = true
      })
    }
    const working = async (sql: OrderDeps['sql']): Promise<void> => {
      while (!isAnswered) await settleDue({ ...worker, sql })
    }
    await interleaved(lines, [request, working], () => turns.shift() ?? 0)
    while ((await settleDue(worker)) > 0);
    const { status } = await getOrder(deps.sql, orderNo)
    assert.equal(status, wanted[action], `${action} after ${lengths.join(', ')} statements`)
  }
  // The request has just reported what it simulates, and the worker stops after some of its statements.
  for (const ahead of sized({ short: [5], full: [1, 2, 3, 4, 5, 6, 7, 8] }))
    for (let n = 1; n <= A_ROUND; n += sized({ short: 2, full: 1 })) await run('settle', [ahead, n])
  const lengths = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...(Object.keys(wanted) as (keyof typeof wanted)[])), lengths, run),
    { numRuns: sized({ short: 4, full: 300 }) },
  )
})
