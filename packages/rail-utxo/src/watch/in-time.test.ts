// What decides whether a payment came in time: when it was announced, else the earlier of its block's header and our reading. Neither a
// miner's clock nor a node's moves it past these.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { TestChain } from '../test/chain.fixture.ts'
import { aWorld, output, startProcess, type World } from '../test/world.fixture.ts'
import { enteredAt, seenAtOf } from './in-time.ts'

/** $50 at $50,000. */
const DUE = 100_000n

const oneBlock = { fields: { confirmations: [{ blocks: 1 }] } }
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
const minutesFrom = (at: Date, minutes: number): number => seconds(at) + minutes * 60

function pay(world: World, order: OrderState, inputs = [TestChain.outpoint()]): Buffer {
  return TestChain.transaction([output(world.scriptOf(order), DUE)], inputs)
}

/** The status, and what the payment counts for. */
async function told(world: World, order: OrderState): Promise<string> {
  await world.settle()
  const { status, payments } = await world.read(order)
  return [status, ...payments.map((row) => `${row.status} ${row.use}`)].join(', ')
}

test('announced after the deadline is late, however old the header of its block is', async (t) => {
  const world = await aWorld(t, oneBlock)
  const order = await world.order({ late_policy: 'refund' })
  world.clock.advance(31 * MINUTE_MS)
  assert.equal(await told(world, order), 'expired')
  world.chain.send(pay(world, order))
  await world.settle()
  world.chain.mine(undefined, minutesFrom(order.createdAt, 5))
  assert.equal(await told(world, order), 'expired, confirmed late')
  assert.equal((await world.read(order)).refunds[0]?.reason, 'late')
})

test('read in a block before the deadline is in time, however far ahead its header is', async (t) => {
  const world = await aWorld(t, oneBlock)
  const order = await world.order()
  world.clock.advance(10 * MINUTE_MS)
  world.chain.mine([pay(world, order)], minutesFrom(world.clock.now(), 110))
  assert.equal(await told(world, order), 'success, confirmed counted')
})

test('announced in time holds for a day by the reading, not by a header that is ahead', async (t) => {
  const world = await aWorld(t, oneBlock)
  const order = await world.order()
  world.chain.send(pay(world, order))
  await world.settle()
  world.clock.advance(DAY_MS)
  world.chain.mine(undefined, minutesFrom(world.clock.now(), 110))
  assert.equal(await told(world, order), 'success, confirmed counted')
})

test('never announced: a header before the deadline counts, also where the block is read after it', async (t) => {
  const world = await aWorld(t, oneBlock)
  const order = await world.order()
  world.clock.advance(14 * MINUTE_MS)
  await world.settle()
  world.clock.advance(2 * MINUTE_MS)
  world.chain.mine([pay(world, order)], minutesFrom(order.createdAt, 14))
  assert.equal(await told(world, order), 'success, confirmed counted')
})

test('a payment that was read in time stays in time when a reorg returns it and it is announced again late', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const paying = pay(world, order)
  world.chain.mine([paying])
  assert.equal(await told(world, order), 'processing, detected counted')
  world.chain.leave(1, { toPool: false })
  world.chain.mine([])
  world.chain.mine([])
  assert.equal(await told(world, order), 'processing, orphaned counted')
  world.clock.advance(45 * MINUTE_MS)
  world.chain.send(paying)
  await world.settle()
  for (let n = 0; n < 3; n++) world.chain.mine()
  assert.equal(await told(world, order), 'success, confirmed counted')
})

test('where Florin was down the node’s time of the announcement counts, for one worker and for two', async (t) => {
  for (const isSecond of [false, true]) {
    const world = await aWorld(t, oneBlock)
    const { chain, chains, addresses, clock, deps } = world
    const other = startProcess(deps, chains, addresses)
    const settle = async (): Promise<void> => {
      await other.look()
      for (let round = 0; round < 20; round++)
        if ((await settleDue(other.deps)) + (await expireDue(other.deps)) === 0) return
    }
    if (isSecond) {
      // It read the mempool before, and the first one had the lease since.
      for (const job of world.rail.jobs) await job.end?.()
      await other.look()
      for (const job of other.rail.jobs) await job.end?.()
      await world.look()
    }
    const order = await world.order()
    await world.look()
    clock.advance(5 * MINUTE_MS)
    chain.send(pay(world, order))
    clock.advance(40 * MINUTE_MS)
    await settle()
    assert.equal((await world.read(order)).detail, 'seen_unconfirmed')
    chain.mine()
    await settle()
    assert.equal((await world.read(order)).status, 'success')
  }
})

