import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { finalHeights } from '../node/finality.ts'
import { ChainMismatch } from '../node/verify.ts'
import { aLyingNode } from '../test/lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

test('what is final follows the tag, the depth, or what comes first of both; a large order may have a rule of its own', () => {
  const finality = { tag: null, depth: 3 }
  assert.deepEqual(finalHeights({ finality, large: null }, { head: 10n, tagged: null }), { normal: 8n, large: 8n })
  const tag = { tag: 'finalized', depth: null } as const
  const large = { fromMicros: 1n, settle: 2, finality: tag }
  assert.deepEqual(finalHeights({ finality, large }, { head: 10n, tagged: 5n }), { normal: 8n, large: 5n })
  assert.equal(finalHeights({ finality, large }, { head: 10n, tagged: null }).large, -1n, 'unknown is not final')
  const both = { tag: 'finalized', depth: 6 } as const
  assert.equal(finalHeights({ finality: both, large: null }, { head: 10n, tagged: 9n }).normal, 9n)
  assert.equal(
    finalHeights({ finality: both, large: null }, { head: 10n, tagged: 2n }).normal,
    5n,
    'the tag stands still',
  )
})

/** Pays in full; the settlement is mined when this resolves. */
async function paySettled(world: World, order: OrderState): Promise<void> {
  const [leg] = order.legs
  assert.ok(leg)
  await world.pay(leg.address, world.node.usdc, leg.amountDue)
  await world.mine(leg.confirmationsRequired - 1)
  await world.look()
  await settleDue(world.deps)
  await world.work()
  await settleDue(world.deps)
}

const statusOf = async (world: World, { orderNo }: OrderState): Promise<string> => {
  await world.work()
  await settleDue(world.deps)
  return (await getOrder(world.deps.sql, orderNo)).status
}

test('by the tag an order succeeds when its settlement is final to the node, and not before', async (t) => {
  const world = await aWorld(t, { fields: { finality: { tag: 'finalized' }, maxReorg: 100, reorgWindow: 200 } })
  const order = await world.order()
  await paySettled(world, order)
  const { settlements } = await getOrder(world.deps.sql, order.orderNo)
  const hash = settlements[0]?.txHash as `0x${string}`
  const { blockNumber } = await world.client.getTransactionReceipt({ hash })
  let isFinal = false
  for (let blocks = 0; !isFinal && blocks < 200; blocks += 8) {
    await world.mine(8)
    const { number } = await world.client.getBlock({ blockTag: 'finalized' })
    isFinal = number >= blockNumber
    assert.equal(await statusOf(world, order), isFinal ? 'success' : 'processing')
  }
  assert.ok(isFinal)
})

test('from an amount on a payment counts deeper and its order succeeds later; below nothing changes', async (t) => {
  const large = { fromUsd: '40', settle: 6, finality: { depth: 9 } }
  const world = await aWorld(t, { fields: { large } })
  const small = await world.order({ amount_usd: 10 })
  const big = await world.order({ amount_usd: 40 })
  assert.deepEqual([small.legs[0]?.confirmationsRequired, big.legs[0]?.confirmationsRequired], [3, 6])
  for (const { legs } of [small, big])
    await world.pay(legs[0]?.address ?? '', world.node.usdc, legs[0]?.amountDue ?? 0n)
  const paidAt = await world.client.getBlockNumber()
  const states: string[][] = []
  while ((await world.client.getBlockNumber()) < paidAt + 6n) {
    await world.mine()
    await world.look()
    await settleDue(world.deps)
    const now = await Promise.all([small, big].map(({ orderNo }) => getOrder(world.deps.sql, orderNo)))
    states.push(now.map((order) => order.payments[0]?.status ?? ''))
  }
  assert.deepEqual(states.slice(0, 5), [
    // The small one was paid a block earlier.
    ['confirmed', 'detected'],
    ['confirmed', 'detected'],
    ['confirmed', 'detected'],
    ['confirmed', 'detected'],
    ['confirmed', 'confirmed'],
  ])
  await world.work()
  await settleDue(world.deps)
  // Settled in one block, five deep now; nine deep at last.
  await world.mine(4)
  assert.deepEqual([await statusOf(world, small), await statusOf(world, big)], ['success', 'processing'])
  await world.mine(4)
  assert.equal(await statusOf(world, big), 'success')
})

test('a provider that lacks the tag is named at the start; a chain that asks for depth alone does not care', async (t) => {
  const node = await testNode()
  for (const answer of [{ error: { code: -32_602, message: 'unknown block tag' } }, { result: null }]) {
    const lacking = await aLyingNode(t, node.url, ({ params: [which] }) => (which === 'finalized' ? answer : null))
    const rpc = [node.url, lacking.url]
    const chains = [chainOver(node, { rpc, finality: { tag: 'finalized' } })]
    const { forwarder } = await aWorld(t, { node, chains })
    await assert.rejects(forwarder.check(), (error: Error) => {
      assert.ok(error instanceof ChainMismatch)
      assert.match(error.message, new RegExp(`${new URL(lacking.url).host} does not know the block tag "finalized"`))
      return true
    })
    const other = await aWorld(t, { node, chains: [chainOver(node, { rpc })] })
    await other.forwarder.check()
  }
})
