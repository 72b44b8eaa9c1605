import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { falseClock } from '../../../server/test/harness.ts'
import { AppError } from '../errors.ts'
import { makeThread } from './thread.ts'

const parts = () => ({ clock: falseClock(), log: pino({ level: 'silent' }) })
const file = new URL('./thread.fixture.ts', import.meta.url)
const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.entry.status === 503

test('thread: it dies of one piece of work → that one is 503, and the next is done by a new thread', async (t) => {
  const thread = makeThread<string, string>(parts(), file)
  t.after(() => thread.close())
  const done = await Promise.allSettled(['a', 'exit', 'b', 'throw', 'c'].map((work) => thread.run(work, work)))
  assert.deepEqual(
    done.map((one) => (one.status === 'fulfilled' ? one.value : isUnavailable(one.reason))),
    ['A', true, 'B', true, 'C'],
  )
})

test('thread: work fails → its error, and the thread goes on', async (t) => {
  const thread = makeThread<string, string>(parts(), file)
  t.after(() => thread.close())
  await assert.rejects(thread.run('a', 'fail'), /it failed/)
  assert.equal(await thread.run('a', 'd'), 'D')
})

test('thread: work without end → 503 after 20 seconds; a holder with too much work → 429', async (t) => {
  const { clock, log } = parts()
  const thread = makeThread<string, string>({ clock, log }, file)
  t.after(() => thread.close())
  const endless = thread.run('a', 'endless')
  const waiting = Array.from({ length: 8 }, () => thread.run('a', 'e'))
  await assert.rejects(thread.run('a', 'f'), (error) => error instanceof AppError && error.entry.status === 429)
  const outcomes = Promise.allSettled([endless, ...waiting])
  clock.advance(20_000)
  const [first] = await outcomes
  assert.ok(first?.status === 'rejected' && isUnavailable(first.reason))
  assert.equal(await thread.run('b', 'g'), 'G')
})