test('a node whose clock is behind makes no late payment timely, and one ahead no timely payment late', async (t) => {
  const world = await aWorld(t, oneBlock)
  const [late, timely] = [await world.order({ late_policy: 'refund' }), await world.order()]
  const ahead = world.chain.send(pay(world, timely))
  world.chain.enteredS.set(ahead, minutesFrom(world.clock.now(), 120))
  await world.settle()
  world.clock.advance(31 * MINUTE_MS)
  await world.settle()
  const behind = world.chain.send(pay(world, late))
  world.chain.enteredS.set(behind, minutesFrom(late.createdAt, 1))
  await world.settle()
  world.chain.mine()
  assert.equal(await told(world, late), 'expired, confirmed late')
  assert.equal(await told(world, timely), 'success, confirmed counted')
})

test('a bump of the fee is in time as the payment was that it replaces, announced or first seen in a block', async (t) => {
  for (const isAnnounced of [true, false]) {
    const world = await aWorld(t, oneBlock)
    const [order, stranger] = [await world.order(), await world.order()]
    const coin = TestChain.outpoint()
    world.chain.send(pay(world, order, [coin]))
    await world.settle()
    world.clock.advance(40 * MINUTE_MS)
    // Of the same coin, and to somebody else's order as well: that was not announced in time.
    const bumped = TestChain.transaction(
      [output(world.scriptOf(stranger), DUE), output(world.scriptOf(order), DUE)],
      [coin],
    )
    if (isAnnounced) {
      world.chain.send(bumped)
      await world.settle()
    }
    world.chain.mine([bumped])
    assert.equal(await told(world, order), 'success, dropped counted, confirmed counted')
    assert.match(await told(world, stranger), /^expired, confirmed late/)
  }
})

test('an order expires once blocks and mempool were read past its deadline', async (t) => {
  const world = await aWorld(t, oneBlock)
  const order = await world.order({ expires_in: 300 })
  world.clock.advance(5 * MINUTE_MS - 1_000)
  await world.look()
  world.chain.send(pay(world, order))
  world.clock.advance(2_000)
  await expireDue(world.deps)
  assert.equal((await world.read(order)).status, 'pending', 'what was announced since the last look is not known')
  world.clock.advance(MINUTE_MS)
  await world.settle()
  assert.equal((await world.read(order)).detail, 'seen_unconfirmed')
})

test('no clock of others makes a payment newer than our reading, nor what was announced older or newer', () => {
  const at = fc.integer({ min: 0, max: 3 * DAY_MS }).map((ms) => new Date(ms))
  const lateAfter = new Date(DAY_MS)
  fc.assert(
    fc.property(at, at, fc.option(at), fc.option(at), (readAt, headerTime, announcedAt, since) => {
      const seenAt = seenAtOf({ announcedAt, headerTime, readAt, lateAfter })
      const blockAt = headerTime < readAt ? headerTime : readAt
      if (announcedAt !== null && blockAt <= lateAfter) assert.equal(seenAt, announcedAt)
      else if (announcedAt === null) assert.equal(seenAt, blockAt)
      else assert.ok(seenAt > lateAfter && seenAt >= announcedAt)
      const entered = enteredAt({ told: headerTime, readAt, since })
      assert.ok(entered <= readAt && (since === null || since > readAt || entered >= since))
      assert.ok(
        entered.getTime() === headerTime.getTime() || headerTime > readAt || (since !== null && headerTime < since),
      )
      assert.equal(enteredAt({ told: null, readAt, since }), readAt)
    }),
  )
})
