import assert from 'node:assert/strict'
import { after } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { advance, playLies } from '../test/lies.fixture.ts'
import { aLyingNode } from '../test/lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode } from '../test/world.fixture.ts'

after(stopNodes)

test('with providers that leave out 30 % of all lists no paid order is missed, and none is paid twice', async (t) => {
  const played = await playLies(t, { orders: 40, seed: 11 })
  assert.deepEqual([played.paid, played.missed], [40, 0])
})

slowTest('an order does not expire while its chain cannot be looked at', async (t) => {
  const node = await testNode()
  let isDown = false
  const silent = await aLyingNode(t, node.url, () => (isDown ? 503 : null))
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc: [silent.url] })] })
  const order = await world.order()
  await world.look()
  isDown = true
  await advance(world, 31 * MINUTE_MS)
  await expireDue(world.deps)
  assert.equal((await getOrder(world.deps.sql, order.orderNo)).status, 'pending')
  isDown = false
  await world.mine(40)
  await assert.rejects(world.forwarder.rail.recheck(order.orderRef), /blocks behind/)
  await advance(world, MINUTE_MS)
  await world.look()
  await expireDue(world.deps)
  assert.equal((await getOrder(world.deps.sql, order.orderNo)).status, 'expired')
})

test('coins on the address of a token order are found before it expires, and told once', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  await world.pay(order.legs[0]?.address ?? '', null, 77n)
  await world.mine(3)
  await world.look()
  assert.deepEqual(await world.factsOf(order.orderRef), [])
  for (const _ of [1, 2]) await world.forwarder.rail.recheck(order.orderRef)
  const [seen, confirmed, ...more] = await world.factsOf(order.orderRef)
  assert.ok(seen?.kind === 'payment_seen')
  assert.deepEqual([seen.asset.asset, seen.amount, confirmed?.kind, more], ['ETH', 77n, 'payment_confirmed', []])
})
