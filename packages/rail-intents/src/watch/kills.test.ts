// The process that asks the provider is killed before its statements, one place after the other: the next one ends where an
// unharmed one does, with each change told once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Killed, killable } from '@florin/platform/testing/killable'
import { sized } from '../../../../scripts/sizes.ts'
import { listTimeline } from '../../../server/src/webhooks/events.store.ts'
import { announce, deposit, fill } from '../test/swaps.fixture.ts'
import { aWorld, startProcess } from '../test/world.fixture.ts'

/** Every n-th statement in `npm test`, every one at length. */
const EVERY = sized({ full: 1, short: 9 })

test('killed before any of its statements, the poll loses and doubles nothing', async (t) => {
  const world = await aWorld(t)
  let killed = 0
  for (let killAt = 0; ; killAt += EVERY) {
    const order = await world.order()
    const swap = world.swapOf(order)
    const own = startProcess(world.deps, world, killable(world.deps.sql, killAt).sql)
    let isKilled = false
    const look = async (): Promise<void> => {
      if (!isKilled) {
        // One that lives gives its lease back in the end.
        const lives = async (): Promise<void> => {
          await own.look()
          for (const job of own.rail.jobs) await job.end?.()
        }
        isKilled = await lives().then(
          () => false,
          (error: unknown) => {
            assert.ok(error instanceof Killed, String(error))
            return true
          },
        )
        // The lease of one that was killed ends by itself.
        if (isKilled) world.clock.advance(61_000)
      }
      await world.settle()
      for (const job of world.rail.jobs) await job.end?.()
    }
    announce(swap, world.clock.now())
    await look()
    deposit(swap, order.legs[0]?.amountDue ?? 0n, world.clock.now())
    await look()
    assert.equal((await world.read(order)).status, 'processing')
    fill(swap, world.clock.now())
    await look()
    const done = await world.read(order)
    assert.deepEqual([done.status, done.detail, done.payments.length], ['success', 'paid', 1])
    const events = (await listTimeline(world.deps.sql, done)).map((row) => row.event).filter((event) => event !== null)
    assert.deepEqual(events, ['order.processing', 'order.success'])
    // The swaps of rounds before are asked about no more: each round has the same statements.
    await world.deps.sql`update intents_legs set due_at = null`
    if (!isKilled) break
    killed++
  }
  assert.ok(killed * EVERY > 10, `only ${killed} places to be killed at`)
})
