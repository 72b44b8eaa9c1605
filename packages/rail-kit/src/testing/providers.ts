// Whom a rail believes: where there is a chain, nothing counts and nothing runs out on one provider's word, and a coin that
// left its peg is not settled.
// A rail without a chain says so, and has neither.
import assert from 'node:assert/strict'
import { MINUTE_MS } from '@florin/protocol'
import { confirms, exactly, finishes, nothing, pays, play, type RailWorld, type Suite, waits, whole } from './world.ts'

export function providersContract({ promise, paysWallet }: Suite): void {
  // Its hosts have a suite of their own, and a volatile coin has no peg.
  if (paysWallet) return
  promise(
    'while a second provider does not say the same nothing counts and nothing expires',
    async (world) => {
      const order = await world.order()
      if (!hasChain(world, order.rail, world.silence)) return
      world.silence?.(true)
      const unseen = await play(world, order, [...pays(whole), confirms, waits(31 * MINUTE_MS)])
      assert.deepEqual([unseen.status, unseen.settlements], ['pending', []])
      world.silence?.(false)
      // What was on the chain in time is on time, however late it was agreed on.
      const done = await play(world, unseen, [confirms, confirms, finishes])
      assert.deepEqual([done.status, done.detail], ['success', 'paid'])
    },
    { providers: 2 },
  )

  promise(
    'a coin that left its peg is held, and settles when it is back',
    async (world) => {
      const order = await world.order()
      if (!hasChain(world, order.rail, world.depeg)) return
      await play(world, order, pays(whole))
      world.depeg?.(true)
      const held = await play(world, order, [waits(MINUTE_MS), confirms, finishes])
      assert.deepEqual(
        [held.status, held.detail, held.settlements[0]?.hold],
        ['processing', 'needs_attention', 'depegged'],
      )
      world.depeg?.(false)
      const done = await play(world, held, [waits(MINUTE_MS), nothing, finishes])
      assert.equal(done.status, 'success')
      // The next one is quoted again.
      assert.equal((await play(world, await world.order(), exactly)).status, 'success')
    },
    { isPegged: true },
  )
}

/** A rail has a chain exactly where its world can make that chain fail. */
function hasChain(world: RailWorld, rail: string, fail: ((isOn: boolean) => void) | undefined): boolean {
  const isOnChain = world.host.rails.byKind(rail)?.capabilities.isOnChain === true
  assert.equal(fail !== undefined, isOnChain)
  return isOnChain
}
