import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { falseClock } from '../../../server/test/harness.ts'
import { AppError } from '../errors.ts'
import { makeTurns } from './turns.ts'

const told = { message: 'Too many at a time.', retryAfterS: 1 }
const turn = (): Promise<void> => new Promise((settle) => setImmediate(settle))

/** Work that ends when it is told to, and what began in which order. */
function workshop(terms: { perHolder: number; atOnce: number; waitingPerHolder: number }) {
  const clock = falseClock()
  const turns = makeTurns(clock, { ...terms, ...told, waitMs: 2_000 })
  const begun: string[] = []
  const open: { holder: string; end(): void }[] = []
  const run = (holder: string, part = ''): Promise<void> =>
    turns.run(
      holder,
      () => {
        begun.push(holder + part)
        const { promise, resolve } = Promise.withResolvers<void>()
        open.push({ holder, end: resolve })
        return promise
      },
      part,
    )
  const endOne = async (n = 0): Promise<void> => {
    open.splice(n % open.length, 1)[0]?.end()
    await turn()
  }
  return { clock, begun, open, run, endOne }
}

test('turns: one holder asks for much → each other holder waits for one piece of its work', async () => {
  const { begun, run, endOne } = workshop({ perHolder: 2, atOnce: 2, waitingPerHolder: 64 })
  const all = [...Array.from({ length: 20 }, () => run('greedy')), run('a'), run('b')]
  await turn()
  for (let n = 0; n < 4; n++) await endOne()
  assert.deepEqual(begun.slice(0, 5), ['greedy', 'greedy', 'greedy', 'a', 'b'])
  for (let n = 0; n < 18; n++) await endOne()
  await Promise.all(all)
})

test('turns: one part of a holder asks for much → each other part waits for one piece, and for a place to wait for none', async () => {
  const { begun, run, endOne } = workshop({ perHolder: 2, atOnce: 9, waitingPerHolder: 8 })
  const flood = Array.from({ length: 30 }, () => run('shop', '-flood'))
  const outcome = Promise.allSettled(flood)
  await turn()
  const others = [run('shop', '-a'), run('shop', '-b'), run('shop', '-a')]
  await turn()
  for (let n = 0; n < 4; n++) await endOne()
  assert.deepEqual(begun.slice(0, 6), ['shop-flood', 'shop-flood', 'shop-flood', 'shop-a', 'shop-b', 'shop-flood'])
  for (let n = 0; n < 30; n++) await endOne()
  await Promise.all(others)
  const served = (await outcome).filter(({ status }) => status === 'fulfilled')
  assert.equal(served.length, 2 + 8 - others.length, 'its newest ones gave their places up')
})

test('turns: too many wait, or too long → 429 that says when to try again', async () => {
  const { clock, begun, run, open } = workshop({ perHolder: 1, atOnce: 9, waitingPerHolder: 2 })
  const first = run('a')
  const waiting = [run('a'), run('a')]
  const isRefused = (error: unknown): boolean =>
    error instanceof AppError && error.entry.status === 429 && error.retryAfterS === 1
  await assert.rejects(run('a'), isRefused)
  const refused = Promise.all(waiting.map((one) => assert.rejects(one, isRefused)))
  clock.advance(2_000)
  await refused
  open[0]?.end()
  await first
  const again = run('a')
  await turn()
  open[1]?.end()
  await again
  assert.deepEqual(begun, ['a', 'a'])
})

test('turns: any order of coming, ending and waiting → bounds hold, all that was begun ends, nothing is stuck', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'a1', 'a2', 'b', 'c', 'd') },
      { weight: 3, arbitrary: fc.nat(9) },
      { weight: 1, arbitrary: fc.constant('wait' as const) },
    ),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { clock, begun, open, run, endOne } = workshop({ perHolder: 2, atOnce: 4, waitingPerHolder: 3 })
      const outcomes: Promise<'done' | 'refused'>[] = []
      for (const step of taken) {
        if (step === 'wait') clock.advance(2_000)
        else if (typeof step === 'string')
          outcomes.push(
            run(step.charAt(0), step.slice(1)).then(
              () => 'done',
              () => 'refused',
            ),
          )
        else if (open.length > 0) await endOne(step)
        await turn()
        assert.ok(open.length <= 4)
        for (const holder of 'abcd') assert.ok(open.filter((one) => one.holder === holder).length <= 2)
      }
      while (open.length > 0) await endOne()
      const ends = await Promise.all(outcomes)
      assert.equal(ends.filter((end) => end === 'done').length, begun.length)
    }),
    { numRuns: 100 },
  )
})
