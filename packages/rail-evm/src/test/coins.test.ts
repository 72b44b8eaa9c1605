// Native coins leave no log, and several finders read balances at different heights: the watcher, the search for stray coins,
// the recheck and the comparison with the books. What they book together is what the chain holds.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { sized, quickTest as test } from '../../../../scripts/sizes.ts'
import { refundOrder } from '../../../server/src/orders/acts.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { advance } from './lies.fixture.ts'
import { aWorld, stopNodes, type World } from './world.fixture.ts'

after(stopNodes)

const REFUND_TO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const addressOf = (order: OrderState): string => order.legs[0]?.address ?? ''

/** One batch of the search for stray coins. */
async function walk(world: World): Promise<void> {
  for (const job of world.forwarder.jobs)
    if (job.name.startsWith('strays-')) await job.run(new AbortController().signal)
}

test('coins: found by the walk above the recheck → booked once, and the refund goes out', async (t) => {
  const world = await aWorld(t, { fields: { refundCostCoins: '0' } })
  const order = await world.order({ refund_address: REFUND_TO })
  await world.look()
  const had = await world.unitsOf(null, REFUND_TO)
  await world.pay(addressOf(order), null, 5_000n)
  await world.mine(3)
  await world.look()
  await walk(world)
  await world.forwarder.rail.recheck(order.orderRef)
  await world.mine(5)
  await world.look()
  await settleDue(world.deps)
  const seen = await getOrder(world.deps.sql, order.orderNo)
  assert.deepEqual(
    balanceOf(seen).map(({ received, held }) => [received, held]),
    [[5_000n, 5_000n]],
  )
  await refundOrder(world.deps, seen, { actor: 'test', reason: null })
  for (let round = 0; round < 3; round++) {
    await world.mine(5)
    await world.work()
    await settleDue(world.deps)
  }
  const done = await getOrder(world.deps.sql, order.orderNo)
  assert.equal(done.status, 'refunded')
  assert.equal((await world.unitsOf(null, REFUND_TO)) - had, 5_000n)
})

test('coins: paid in time, and a wei after the deadline in one range → in time and late are two payments', async (t) => {
  const world = await aWorld(t)
  const order = await world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })
  const due = order.legs[0]?.amountDue ?? 0n
  const deadline = order.legs[0]?.rateExpiresAt ?? new Date(0)
  await world.look()
  // Nobody watches from here on.
  await world.mine(20)
  await world.pay(addressOf(order), null, due)
  await world.mine(20)
  await advance(world, deadline.getTime() - world.clock.now().getTime() + MINUTE_MS)
  await world.pay(addressOf(order), null, 1n)
  await world.mine(60)
  await world.look()
  const facts = await world.factsOf(order.orderRef)
  const seen = facts.flatMap((fact) => (fact.kind === 'payment_seen' ? [fact] : []))
  assert.deepEqual(
    seen.map(({ amount, from, seenAt }) => [amount, from, seenAt <= deadline]),
    [
      [due, null, true],
      [1n, null, false],
    ],
  )
  await settleDue(world.deps)
  await expireDue(world.deps)
  assert.equal((await getOrder(world.deps.sql, order.orderNo)).status, 'processing')
})

test('coins: paid in time, and the address is no longer read at every block → the recheck books it in time', async (t) => {
  const world = await aWorld(t)
  const order = await world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })
  const due = order.legs[0]?.amountDue ?? 0n
  await world.look()
  await world.mine(20)
  await world.pay(addressOf(order), null, due)
  await world.mine(20)
  await advance(world, 7 * 24 * 60 * MINUTE_MS)
  await world.mine(80)
  await world.look()
  await settleDue(world.deps)
  await expireDue(world.deps)
  const [payment] = (await getOrder(world.deps.sql, order.orderNo)).payments
  assert.deepEqual([payment?.amount, payment?.use], [due, 'counted'])
})

type Step =
  | { do: 'pay'; order: number; amount: number }
  | { do: 'mine' | 'reorg'; blocks: number }
  | { do: 'recheck'; order: number }
  | { do: 'look' | 'walk' | 'compare' }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('pay' as const), order: fc.nat(2), amount: fc.integer({ min: 1, max: 1_000 }) }),
    fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
    // More than so many at once are read as a range.
    fc.record({ do: fc.constant('mine' as const), blocks: fc.constant(70) }),
    fc.record({ do: fc.constant('reorg' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('recheck' as const), order: fc.nat(2) }),
    fc.record({ do: fc.constantFrom('look' as const, 'walk' as const, 'compare' as const) }),
    fc.constant<Step>({ do: 'look' }),
    fc.constant<Step>({ do: 'walk' }),
  ),
  { minLength: 10, maxLength: 25 },
)

test('coins: whoever looks in whatever order → booked is what the chain holds', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = await aWorld(t)
      const eth = { pay_asset: 'ETH', settle_asset: 'ETH' }
      const orders = [await world.order(), await world.order(eth), await world.order()]
      await world.look()
      for (const step of all) await take(world, orders, step)
      // A quiet moment: everything is deep, and each finder has looked.
      await world.mine(20)
      await world.look()
      await walk(world)
      for (const { orderRef } of orders) await world.forwarder.rail.recheck(orderRef)
      for (const order of orders) {
        const held = await world.unitsOf(null, addressOf(order))
        assert.equal(await bookedOf(world, order), held, 'booked is what the address holds')
        assert.deepEqual(await foundOf(world, order), held === 0n ? [] : [held], 'the comparison finds as much')
      }
    }),
    { numRuns: sized({ short: 6, full: 60 }), endOnFailure: true },
  )
})

async function take(world: World, orders: readonly OrderState[], step: Step): Promise<void> {
  const order = orders['order' in step ? step.order : 0]
  assert.ok(order)
  if (step.do === 'pay') await world.pay(addressOf(order), null, BigInt(step.amount))
  else if (step.do === 'mine') await world.mine(step.blocks)
  else if (step.do === 'reorg') await world.reorg(step.blocks)
  else if (step.do === 'look') await world.look()
  // After a reorg the node does not have the block until the watcher has followed: the job runs again.
  else if (step.do === 'walk') await walk(world).catch(() => undefined)
  // Where the watcher is behind there is nothing to compare with.
  else if (step.do === 'recheck') await world.forwarder.rail.recheck(order.orderRef).catch(() => undefined)
  else await foundOf(world, order).catch(() => undefined)
  await settleDue(world.deps)
}

async function bookedOf(world: World, { orderNo }: OrderState): Promise<bigint> {
  await settleDue(world.deps)
  const [line] = balanceOf(await getOrder(world.deps.sql, orderNo)).filter(({ asset }) => asset === 'ETH')
  return line?.held ?? 0n
}

async function foundOf(world: World, { orderRef, legs }: OrderState): Promise<bigint[]> {
  const questions = legs.map((leg) => ({ orderRef, legRef: leg.ref, assets: [] }))
  const lines = await world.forwarder.rail.holdings(questions)
  return lines.flatMap(({ asset, amount }) => (asset.asset === 'ETH' && amount > 0n ? [amount] : []))
}
