// The watcher is killed before its statements, one place after the other: the next run ends where an unharmed one does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Killed, killable } from '@florin/platform/testing/killable'
import { sized } from '../../../../scripts/sizes.ts'
import { TestChain } from '../test/chain.fixture.ts'
import { aWorld, output, startProcess } from '../test/world.fixture.ts'

const DUE = 100_000n
/** Every n-th statement in `npm test`, every one at length. */
const EVERY = sized({ full: 1, short: 41 })

test('killed before any of its statements, the watcher loses and doubles nothing', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { chain } = world
  let killed = 0
  for (let killAt = 0; ; killAt += EVERY) {
    const order = await world.order()
    const coin = TestChain.outpoint()
    const payment = TestChain.transaction([output(world.scriptOf(order), DUE)], [coin])
    const { sql } = killable(world.deps.sql, killAt)
    const own = startProcess(world.deps, world.chains, world.addresses, sql)
    let isKilled = false
    const look = async (): Promise<void> => {
      if (!isKilled) {
        isKilled = await own.look().then(
          () => false,
          (error: unknown) => {
            assert.ok(error instanceof Killed, String(error))
            return true
          },
        )
        // The lease of one that was killed ends by itself.
        world.clock.advance(61_000)
      }
      await world.settle()
      for (const job of world.rail.jobs) await job.end?.()
    }
    for (const job of world.rail.jobs) await job.end?.()
    chain.send(payment)
    await look()
    assert.equal((await world.read(order)).detail, 'seen_unconfirmed')
    chain.mine()
    await look()
    assert.equal((await world.read(order)).status, 'success')
    chain.leave(1, { toPool: false })
    for (let n = 0; n < 2; n++) chain.mine([])
    await look()
    assert.equal((await world.read(order)).detail, 'reorged')
    chain.mine([payment])
    await look()
    const done = await world.read(order)
    assert.deepEqual([done.status, done.detail, done.amountOut, done.payments.length], ['success', 'paid', DUE, 1])
    if (!isKilled) break
    killed++
  }
  assert.ok(killed * EVERY > 20, `only ${killed} places to be killed at`)
})
