import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { expireDue } from '../../orders/expire.ts'
import { settleDue } from '../../orders/settle.ts'
import { getOrder } from '../../orders/store.ts'
import { aLyingNode } from './lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode, type World } from './world.fixture.ts'

after(stopNodes)

/** The nodes' time goes with the service's. */
async function advance(world: World, ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.anvil.increaseTime({ seconds: Math.ceil(ms / 1000) })
  await world.mine()
}

test('with providers that leave out 30 % of all lists no paid order is missed, and none is paid twice', async (t) => {
  const node = await testNode()
  let roll = 11
  const lie = ({ method }: { method: string }) => {
    roll = (Math.imul(roll, 1_664_525) + 1_013_904_223) >>> 0
    return method === 'eth_getLogs' && roll / 2 ** 32 < 0.3 ? { result: [] } : null
  }
  const liars = [await aLyingNode(t, node.url, lie), await aLyingNode(t, node.url, lie)]
  const rpc = liars.map((liar) => liar.url)
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc })] })
  const orders = []
  for (let n = 0; n < 40; n++) orders.push(await world.order())
  for (const order of orders) {
    await world.pay(order.legs[0]?.address ?? '', node.usdc, order.legs[0]?.amountDue ?? 0n)
    await world.look()
  }
  await world.mine(3)
  await world.look()
  await advance(world, 31 * MINUTE_MS)
  await world.look()
  await settleDue(world.deps)
  await expireDue(world.deps)
  await settleDue(world.deps)
  for (const { orderNo } of orders) {
    const order = await getOrder(world.deps.sql, orderNo)
    assert.deepEqual([order.status, order.payments.length], ['processing', 1])
    assert.equal(order.payments[0]?.use, 'counted', 'it came in time, however late it was found')
  }
  const found = await world.deps.sql<{ foundBy: string; count: bigint }[]>`
    select found_by as "foundBy", count(*) from forwarder_observations group by found_by`
  t.diagnostic(JSON.stringify(Object.fromEntries(found.map((row) => [row.foundBy, Number(row.count)]))))
  assert.ok(liars.every((liar) => liar.lies() > 0) && found.length > 1)
})

test('an order does not expire while its chain cannot be looked at', async (t) => {
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
  await assert.rejects(world.forwarder.rail.lookAgain(order.orderRef), /blocks behind/)
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
  for (const _ of [1, 2]) await world.forwarder.rail.lookAgain(order.orderRef)
  const [seen, confirmed, ...more] = await world.factsOf(order.orderRef)
  assert.ok(seen?.kind === 'payment_seen')
  assert.deepEqual([seen.asset.asset, seen.amount, confirmed?.kind, more], ['ETH', 77n, 'payment_confirmed', []])
})
